// SPDX-License-Identifier: Apache-2.0
//
// DataSet: labelled images, read one at a time into a batch. Normalised to mean 0, deviation 1 over the training images.
//
//   auto data = openDataSet(request);                          // directory, bundled subset, or synthetic
//   data->read(Split::Train, order[i], image);                 // -> label
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/shape.h"
#include "memory/result.h"

namespace peakscope::engine {

enum class Split : std::uint8_t { Train, Test };

class DataSet {
 public:
  virtual ~DataSet() = default;
  [[nodiscard]] virtual std::string description() const = 0;    ///< "Fashion-MNIST, 60,000 images"
  [[nodiscard]] virtual std::int64_t size(Split split) const = 0;
  /// Writes one image (C x H x W of the network) and returns its class.
  virtual std::int32_t read(Split split, std::int64_t index, std::span<float> image) const = 0;
};

struct DataRequest {
  std::string name;                      ///< of the network's data set: "fashion-mnist", or empty: synthetic
  std::filesystem::path directory;       ///< asked for by the user; "synthetic" (a folder of that name is ./synthetic); empty: looks in the places below
  std::filesystem::path samples;         ///< samples/data of the program
  Shape image{1, 1, 28, 28};             ///< what the network takes; a data set with smaller images is framed with zeros
  std::int64_t classes = 10;
  std::uint64_t seed = 1;                ///< of synthetic images
};
/// Where Debian's package dataset-fashion-mnist puts its files.
inline constexpr const char* debianFashionMnist = "/usr/share/datasets/fashion-mnist";

/// The directory if one is given, else Debian's, else the bundled subset; synthetic for a network without a data set.
[[nodiscard]] Result<std::unique_ptr<DataSet>> openDataSet(const DataRequest& request);

/// Four IDX files, plain or gzip'ed, with the names of MNIST.
[[nodiscard]] Result<std::unique_ptr<DataSet>> openIdxDirectory(const std::filesystem::path& directory, const DataRequest& request);
/// Any shape, the same for the same seed: a pattern per class plus noise, so that a network can learn the labels.
[[nodiscard]] std::unique_ptr<DataSet> makeSyntheticData(const DataRequest& request);

/// The order in which an epoch (1-based) reads the training images; the same for the same seed.
[[nodiscard]] std::vector<std::int64_t> epochOrder(std::int64_t images, std::int32_t epoch, std::uint64_t seed);

}  // namespace peakscope::engine
