// SPDX-License-Identifier: Apache-2.0
//
// BatchSource: training batches in the shuffled order of each epoch, test batches in file order. One buffer, reused.
//
//   BatchSource source(*data, {.batch = 100, .imageElements = 784, .seed = 1});
//   const Batch batch = source.train(epoch, i);       // i in [0, iterationsPerEpoch)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/data_set.h"

namespace peakscope::engine {

struct Batch {
  std::span<const float> images;
  std::span<const std::int32_t> labels;   ///< -1: padding of the last test batch
};

class BatchSource {
 public:
  struct Options {
    std::int64_t batch = 0;
    std::int64_t imageElements = 0;
    std::uint64_t seed = 1;
  };
  BatchSource(const DataSet& data, Options options);

  /// The last images of an epoch that do not fill a batch are left out; another order brings them in.
  [[nodiscard]] std::int64_t trainBatches() const { return m_data.size(Split::Train) / m_options.batch; }
  /// The whole test set; the last batch is padded.
  [[nodiscard]] std::int64_t testBatches() const { return (m_data.size(Split::Test) + m_options.batch - 1) / m_options.batch; }

  /// Valid until the next call. `epoch` is 1-based.
  [[nodiscard]] Batch train(std::int32_t epoch, std::int64_t batch);
  [[nodiscard]] Batch test(std::int64_t batch);

 private:
  void readImage(std::int64_t slot, Split split, std::int64_t index);

  const DataSet& m_data;
  Options m_options;
  std::int32_t m_epoch = 0;               ///< of m_order
  std::vector<std::int64_t> m_order;
  std::vector<float> m_images;
  std::vector<std::int32_t> m_labels;
};

}  // namespace peakscope::engine
