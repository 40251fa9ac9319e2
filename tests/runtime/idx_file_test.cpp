// SPDX-License-Identifier: Apache-2.0
//
// IDX files from anywhere: what is wrong with one is said in a line that names the file, the need and the remedy.
#include <QTemporaryDir>
#include <fstream>
#include <numeric>

#include "engine/data/data_set.h"
#include "engine/data/idx_file.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

namespace {

using Raw = std::vector<std::uint8_t>;

Raw idx(std::vector<std::uint32_t> sizes, const Raw& values) {
  Raw bytes{0, 0, 8, static_cast<std::uint8_t>(sizes.size())};
  for (const std::uint32_t size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(size >> shift));
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

void write(const std::filesystem::path& path, const Raw& bytes) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Two training images and one test image of 2x2, labels 0, 1 and 1, unless a test replaces a file.
struct Directory {
  QTemporaryDir temporary;
  std::filesystem::path path{temporary.path().toStdString()};
  Directory() {
    write(path / "train-images-idx3-ubyte", idx({2, 2, 2}, {0, 0, 0, 0, 200, 200, 200, 200}));
    write(path / "train-labels-idx1-ubyte", idx({2}, {0, 1}));
    write(path / "t10k-images-idx3-ubyte", idx({1, 2, 2}, {0, 100, 200, 0}));
    write(path / "t10k-labels-idx1-ubyte", idx({1}, {1}));
  }
  Result<std::unique_ptr<DataSet>> open(Shape image = {1, 1, 2, 2}) const { return openIdxDirectory(path, {.name = "", .image = image, .classes = 10}); }
};

bool mentions(const QString& message, const QStringList& words) {
  return std::all_of(words.begin(), words.end(), [&](const QString& word) { return message.contains(word); });
}

}  // namespace

class IdxFileTest : public QObject {
  Q_OBJECT
 private slots:
  void imagesAreReadWithMeanZeroAndDeviationOne() {
    const Directory directory;
    const auto data = directory.open();
    QVERIFY(data.has_value());
    std::vector<float> image(4);
    QCOMPARE((*data)->read(Split::Train, 0, image), 0);
    QCOMPARE(image, (std::vector<float>{-1, -1, -1, -1}));
    QCOMPARE((*data)->read(Split::Test, 0, image), 1);
    QCOMPARE(image, (std::vector<float>{-1, 0, 1, -1}));
  }

  void aSmallImageIsFramedWithBackground() {
    const Directory directory;
    const auto data = directory.open({1, 1, 4, 4});
    QVERIFY(data.has_value());
    std::vector<float> image(16);
    (*data)->read(Split::Train, 1, image);
    QCOMPARE(image, (std::vector<float>{-1, -1, -1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, -1, -1, -1}));
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const char* file, const Raw& bytes, const QStringList& words) {
      QTest::newRow(name) << QString(file) << QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())) << words;
    };
    row("empty", "train-images-idx3-ubyte", {}, {"train-images", "0 bytes", "download"});
    row("wrong magic", "train-images-idx3-ubyte", {'P', 'N', 'G', 3, 0, 0}, {"train-images", "00 00 08", "right file"});
    row("cut header", "train-images-idx3-ubyte", {0, 0, 8, 3, 0, 0}, {"train-images", "header", "16"});
    row("cut values", "train-images-idx3-ubyte", idx({2, 2, 2}, {1, 2, 3}), {"train-images", "holds 3 values", "download"});
    row("sizes that overflow", "train-images-idx3-ubyte", idx({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {1}), {"train-images", "says more"});
    row("label out of range", "train-labels-idx1-ubyte", idx({2}, {0, 10}), {"train-labels", "label 10 of image 1", "0 to 9"});
    row("counts differ", "t10k-labels-idx1-ubyte", idx({2}, {0, 1}), {"t10k-labels", "2 labels for 1 images"});
    row("labels where images belong", "t10k-images-idx3-ubyte", idx({1}, {0}), {"t10k-images", "1 dimensions", "3"});
  }
  void whatIsWrongIsNamed() {
    QFETCH(QString, file);
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, words);
    const Directory directory;
    write(directory.path / file.toStdString(), Raw(bytes.begin(), bytes.end()));
    const auto data = directory.open();
    QVERIFY(!data.has_value());
    const QString message = QString::fromStdString(data.error().message);
    QVERIFY2(mentions(message, words) && !message.contains('\n'), qPrintable(message));
    QCOMPARE(data.error().kind, ErrorKind::BadInput);
  }

  void aMissingDirectoryNamesThePackage() {
    const auto data = openDataSet({.name = "fashion-mnist", .directory = "/nowhere"});
    QVERIFY(!data.has_value());
    QVERIFY(mentions(QString::fromStdString(data.error().message), {"/nowhere", "dataset-fashion-mnist", "--data"}));
  }

  void aCutGzipFileIsNoticed() {
    const std::filesystem::path bundled = std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "samples/data";
    std::ifstream in(bundled / "t10k-images-idx3-ubyte.gz", std::ios::binary);
    Raw bytes{std::istreambuf_iterator<char>(in), {}};
    bytes.resize(bytes.size() / 2);
    const Directory directory;
    write(directory.path / "t10k-images-idx3-ubyte.gz", bytes);
    const auto data = directory.open();
    QVERIFY(!data.has_value());
    QVERIFY2(mentions(QString::fromStdString(data.error().message), {"t10k-images-idx3-ubyte.gz", "unpacked", "download"}), data.error().message.c_str());
  }

  void theBundledSubsetHoldsTwoThousandImagesOfTenClasses() {
    const auto data = openIdxDirectory(std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "samples/data", {.name = "fashion-mnist"});
    QVERIFY2(data.has_value(), data ? "" : data.error().message.c_str());
    QCOMPARE((*data)->size(Split::Train), 1600);
    QCOMPARE((*data)->size(Split::Test), 400);
    QCOMPARE((*data)->description(), std::string("Fashion-MNIST, 1,600 images"));
    std::vector<int> perClass(10);
    std::vector<float> image(784);
    for (int i = 0; i < 1600; ++i) ++perClass[static_cast<std::size_t>((*data)->read(Split::Train, i, image))];
    QCOMPARE(perClass, std::vector<int>(10, 160));
  }

  void syntheticImagesAreTheSameForTheSameSeedAndHaveMeanZero() {
    const DataRequest request{.name = "", .image = {1, 3, 20, 17}, .classes = 7, .seed = 5};
    std::vector<float> first(1020), second(1020);
    double sum = 0, squares = 0;
    for (int i = 0; i < 200; ++i) {
      QCOMPARE(makeSyntheticData(request)->read(Split::Train, i, first), i % 7);
      makeSyntheticData(request)->read(Split::Train, i, second);
      QCOMPARE(first, second);
      for (const float value : first) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
      }
    }
    QVERIFY(std::abs(sum / 204000) < 0.1);
    QVERIFY(std::abs(squares / 204000 - 1) < 0.1);
  }

  void eachEpochReadsEveryImageOnceInAnOrderOfItsOwn() {
    auto first = epochOrder(1000, 1, 7);
    QCOMPARE(first, epochOrder(1000, 1, 7));
    QVERIFY(first != epochOrder(1000, 2, 7));
    QVERIFY(first != epochOrder(1000, 1, 8));
    std::sort(first.begin(), first.end());
    std::vector<std::int64_t> all(1000);
    std::iota(all.begin(), all.end(), 0);
    QCOMPARE(first, all);
  }
};
PEAKSCOPE_TEST(IdxFileTest)
#include "idx_file_test.moc"
