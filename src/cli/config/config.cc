// SPDX-License-Identifier: Apache-2.0
#include "cli/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "cli/app.h"
#include "cli/config/option_tree.h"
#include "search/suggest/nearest_name.h"

namespace crivello::cli {
namespace {

constexpr std::string_view kOwnTable = "crivello";
// Environment variables used by the project's tests and benchmarks.
constexpr std::array<std::string_view, 13> kVariablesOfTests = {"CRIVELLO_CONFORMANCE_FAILURES",
                                                                "CRIVELLO_EXTRACTION_DUMP",
                                                                "CRIVELLO_FENCE_FAULTS",
                                                                "CRIVELLO_FENCE_WRITES",
                                                                "CRIVELLO_KILLS",
                                                                "CRIVELLO_PAGES",
                                                                "CRIVELLO_PROGRAM",
                                                                "CRIVELLO_SEEDS",
                                                                "CRIVELLO_SEGMENT",
                                                                "CRIVELLO_SHARED",
                                                                "CRIVELLO_TESTS",
                                                                "CRIVELLO_URLS",
                                                                "CRIVELLO_WEBBOX"};

// Options that decide whom the program trusts, what it opens to others and which files it writes.  A
// collection may come from someone else (a download, a restored backup), so its own file cannot set them.
constexpr std::array<std::string_view, 17> kOptionsOfTrust = {
    "access-log", "allow-private", "any-certificate", "authorities", "cors", "dns",
    "hosts-file", "keys",          "listen",          "log",         "name", "proxy",
    "public-url", "sign-agent",    "sign-key",        "svg",         "trec"};

constexpr std::string_view kHostTable = "host";
constexpr std::string_view kHostPrefix = "host.";
constexpr std::array<std::string_view, 4> kHostOptions = {"delay", "headers", "password-file", "user"};

Status CheckTrust(const std::string& path, const collection::OptionTables& tables) {
  for (const auto& [name, table] : tables) {
    for (const auto& [option, value] : table.options) {
      // Only the operator may decide what is sent to a host, and it may be a password.
      if (name.starts_with(kHostPrefix) && option != "delay") {
        return Status::InvalidArgument(
            fmt::format("{}:{}: a collection's own file cannot set '{}' of a host; write it to a file of "
                        "your own and name "
                        "that with --config",
                        path, value.line, option));
      }
      if (std::find(kOptionsOfTrust.begin(), kOptionsOfTrust.end(), option) == kOptionsOfTrust.end())
        continue;
      return Status::InvalidArgument(
          fmt::format("{}:{}: a collection's own file cannot set '{}'; give --{} on the command line, set "
                      "{}, or write it "
                      "to a file of your own and name that with --config",
                      path, value.line, option, option, VariableOf(name, option)));
    }
  }
  return Status::Ok();
}

std::string LongName(const CLI::Option& option) {
  return option.get_lnames().empty() ? "" : option.get_lnames().front();
}

// For a list, each line is a value.
std::vector<std::string> Values(const CLI::Option& option, const std::string& text) {
  return option.get_expected_max() > 1 ? CLI::detail::split(text, '\n') : std::vector<std::string>{text};
}

// The command of a table; null if there is none.
CLI::App* CommandOf(CLI::App& app, const std::string& table) {
  CLI::App* found = nullptr;
  ForEachCommand(app, [&](CLI::App& command) {
    if (TableOf(command) == table) found = &command;
  });
  return found;
}

// The names that a table may contain.
std::vector<std::string> OptionNames(CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : OptionsOf(command)) {
    // A configuration file cannot name another one.
    const bool names_a_file = command.get_parent() == nullptr && LongName(*option) == "config";
    if (IsConfigurable(*option) && !names_a_file) names.push_back(LongName(*option));
  }
  return names;
}

}  // namespace

std::string TableOf(const CLI::App& command) {
  if (command.get_parent() == nullptr) return std::string(kOwnTable);
  const std::string above = TableOf(*command.get_parent());
  return above == kOwnTable ? command.get_name() : above + "." + command.get_name();
}

std::vector<std::string> TablesFor(const std::string& table) {
  if (table == "up") return {"up", "crawl", "serve"};
  if (table == "agent") return {"agent", "crawl"};
  return {table};
}

