// SPDX-License-Identifier: Apache-2.0
//
// nets, policies, devices: what they list is what the other commands take.
#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

class ListTest : public QObject {
  Q_OBJECT
 private slots:
  void everyNetListedCanBePlanned() {
    const nlohmann::json list = listed("nets");
    QVERIFY(list["nets"].size() >= 15);
    for (const auto& net : list["nets"]) {
      for (const char* field : {"name", "layers", "input", "batch", "data"}) QVERIFY2(net.contains(field), field);
      const nlohmann::json plan = runCli({"plan", text(net["name"]), "--json", "--batch", "1"}).json();
      QVERIFY2(plan.is_object(), text(net["name"]).toUtf8().constData());
      QCOMPARE(text(plan["net"]), text(net["name"]));
    }
  }

  void everyPolicyListedCanBeChosen() {
    const nlohmann::json list = listed("policies");
    QVERIFY(list["policies"].size() >= 3);
    for (const auto& policy : list["policies"]) {
      QVERIFY(!text(policy["description"]).isEmpty());
      const nlohmann::json plan = runCli({"plan", "lenet", "--json", "--policy", text(policy["name"])}).json();
      QVERIFY2(plan.is_object(), text(policy["name"]).toUtf8().constData());
      QCOMPARE(text(plan["policy"]), text(policy["name"]));
    }
  }

  void everyDeviceListedCanBePlannedFor() {
    const nlohmann::json list = listed("devices");
    QVERIFY(list["devices"].size() >= 5);
    for (const auto& device : list["devices"]) {
      for (const char* field : {"flops_per_second", "memory_bytes_per_second", "link_bytes_per_second", "launch_ns", "source"}) QVERIFY2(device.contains(field), field);
      QVERIFY(device["memory_bytes"].get<std::int64_t>() > 0);
      const nlohmann::json plan = runCli({"plan", "lenet", "--json", "--device", text(device["id"])}).json();
      QVERIFY2(plan.is_object(), text(device["id"]).toUtf8().constData());
      QCOMPARE(text(plan["device"]), text(device["name"]));
    }
  }

  void theTablesForPeopleHoldTheSameNames() {
    for (const auto& [command, key] : {std::pair{"nets", "name"}, {"policies", "name"}, {"devices", "id"}}) {
      const CliResult table = runCli({command});
      QCOMPARE(table.exitCode, 0);
      for (const auto& row : listed(command)[command]) QVERIFY2(table.out.contains(text(row[key]).toUtf8()), command);
    }
  }

 private:
  static QString text(const nlohmann::json& value) { return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString(); }
  static nlohmann::json listed(const char* command) {
    const CliResult result = runCli({command, "--json"});
    const nlohmann::json json = result.json();
    return result.exitCode == 0 && result.err.isEmpty() && json.is_object() && json["schema"] == 1 ? json : nlohmann::json{{command, nlohmann::json::array()}};
  }
};

PEAKSCOPE_TEST(ListTest)
#include "list_test.moc"
