// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection_file.h"

namespace CLI {
class Option;
}

namespace crivello::cli {

// The table of a file that has a command's options: "crawl", "sieve.bench"; "crivello" for the program's own.
std::string TableOf(const CLI::App& command);
// What it takes options from, the first one that has it: a command that does the work of others takes theirs.
std::vector<std::string> TablesFor(const std::string& table);
// The environment variable of an option: CRIVELLO_CRAWL_MAX_PAGES; CRIVELLO_COLLECTION for the program's own.
std::string VariableOf(const std::string& table, const std::string& option);
// Whether an option may stand in a file: --help and --version may not, nor may positional ones.
bool IsConfigurable(const CLI::Option& option);

// Gives options what the environment and the files have for them (docs/configuration.md).  What is given on
// the command line wins over the environment, that over the file of --config, that over the collection's
// crivello.toml.
//
// Each name in them must be one that the program has, also those of commands that do not run: InvalidArgument
// names the place, and what may have been meant.
class Config {
 public:
  // Reads, and sees to the program's own options.  `app` has parsed the command line; both outlive it.
  static Result<Config> Load(CLI::App& app, Session& session);
  // Sees to the options of a command.
  Status ApplyTo(CLI::App& command);
  // Where the value of an option comes from: "flag", "environment: CRIVELLO_…", "FILE:LINE", "default".
  std::string OriginOf(const CLI::Option& option) const;

 private:
  struct File {
    std::string path;
    collection::OptionTables tables;
  };
  struct Setting {
    std::vector<std::string> values;
    std::string origin;
  };

  explicit Config(Session& session) : session_(session) {}
  Status ReadEnvironment(CLI::App& app);
  Status Add(std::string path, collection::OptionTables tables, CLI::App& app);
  // A table of one host, for the session; the first file that has an option wins.
  Status AddHost(const std::string& path, const std::string& name, const collection::OptionTable& table);
  std::optional<Setting> Find(const CLI::Option& option, const std::vector<std::string>& tables) const;

  Session& session_;
  std::map<std::string, std::string> environment_;
  std::vector<File> files_;  // the first one that has an option wins
  std::map<const CLI::Option*, std::string> origins_;
};

}  // namespace crivello::cli
