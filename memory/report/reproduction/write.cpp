// SPDX-License-Identifier: Apache-2.0
#include "memory/report/reproduction/write.h"

#include "memory/report/reproduction/page.h"
#include "memory/report/reproduction/tables.h"
#include "memory/report/write_report.h"

namespace peakscope::report {

Result<std::vector<std::string>> writeReproduction(const std::filesystem::path& folder, const Reproduction& found) {
  if (auto made = ensureFolder(folder); !made) return fail(made.error());
  std::vector<std::string> names{"index.html"};
  if (auto done = writeFile(folder / names.front(), std::string_view{reproductionPage(found)}); !done) return fail(done.error());
  for (const CsvFile& table : reproductionTables(found)) {
    if (auto done = writeFile(folder / table.name, std::string_view{table.text}); !done) return fail(done.error());
    names.push_back(table.name);
  }
  return names;
}

}  // namespace peakscope::report
