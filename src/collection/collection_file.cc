// SPDX-License-Identifier: Apache-2.0
#include "collection/collection_file.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <optional>

#include "base/file_system.h"

namespace crivello::collection {
namespace {

// A value as on the command line; nothing if it cannot be one.
std::optional<std::string> AsArgument(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  if (const auto number = node.value_exact<int64_t>()) return std::to_string(*number);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  return std::nullopt;
}

Status Wrong(const std::string& path, const toml::source_region& where, std::string_view what) {
  return Status::InvalidArgument(
      fmt::format("{}, line {}, column {}: {}", path, where.begin.line, where.begin.column, what));
}

// The table and those within it.
Status ReadTable(const std::string& path, const std::string& name, const toml::table& table,
                 OptionTables* tables) {
  OptionTable& options = (*tables)[name];
  options.line = table.source().begin.line;
  for (const auto& [key, node] : table) {
    if (const toml::table* inner = node.as_table()) {
      CRV_TRY(ReadTable(path, fmt::format("{}.{}", name, key.str()), *inner, tables));
      continue;
    }
    OptionValue& option = options.options[std::string(key.str())];
    option.line = node.source().begin.line;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) {
        const auto value = AsArgument(item);
        if (!value) return Wrong(path, item.source(), "a list may hold texts, numbers and booleans");
        option.values.push_back(*value);
      }
    } else if (const auto value = AsArgument(node)) {
      option.values.push_back(*value);
    } else {
      return Wrong(path, node.source(), "an option is a text, a number, a boolean or a list of them");
    }
  }
  return Status::Ok();
}

Status ReadTables(const std::string& path, const toml::table& root, OptionTables* tables) {
  for (const auto& [key, node] : root) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return Wrong(path, node.source(), fmt::format("option '{}' is outside any [table]", key.str()));
    }
    CRV_TRY(ReadTable(path, std::string(key.str()), *table, tables));
  }
  return Status::Ok();
}

}  // namespace

Result<OptionTables> ReadOptionFile(const std::string& path) {
  CRV_ASSIGN(const std::string text, ReadFile(path));
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) return Wrong(path, parsed.error().source(), parsed.error().description());
  OptionTables tables;
  CRV_TRY(ReadTables(path, parsed.table(), &tables));
  return tables;
}

Result<CollectionFile> CollectionFile::Parse(const std::string& path, std::string_view text) {
  toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) return Wrong(path, parsed.error().source(), parsed.error().description());
  CollectionFile file;
  if (const toml::table* own = parsed.table()["collection"].as_table()) {
    file.version = static_cast<int>((*own)["version"].value_or(int64_t{kVersion}));
    file.sieve = (*own)["sieve"].value_or(file.sieve);
    // This program cannot judge what a newer one wrote there.
    for (const auto& [key, node] : *own) {
      if (file.version > kVersion || key == "version" || key == "sieve") continue;
      return Wrong(
          path, node.source(),
          fmt::format("unknown option '{}' in [collection]: expected 'version' or 'sieve'", key.str()));
    }
    parsed.table().erase("collection");
  }
  CRV_TRY(ReadTables(path, parsed.table(), &file.options));
  if (file.version > kVersion) {
    return Status::Unavailable(fmt::format(
        "{}: the collection has version {}, but this program reads version {}; use a newer program", path,
        file.version, kVersion));
  }
  return file;
}

Result<CollectionFile> CollectionFile::Read(const std::string& collection) {
  const std::string path = fmt::format("{}/{}", collection, kCollectionFileName);
  CRV_ASSIGN(const std::string text, ReadFile(path));
  return Parse(path, text);
}

std::string TomlString(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string NewCollectionFile(std::string_view sieve) {
  return fmt::format(
      "# A collection of Crivello.  Do not edit [collection].  Other tables set options of the command that "
      "they\n"
      "# are named after, without the dashes:\n"
      "#\n"
      "#   [crawl]\n"
      "#   delay = \"10s\"\n"
      "\n"
      "[collection]\n"
      "version = {}\n"
      "sieve = {}\n",
      CollectionFile::kVersion, TomlString(sieve));
}

std::string WithOption(std::string_view text, std::string_view command, std::string_view option,
                       std::string_view value) {
  std::string result(text);
  const std::string line = fmt::format("{} = {}\n", option, TomlString(value));
  const std::string heading = fmt::format("[{}]\n", command);
  const size_t at = result.starts_with(heading) ? 0 : result.find("\n" + heading);
  if (at != std::string::npos) {
    result.insert(at + heading.size() + (at == 0 ? 0 : 1), line);
    return result;
  }
  if (!result.empty() && result.back() != '\n') result += '\n';
  return result + "\n" + heading + line;
}

}  // namespace crivello::collection
