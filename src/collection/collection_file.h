// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::collection {

// Options of commands in a file, by table, then by option.  A list has several values; `true` stands for a
// flag. The table of a subcommand has both names: "sieve.bench".
struct OptionValue {
  std::vector<std::string> values;
  uint32_t line = 0;
};
struct OptionTable {
  std::map<std::string, OptionValue> options;
  uint32_t line = 0;
};
using OptionTables = std::map<std::string, OptionTable>;

// A file that has only options.  It gives the same errors as CollectionFile.
Result<OptionTables> ReadOptionFile(const std::string& path);

// crivello.toml: the settings of a collection, and the default options of commands.
//
//   [collection]
//   version = 1            # of the collection's layout
//   sieve = "mercator"
//
//   [crawl]                # options of `crivello crawl`, as on the command line, without the dashes
//   contact = "mailto:me@example.org"
//   delay = "10s"
struct CollectionFile {
  static constexpr int kVersion = 1;

  int version = kVersion;
  std::string sieve = "mercator";
  OptionTables options;

  // InvalidArgument, with line and column, if the file is not TOML or not such a file; Unavailable if a newer
  // program created the collection.
  static Result<CollectionFile> Parse(const std::string& path, std::string_view text);
  // NotFound if there is none.
  static Result<CollectionFile> Read(const std::string& collection);
};

// A basic string of TOML.
std::string TomlString(std::string_view value);

// The text of the file for a new collection.
std::string NewCollectionFile(std::string_view sieve);

// The text with an option added to a command's table.  Comments and everything else stay unchanged.
std::string WithOption(std::string_view text, std::string_view command, std::string_view option,
                       std::string_view value);

inline constexpr std::string_view kCollectionFileName = "crivello.toml";

}  // namespace crivello::collection
