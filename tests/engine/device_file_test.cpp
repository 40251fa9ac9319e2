// SPDX-License-Identifier: Apache-2.0
//
// Device files: those that come with the program, and what bad ones are told.
#include "engine/graph/device_file.h"
#include "tests/engine/sample_lowerings.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

class DeviceFileTest : public QObject {
  Q_OBJECT
 private slots:
  void everyBundledDeviceIsReadable() {
    const auto devices = listDevices(devicesDir);
    QVERIFY2(devices.has_value(), devices ? "" : devices.error().message.c_str());
    QStringList names;
    for (const auto& [name, device] : *devices) {
      names << QString::fromStdString(name);
      QVERIFY(device.memory > Bytes{});
      QVERIFY(!device.source.empty());
      QCOMPARE(readDevice(name, devicesDir).value(), device);
    }
    QCOMPARE(names, QStringList({"a100", "cpu", "h100", "h200", "k40c", "rtx-3060-12gb", "titan-xp", "v100"}));
  }

  void aDeviceFileSaysItsUnits() {
    const auto device = parseDevice(R"({"name": "X", "source": "me", "memoryMiB": 2, "hostMemoryMiB": 4, "teraflops": 1.5,
                                       "memoryGBps": 100, "linkGBps": 8, "launchNs": 5})", "x.json");
    QVERIFY(device.has_value());
    QCOMPARE(device->memory, Bytes{2 * 1048576});
    QCOMPARE(device->hostMemory, Bytes{4 * 1048576});
    QCOMPARE(device->alignment, Bytes{256});
    QCOMPARE(device->flopsPerSecond, 1.5e12);
    QCOMPARE(device->linkBytesPerSecond, 8e9);
  }

  void aBadDeviceIsRefusedWithItsKey_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const QString good = R"({"name": "X", "source": "me", "memoryMiB": 2, "hostMemoryMiB": 4, "teraflops": 1.5, "memoryGBps": 100, "linkGBps": 8, "launchNs": 5})";
    const auto changed = [&](const char* from, const char* to) { return QString(good).replace(from, to); };
    QTest::newRow("negative memory") << changed("\"memoryMiB\": 2", "\"memoryMiB\": -2") << "x.json:1: 'memoryMiB' is -2; it must be a whole number between 1 and 4294967296";
    QTest::newRow("no link") << changed("\"linkGBps\": 8, ", "") << "x.json:1: 'linkGBps' is missing";
    QTest::newRow("zero link") << changed("\"linkGBps\": 8", "\"linkGBps\": 0") << "x.json:1: 'linkGBps' is 0; it must be between 0.001 and 1000000000";
    QTest::newRow("alignment") << changed("\"launchNs\": 5", "\"launchNs\": 5, \"alignmentBytes\": 48") << "x.json:1: 'alignmentBytes' is 48; it must be a power of two";
    QTest::newRow("a list") << "[1]" << "x.json:1: is a list; it must be an object {...}";
  }
  void aBadDeviceIsRefusedWithItsKey() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto device = parseDevice(text.toStdString(), "x.json");
    QVERIFY(!device.has_value());
    QCOMPARE(QString::fromStdString(device.error().message), message);
  }

  void anUnknownDeviceListsTheKnownOnes() {
    const auto device = readDevice("k41", devicesDir);
    QVERIFY(!device.has_value());
    QVERIFY(QString::fromStdString(device.error().message).contains("known devices: a100, cpu"));
  }
};

PEAKSCOPE_TEST(DeviceFileTest)
#include "device_file_test.moc"
