// SPDX-License-Identifier: Apache-2.0
//
// Ids: an index with a type, and vectors that only the right id can index. A TensorId never names an op.
//
//   IdVector<TensorId, Tensor> tensors;
//   const TensorId dst = tensors.push_back(Tensor{...});
//   tensors[dst].bytes;
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace peakscope {

template <class Tag>
struct Id {
  std::int32_t index = -1;

  [[nodiscard]] constexpr bool isValid() const { return index >= 0; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using TensorId = Id<struct TensorTag>;
using OpId = Id<struct OpTag>;
using LayerId = Id<struct LayerTag>;
/// Position of a step in Plan::steps. Not the paper step: see PaperStep in memory/workload.h.
using PlanStepId = Id<struct PlanStepTag>;

template <class IdType, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::int32_t size, T value = {}) : m_items(static_cast<std::size_t>(size), std::move(value)) {}

  IdType push_back(T item) {
    m_items.push_back(std::move(item));
    return IdType{size() - 1};
  }
  void resize(std::int32_t size, T value = {}) { m_items.resize(static_cast<std::size_t>(size), std::move(value)); }

  [[nodiscard]] decltype(auto) operator[](IdType id) { return m_items[static_cast<std::size_t>(id.index)]; }
  [[nodiscard]] decltype(auto) operator[](IdType id) const { return m_items[static_cast<std::size_t>(id.index)]; }
  [[nodiscard]] bool contains(IdType id) const { return id.index >= 0 && id.index < size(); }
  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(m_items.size()); }
  [[nodiscard]] bool isEmpty() const { return m_items.empty(); }
  [[nodiscard]] auto begin() { return m_items.begin(); }
  [[nodiscard]] auto end() { return m_items.end(); }
  [[nodiscard]] auto begin() const { return m_items.begin(); }
  [[nodiscard]] auto end() const { return m_items.end(); }

  friend bool operator==(const IdVector&, const IdVector&) = default;

 private:
  std::vector<T> m_items;
};

/// All ids of a vector in order: for (TensorId id : idsOf(tensors)).
template <class IdType, class T>
[[nodiscard]] auto idsOf(const IdVector<IdType, T>& items) {
  struct Iterator {
    IdType id;
    IdType operator*() const { return id; }
    Iterator& operator++() { ++id.index; return *this; }
    bool operator!=(const Iterator& other) const { return id != other.id; }
  };
  struct Range {
    std::int32_t size;
    Iterator begin() const { return {IdType{0}}; }
    Iterator end() const { return {IdType{size}}; }
  };
  return Range{items.size()};
}

}  // namespace peakscope

template <class Tag>
struct std::hash<peakscope::Id<Tag>> {
  std::size_t operator()(peakscope::Id<Tag> id) const noexcept { return std::hash<std::int32_t>{}(id.index); }
};
