// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/description.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "engine/known_files.h"

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

Result<int> Inspect(const Session& session, const std::string& path) {
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
  command->add_option("FILE", *path, "File, or folder of a segment")->required();
  command->footer(
      "Examples:\n"
      "  crivello inspect numbers.ef\n"
      "  crivello inspect collection/tablets/t-/index/manifest\n"
      "  crivello --json inspect numbers.ef");
  Runs(*command, session, [&session, path] { return Inspect(session, *path); });
}

}  // namespace crivello::cli