std::string VariableOf(const std::string& table, const std::string& option) {
  std::string name = table == kOwnTable ? "CRIVELLO_" + option : "CRIVELLO_" + table + "_" + option;
  for (char& c : name) {
    if (c == '.' || c == '-') c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

bool IsConfigurable(const CLI::Option& option) {
  const std::string name = LongName(option);
  return !name.empty() && name != "help" && name != "version";
}

Result<Config> Config::Load(CLI::App& app, Session& session) {
  Config config(session);
  CRV_TRY(config.ReadEnvironment(app));
  CRV_TRY(config.ApplyTo(app));
  if (!session.config.empty()) {
    CRV_ASSIGN(auto tables, collection::ReadOptionFile(session.config));
    CRV_TRY(config.Add(session.config, std::move(tables), app));
    CRV_TRY(config.ApplyTo(app));
  }
  // One of its options, such as --shared, may name the collection.
  CRV_TRY(config.ApplyTo(ChosenCommand(app)));
  auto own = collection::CollectionFile::Read(session.collection);
  if (own.status().code() != StatusCode::kNotFound) {
    CRV_TRY(own.status());
    const std::string path = fmt::format("{}/{}", session.collection, collection::kCollectionFileName);
    if (const auto table = own->options.find(std::string(kOwnTable)); table != own->options.end()) {
      if (const auto option = table->second.options.find("collection");
          option != table->second.options.end()) {
        return Status::InvalidArgument(
            fmt::format("{}:{}: a collection's own file cannot name another configuration file; use --config "
                        "on the command line",
                        path, option->second.line));
      }
    }
    CRV_TRY(CheckTrust(path, own->options));
    CRV_TRY(config.Add(path, std::move(own->options), app));
    CRV_TRY(config.ApplyTo(app));
  }
  return config;
}

Status Config::ReadEnvironment(CLI::App& app) {
  std::vector<std::string> known;
  ForEachCommand(app, [&](CLI::App& command) {
    for (const CLI::Option* option : OptionsOf(command)) {
      if (IsConfigurable(*option)) known.push_back(VariableOf(TableOf(command), LongName(*option)));
    }
  });
  const std::set<std::string_view> names(known.begin(), known.end());
  for (const std::string& entry : session_.environment) {
    const size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    if (names.contains(name)) {
      environment_[name] = entry.substr(equals + 1);
    } else if (std::find(kVariablesOfTests.begin(), kVariablesOfTests.end(), name) ==
               kVariablesOfTests.end()) {
      return Status::InvalidArgument(
          fmt::format("unknown environment variable {}: it does not name an option{}", name,
                      search::DidYouMean(name, known)));
    }
  }
  return Status::Ok();
}

Status Config::Add(std::string path, collection::OptionTables tables, CLI::App& app) {
  for (const auto& [name, table] : tables) {
    if (name == kHostTable || name.starts_with(kHostPrefix)) {
      CRV_TRY(AddHost(path, name, table));
      continue;
    }
    CLI::App* command = CommandOf(app, name);
    if (command == nullptr) {
      std::vector<std::string> known;
      ForEachCommand(app, [&](CLI::App& one) { known.push_back(TableOf(one)); });
      return Status::InvalidArgument(fmt::format("{}:{}: unknown command '{}'{}", path, table.line, name,
                                                 search::DidYouMean(name, known)));
    }
    const std::vector<std::string> known = OptionNames(*command);
    for (const auto& [option, value] : table.options) {
      if (std::find(known.begin(), known.end(), option) == known.end()) {
        return Status::InvalidArgument(fmt::format("{}:{}: unknown option '{}' in [{}]{}", path, value.line,
                                                   option, name, search::DidYouMean(option, known)));
      }
    }
  }
  files_.push_back({std::move(path), std::move(tables)});
  return Status::Ok();
}

Status Config::AddHost(const std::string& path, const std::string& name,
                       const collection::OptionTable& table) {
  if (name == kHostTable) {
    if (table.options.empty()) return Status::Ok();
    return Status::InvalidArgument(
        fmt::format("{}:{}: a table of a host has its name, as in [host.\"example.org\"]", path, table.line));
  }
  const std::vector<std::string> known(kHostOptions.begin(), kHostOptions.end());
  auto& host = session_.hosts[name.substr(kHostPrefix.size())];
  for (const auto& [option, value] : table.options) {
    if (std::find(known.begin(), known.end(), option) == known.end()) {
      return Status::InvalidArgument(fmt::format("{}:{}: unknown option '{}' of a host{}", path, value.line,
                                                 option, search::DidYouMean(option, known)));
    }
    host.try_emplace(option, HostOption{value.values, fmt::format("{}:{}", path, value.line)});
  }
  return Status::Ok();
}

std::optional<Config::Setting> Config::Find(const CLI::Option& option,
                                            const std::vector<std::string>& tables) const {
  const std::string name = LongName(option);
  for (const std::string& table : tables) {
    const std::string variable = VariableOf(table, name);
    const auto at = environment_.find(variable);
    if (at == environment_.end() || at->second.empty()) continue;
    return Setting{Values(option, at->second), "environment: " + variable};
  }
  for (const File& file : files_) {
    for (const std::string& table : tables) {
      const auto in_file = file.tables.find(table);
      if (in_file == file.tables.end()) continue;
      const auto at = in_file->second.options.find(name);
      if (at == in_file->second.options.end()) continue;
      return Setting{at->second.values, fmt::format("{}:{}", file.path, at->second.line)};
    }
  }
  return std::nullopt;
}

Status Config::ApplyTo(CLI::App& command) {
  const std::string table = TableOf(command);
  const std::vector<std::string> tables = TablesFor(table);
  for (CLI::Option* option : OptionsOf(command)) {
    if (!IsConfigurable(*option) || option->count() > 0) continue;
    const std::optional<Setting> setting = Find(*option, tables);
    if (!setting) continue;
    try {
      for (const std::string& value : setting->values) option->add_result(value);
      if (option->count() > 0) option->run_callback();
    } catch (const CLI::Error& error) {
      return Status::InvalidArgument(fmt::format("{}: {}", setting->origin, error.what()));
    }
    origins_[option] = setting->origin;
  }
  return Status::Ok();
}

std::string Config::OriginOf(const CLI::Option& option) const {
  if (const auto at = origins_.find(&option); at != origins_.end()) return at->second;
  return option.count() > 0 ? "flag" : "default";
}

}  // namespace crivello::cli
