// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <fmt/format.h>

#include "cli/app.h"
#include "crawl/collection_file.h"

namespace crivello::cli {

Status ApplyCollectionFile(CLI::App& app, const Session& session) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return Status::Ok();
  CLI::App& command = *chosen.front();
  const auto file = crawl::CollectionFile::Read(session.collection);
  if (file.status().code() == StatusCode::kNotFound) return Status::Ok();
  CRV_TRY(file.status());
  const auto table = file->options.find(command.get_name());
  if (table == file->options.end()) return Status::Ok();
  for (const auto& [name, values] : table->second) {
    CLI::Option* option = command.get_option_no_throw("--" + name);
    if (option == nullptr) {
      return Status::InvalidArgument(fmt::format("{}/{}: [{}] has no option '{}'", session.collection,
                                                 crawl::kCollectionFileName, command.get_name(), name));
    }
    if (option->count() > 0) continue;
    try {
      for (const std::string& value : values) option->add_result(value);
      option->run_callback();
    } catch (const CLI::Error& error) {
      return Status::InvalidArgument(
          fmt::format("{}/{}: {}", session.collection, crawl::kCollectionFileName, error.what()));
    }
  }
  return Status::Ok();
}

}  // namespace crivello::cli
