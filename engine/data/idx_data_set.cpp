// SPDX-License-Identifier: Apache-2.0
//
// The four files of MNIST and Fashion-MNIST as a data set. Pixels stay bytes until a batch is read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/data/data_set.h"
#include "engine/data/idx_file.h"

namespace peakscope::engine {
namespace {

struct Images {
  std::int64_t count = 0, rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;
};

/// Mean and deviation of all pixels.
std::pair<float, float> statistics(const std::vector<std::uint8_t>& pixels) {
  std::uint64_t sum = 0, squares = 0;
  for (const std::uint64_t value : pixels) {
    sum += value;
    squares += value * value;
  }
  const double count = std::max<double>(1, static_cast<double>(pixels.size()));
  const double mean = static_cast<double>(sum) / count;
  const double variance = static_cast<double>(squares) / count - mean * mean;
  return {static_cast<float>(mean), static_cast<float>(variance > 0 ? std::sqrt(variance) : 1.0)};
}

class IdxDataSet final : public DataSet {
 public:
  IdxDataSet(Images train, Images test, Shape image, std::string description)
      : m_train(std::move(train)), m_test(std::move(test)), m_image(image), m_description(std::move(description)) {
    std::tie(m_mean, m_deviation) = statistics(m_train.pixels);
  }

  std::string description() const override { return m_description; }
  std::int64_t size(Split split) const override { return of(split).count; }

  std::int32_t read(Split split, std::int64_t index, std::span<float> image) const override {
    const Images& images = of(split);
    const auto at = static_cast<std::size_t>(index);
    const std::size_t pixelCount = static_cast<std::size_t>(images.rows * images.columns);
    const std::uint8_t* from = images.pixels.data() + at * pixelCount;
    // A frame of background (pixel 0) around images smaller than the network's input.
    std::ranges::fill(image, -m_mean / m_deviation);
    const std::int64_t top = (m_image.h - images.rows) / 2, left = (m_image.w - images.columns) / 2;
    for (std::int64_t row = 0; row < images.rows; ++row) {
      float* to = image.data() + (row + top) * m_image.w + left;
      for (std::int64_t column = 0; column < images.columns; ++column)
        to[column] = (static_cast<float>(*from++) - m_mean) / m_deviation;
    }
    return images.labels[at];
  }

 private:
  const Images& of(Split split) const { return split == Split::Train ? m_train : m_test; }

  Images m_train, m_test;
  Shape m_image;
  std::string m_description;
  float m_mean = 0, m_deviation = 1;
};

std::filesystem::path plainOrPacked(const std::filesystem::path& directory, const std::string& name) {
  auto packed = directory / (name + ".gz");
  std::error_code ignored;
  return std::filesystem::exists(packed, ignored) ? packed : directory / name;
}

Result<Images> readPair(const std::filesystem::path& directory, const std::string& prefix, std::int64_t classes) {
  const auto imagesPath = plainOrPacked(directory, prefix + "-images-idx3-ubyte");
  const auto labelsPath = plainOrPacked(directory, prefix + "-labels-idx1-ubyte");
  auto images = readIdxFile(imagesPath);
  if (!images) return fail(images.error());
  auto labels = readIdxFile(labelsPath);
  if (!labels) return fail(labels.error());
  if (images->sizes.size() != 3)
    return badInput(fmt::format("{}: has {} dimensions, images need 3 (count, rows, columns); is it the right file?", imagesPath.string(), images->sizes.size()));
  if (labels->sizes.size() != 1)
    return badInput(fmt::format("{}: has {} dimensions, labels need 1; is it the right file?", labelsPath.string(), labels->sizes.size()));
  if (images->sizes[0] != labels->sizes[0])
    return badInput(fmt::format("{}: {} labels for {} images; take both files from the same data set", labelsPath.string(), labels->sizes[0], images->sizes[0]));
  if (images->sizes[1] == 0 || images->sizes[2] == 0) return badInput(fmt::format("{}: holds images of {}x{} pixels; download the file again", imagesPath.string(), images->sizes[1], images->sizes[2]));
  if (images->sizes[0] == 0) return badInput(fmt::format("{}: holds no images; download the file again", imagesPath.string()));
  const auto wrong = std::ranges::find_if(labels->values, [&](std::uint8_t label) { return label >= classes; });
  if (wrong != labels->values.end())
    return badInput(fmt::format("{}: label {} of image {} is outside 0 to {}; the network needs as many outputs as the data have classes", labelsPath.string(),
                                int{*wrong}, wrong - labels->values.begin(), classes - 1));
  return Images{images->sizes[0], images->sizes[1], images->sizes[2], std::move(images->values), std::move(labels->values)};
}

/// "60,000"
std::string grouped(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

}  // namespace

Result<std::unique_ptr<DataSet>> openIdxDirectory(const std::filesystem::path& directory, const DataRequest& request) {
  auto train = readPair(directory, "train", request.classes);
  if (!train) return fail(train.error());
  auto test = readPair(directory, "t10k", request.classes);
  if (!test) return fail(test.error());
  const Shape& image = request.image;
  for (const Images* images : {&*train, &*test})
    if (image.c != 1 || image.h < images->rows || image.w < images->columns)
      return badInput(fmt::format("{}: images are 1x{}x{}, the network takes {}x{}x{}; choose an --input at least as large, with one channel",
                                  directory.string(), images->rows, images->columns, image.c, image.h, image.w));
  std::string description = fmt::format("{}, {} images", request.directory.empty() && request.name == "fashion-mnist" ? "Fashion-MNIST" : "IDX files of " + directory.string(), grouped(train->count));
  return std::make_unique<IdxDataSet>(std::move(*train), std::move(*test), image, std::move(description));
}

Result<std::unique_ptr<DataSet>> openDataSet(const DataRequest& request) {
  if (request.directory == "synthetic") return makeSyntheticData(request);
  if (!request.directory.empty()) return openIdxDirectory(request.directory, request);
  if (request.name.empty()) return makeSyntheticData(request);
  if (request.name != "fashion-mnist")
    return badInput(fmt::format("data set '{}' is not known (known: fashion-mnist); name a directory of IDX files with --data", request.name));
  std::error_code ignored;
  for (const std::filesystem::path& directory : {std::filesystem::path(debianFashionMnist), request.samples})
    if (std::filesystem::exists(plainOrPacked(directory, "train-images-idx3-ubyte"), ignored)) return openIdxDirectory(directory, request);
  return makeSyntheticData(request);
}

}  // namespace peakscope::engine
