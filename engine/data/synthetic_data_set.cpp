// SPDX-License-Identifier: Apache-2.0
//
// Synthetic images of any shape. Class k is a wave of its own direction and length; noise is laid over it. Nothing is
// stored: an image is computed from (seed, split, index) when it is read.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "engine/data/data_set.h"
#include "engine/data/random.h"

namespace peakscope::engine {
namespace {

constexpr std::int64_t trainImages = 2000, testImages = 500;

class SyntheticDataSet final : public DataSet {
 public:
  explicit SyntheticDataSet(const DataRequest& request) : m_image(request.image), m_classes(request.classes), m_seed(request.seed) {}

  std::string description() const override {
    return fmt::format("synthetic, {} images of {}x{}x{}, {} classes", trainImages, m_image.c, m_image.h, m_image.w, m_classes);
  }
  std::int64_t size(Split split) const override { return split == Split::Train ? trainImages : testImages; }

  std::int32_t read(Split split, std::int64_t index, std::span<float> image) const override {
    const auto label = static_cast<std::int32_t>(index % m_classes);
    Random wave(mix(m_seed, hashOf("class") + static_cast<std::uint64_t>(label)));
    const double turn = 2 * std::numbers::pi;
    const double across = turn * (1 + 4 * wave.uniform()) / static_cast<double>(m_image.w);
    const double down = turn * (1 + 4 * wave.uniform()) / static_cast<double>(m_image.h), phase = turn * wave.uniform();
    // sin(x + y) = sin x cos y + cos x sin y: one table per column, two numbers per row, so that large batches stay cheap.
    std::vector<float> sines, cosines;
    for (std::int64_t x = 0; x < m_image.w; ++x) {
      sines.push_back(static_cast<float>(std::sin(across * static_cast<double>(x))));
      cosines.push_back(static_cast<float>(std::cos(across * static_cast<double>(x))));
    }
    Random noise(mix(mix(m_seed, hashOf(split == Split::Train ? "train" : "test")), static_cast<std::uint64_t>(index)));
    std::uint64_t bits = 0;
    for (std::size_t at = 0, row = 0; at < image.size(); ++row) {
      const auto y = static_cast<double>(static_cast<std::int64_t>(row) % m_image.h), c = static_cast<double>(static_cast<std::int64_t>(row) / m_image.h);
      const auto sine = static_cast<float>(std::sin(down * y + phase + c)), cosine = static_cast<float>(std::cos(down * y + phase + c));
      for (std::size_t x = 0; x < sines.size(); ++x, ++at) {
        if (at % 4 == 0) bits = noise.bits();
        // Uniform noise of deviation 0.7 over a wave of deviation 0.7: together mean 0, deviation 1.
        const float uniform = static_cast<float>(bits >> (at % 4 * 16) & 0xFFFFU) / 65536.0F - 0.5F;
        image[at] = sines[x] * cosine + cosines[x] * sine + 2.4F * uniform;
      }
    }
    return label;
  }

 private:
  Shape m_image;
  std::int64_t m_classes;
  std::uint64_t m_seed;
};

}  // namespace

std::unique_ptr<DataSet> makeSyntheticData(const DataRequest& request) { return std::make_unique<SyntheticDataSet>(request); }

std::vector<std::int64_t> epochOrder(std::int64_t images, std::int32_t epoch, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(images));
  std::iota(order.begin(), order.end(), 0);
  Random random(mix(mix(seed, hashOf("epoch")), static_cast<std::uint64_t>(epoch)));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);   // Fisher-Yates
  return order;
}

}  // namespace peakscope::engine
