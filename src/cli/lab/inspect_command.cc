// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/description.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"
#include "engine/known_files.h"
#include "kv/levels.h"

namespace crivello::cli {
namespace {

Json ToJson(const Description& description) {
  Json object;
  for (const Field& field : description) {
    std::visit([&](const auto& value) { object[field.name] = value; }, field.value);
  }
  return object;
}

std::string ToText(const Field& field) {
  if (const auto* number = std::get_if<uint64_t>(&field.value)) return Grouped(*number);
  if (const auto* number = std::get_if<double>(&field.value)) return fmt::format("{:.4g}", *number);
  return Printable(std::get<std::string>(field.value));
}

// A log-structured merge tree, level by level.
Result<int> InspectDatabase(const Session& session, const std::string& path) {
  CRV_ASSIGN(const std::vector<kv::LevelStats> levels, kv::DescribeLevels(path));
  Table table({{"family"},
               {"level"},
               {"files", true},
               {"size", true},
               {"entries", true},
               {"tombstones", true},
               {"filter bits/key", true},
               {"index", true}});
  for (const kv::LevelStats& level : levels) {
    const bool in_memory = level.level == kv::LevelStats::kMemory;
    const double filter =
        level.entries > 0 ? 8 * static_cast<double>(level.filter_bytes) / static_cast<double>(level.entries)
                          : 0;
    const std::string name = in_memory ? "memory" : std::to_string(level.level);
    if (session.json) {
      PrintJson(session, {{"family", level.family},
                          {"level", name},
                          {"files", level.files},
                          {"bytes", level.bytes},
                          {"entries", level.entries},
                          {"tombstones", level.tombstones},
                          {"filter_bits_per_key", filter},
                          {"index_bytes", level.index_bytes}});
    } else {
      table.Row({level.family, name, std::to_string(level.files), FormatSize(level.bytes),
                 Grouped(level.entries), Grouped(level.tombstones),
                 in_memory ? "" : fmt::format("{:.1f}", filter),
                 in_memory ? "" : FormatSize(level.index_bytes)});
    }
  }
  if (!session.json) session.out->Print("{}", table.ToString());
  return kDone;
}

Result<int> Inspect(const Session& session, const std::string& path) {
  if (kv::IsDatabase(path)) return InspectDatabase(session, path);
  CRV_ASSIGN(const Description all, engine::DescribeFile(path));
  if (session.json) {
    PrintJson(session, ToJson(all));
    return kDone;
  }
  for (const Field& field : all) session.out->Print("{:<24} {}\n", field.name, ToText(field));
  return kDone;
}

}  // namespace

void AddInspectCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("inspect", "Verify a file that Crivello wrote, and describe its contents");
  auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "File, folder of a segment, or folder of a database")->required();
  command->footer(
      "Of a database it prints the log-structured merge tree of each family, level by level: the sorted "
      "table in\n"
      "memory first. Do not inspect a database while a process writes to it.\n"
      "\n"
      "Examples:\n"
      "  crivello inspect numbers.ef\n"
      "  crivello inspect collection/tablets/t-/db\n"
      "  crivello inspect collection/tablets/t-/index/manifest\n"
      "  crivello --json inspect numbers.ef");
  Runs(*command, session, [&session, path] { return Inspect(session, *path); });
}

}  // namespace crivello::cli
