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

// The table of a command in a configuration file: "crawl", "sieve.bench"; "crivello" for the program itself.
std::string TableOf(const CLI::App& command);
// The tables from which it takes options, in order of precedence: a command that includes others uses theirs.
std::vector<std::string> TablesFor(const std::string& table);
// The environment variable of an option: CRIVELLO_CRAWL_MAX_PAGES; CRIVELLO_COLLECTION for the program.
std::string VariableOf(const std::string& table, const std::string& option);
// Whether a file may set an option: not --help, --version or positional ones.
bool IsConfigurable(const CLI::Option& option);

// Sets options from the environment and the configuration files (docs/configuration.md).  The command line
// takes precedence over the environment, that over the file of --config, and that over the collection's
// crivello.toml.
//
// Every name in them must be an option of the program, even of commands that do not run; otherwise
// InvalidArgument names the place, and what may have been meant.
class Config {
 public:
  // Reads all files, and sets the program's own options.  `app` is parsed already; both must outlive it.
  static Result<Config> Load(CLI::App& app, Session& session);
  // Sets the options of a command.
  Status ApplyTo(CLI::App& command);
  // The source of an option's value: "flag", "environment: CRIVELLO_…", "FILE:LINE", "default".
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
  // Adds a table for one host to the session; the first file with an option takes precedence.
  Status AddHost(const std::string& path, const std::string& name, const collection::OptionTable& table);
  std::optional<Setting> Find(const CLI::Option& option, const std::vector<std::string>& tables) const;

  Session& session_;
  std::map<std::string, std::string> environment_;
  std::vector<File> files_;  // the first one with an option takes precedence
  std::map<const CLI::Option*, std::string> origins_;
};

}  // namespace crivello::cli
