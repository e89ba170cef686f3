// SPDX-License-Identifier: Apache-2.0
#include "engine/ranking_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "collection/collection_file.h"
#include "search/ranking_weights.h"
#include "web/url/url.h"

namespace crivello::engine {
namespace {

using collection::OptionTable;
using collection::OptionValue;

// A longer chain of inherited profiles is taken for a cycle.
constexpr int kMaxAncestors = 8;

Status WrongAt(const std::string& path, const OptionValue& option, std::string_view what) {
  return Status::InvalidArgument(fmt::format("{}, line {}: {}", path, option.line, what));
}

Status ReadWeights(const std::string& path, const std::string& prefix, const OptionTable& table,
                   search::RankingOptions* ranking) {
  for (const auto& [name, option] : table.options) {
    const std::string full = prefix + name;
    const std::string text = option.values.size() == 1 ? option.values[0] : std::string();
    double value = -1;
    const char* end = text.data() + text.size();
    if (text.empty() || std::from_chars(text.data(), end, value).ptr != end) {
      return WrongAt(path, option, fmt::format("'{}' is not a number", full));
    }
    const Status set = search::SetWeight(full, value, ranking);
    if (!set.ok()) return WrongAt(path, option, set.message());
  }
  return Status::Ok();
}

Status ReadSites(const std::string& path, const OptionTable& table, search::SitePreferences* sites) {
  for (const auto& [name, option] : table.options) {
    std::vector<std::string>* list = name == "block"   ? &sites->blocked
                                     : name == "raise" ? &sites->raised
                                     : name == "lower" ? &sites->lowered
                                     : name == "pin"   ? &sites->pinned
                                                       : nullptr;
    if (list == nullptr) {
      return WrongAt(path, option,
                     fmt::format("unknown list '{}': expected block, raise, lower or pin", name));
    }
    for (const std::string& site : option.values) {
      const auto url = web::ParseUrl("https://" + site);
      const bool is_host = url.ok() && site.find_first_of("/?#@:*") == std::string::npos && site[0] != '.';
      if (!is_host) {
        return WrongAt(path, option,
                       fmt::format("'{}' is not a host or a domain, such as docs.example.org", site));
      }
      list->emplace_back(url->hostname());
    }
  }
  return Status::Ok();
}

Result<search::RankingOptions> Load(const std::string& collection, std::string_view name, int ancestors);

Status ReadRanking(const std::string& path, const std::string& collection, const OptionTable& table,
                   int ancestors, search::RankingOptions* ranking) {
  if (const auto parent = table.options.find("inherits"); parent != table.options.end()) {
    if (ancestors == kMaxAncestors || parent->second.values.size() != 1) {
      return WrongAt(path, parent->second,
                     "'inherits' must name one profile that does not inherit from this one");
    }
    CRV_ASSIGN(*ranking, Load(collection, parent->second.values[0], ancestors + 1));
  }
  for (const auto& [name, option] : table.options) {
    if (name == "inherits") continue;
    const std::string value = option.values.size() == 1 ? option.values[0] : std::string();
    if (name == "formula") {
      const auto formula = search::FindRanking(value);
      if (!formula.ok()) return WrongAt(path, option, formula.status().message());
      ranking->ranking = *formula;
    } else if (name == "static") {
      ranking->rank = value;
    } else {
      return WrongAt(path, option,
                     fmt::format("unknown option '{}': expected inherits, formula or static", name));
    }
  }
  return Status::Ok();
}

Result<search::RankingOptions> Load(const std::string& collection, std::string_view name, int ancestors) {
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsAsciiAlnum(c) || c == '-' || c == '_';
  });
  if (!is_name) {
    return Status::InvalidArgument(
        fmt::format("'{}' is not the name of a ranking profile: use letters, digits, - and _", name));
  }
  // Strangers on the web read the messages: they say nothing of the folders of this machine.
  const std::string path = fmt::format("ranking/{}.toml", name);
  auto tables = collection::ReadOptionFile(collection + "/" + path);
  if (tables.status().code() == StatusCode::kNotFound) {
    return Status::NotFound(
        fmt::format("there is no ranking profile '{}': the collection has no file {}", name, path));
  }
  if (!tables.ok()) {
    std::string message = tables.status().message();
    if (message.starts_with(collection + "/")) message.erase(0, collection.size() + 1);
    return Status(tables.status().code(), std::move(message));
  }
  search::RankingOptions ranking;
  if (const auto own = tables->find("ranking"); own != tables->end()) {
    CRV_TRY(ReadRanking(path, collection, own->second, ancestors, &ranking));
  }
  for (const auto& [table, options] : *tables) {
    if (table == "ranking") continue;
    if (table == "sites") {
      CRV_TRY(ReadSites(path, options, &ranking.sites));
    } else if (table == "weights" || table.starts_with("weights.")) {
      const std::string prefix = table == "weights" ? "" : table.substr(std::string("weights.").size()) + ".";
      CRV_TRY(ReadWeights(path, prefix, options, &ranking));
    } else {
      return Status::InvalidArgument(
          fmt::format("{}, line {}: unknown table [{}]: expected [ranking], [weights] or [sites]", path,
                      options.line, table));
    }
  }
  return ranking;
}

}  // namespace

Result<search::RankingOptions> LoadRankingProfile(const std::string& collection, std::string_view name) {
  return Load(collection, name, 0);
}

}  // namespace crivello::engine
