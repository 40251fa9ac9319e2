// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/batch_source.h"

#include <algorithm>

namespace peakscope::engine {

BatchSource::BatchSource(const DataSet& data, Options options)
    : m_data(data),
      m_options(options),
      m_images(static_cast<std::size_t>(options.batch * options.imageElements)),
      m_labels(static_cast<std::size_t>(options.batch)) {}

Batch BatchSource::train(std::int32_t epoch, std::int64_t batch) {
  if (epoch != m_epoch) {
    m_order = epochOrder(m_data.size(Split::Train), epoch, m_options.seed);
    m_epoch = epoch;
  }
  for (std::int64_t slot = 0; slot < m_options.batch; ++slot)
    readImage(slot, Split::Train, m_order[static_cast<std::size_t>(batch * m_options.batch + slot)]);
  return {m_images, m_labels};
}

Batch BatchSource::test(std::int64_t batch) {
  for (std::int64_t slot = 0; slot < m_options.batch; ++slot) {
    const std::int64_t index = batch * m_options.batch + slot;
    if (index < m_data.size(Split::Test)) {
      readImage(slot, Split::Test, index);
    } else {
      std::fill_n(m_images.begin() + slot * m_options.imageElements, m_options.imageElements, 0.0F);
      m_labels[static_cast<std::size_t>(slot)] = -1;
    }
  }
  return {m_images, m_labels};
}

void BatchSource::readImage(std::int64_t slot, Split split, std::int64_t index) {
  const auto size = static_cast<std::size_t>(m_options.imageElements);
  const auto at = static_cast<std::size_t>(slot);
  m_labels[at] = m_data.read(split, index, std::span(m_images).subspan(at * size, size));
}

}  // namespace peakscope::engine
