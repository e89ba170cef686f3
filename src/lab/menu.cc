// SPDX-License-Identifier: Apache-2.0
#include "lab/menu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/integers.h"

namespace crivello::lab {
namespace {

Result<std::vector<uint64_t>> NumbersOf(std::span<const std::string> words, std::vector<uint64_t> standard) {
  if (words.empty()) return standard;
  return ParseIntegers(fmt::format("{}", fmt::join(words, " ")));
}

// Arcs as "0-1".
Result<ArcList> ArcsOf(std::span<const std::string> words) {
  ArcList arcs;
  for (const std::string& word : words) {
    const size_t dash = word.find('-');
    const auto ends =
        ParseIntegers(dash == std::string::npos ? "" : word.substr(0, dash) + " " + word.substr(dash + 1));
    if (!ends.ok() || ends->size() != 2 || (*ends)[0] >= UINT32_MAX || (*ends)[1] >= UINT32_MAX) {
      return Status::InvalidArgument(fmt::format("invalid arc '{}': expected FROM-TO, such as 0-1", word));
    }
    arcs.emplace_back(static_cast<uint32_t>((*ends)[0]), static_cast<uint32_t>((*ends)[1]));
  }
  if (arcs.empty()) arcs = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}};
  return arcs;
}

constexpr std::string_view kExamplePage =
    "<html><body><ul><li><a href=/>home</a><li><a href=/news>news</a></ul><p>The curve climbs in menus and "
    "is flat where "
    "the page talks to its readers in sentences.</p><ul><li><a href=/imprint>imprint</a></ul></body></html>";

}  // namespace

Result<Demonstration> ShowByName(std::string_view name, const LabOptions& options,
                                 std::span<const std::string> words) {
  if (name == "codes") {
    CRV_ASSIGN(const auto numbers, NumbersOf(words, {0, 1, 7, 15, 100}));
    return ShowCodes(numbers);
  }
  if (name == "elias-fano") {
    CRV_ASSIGN(const auto numbers, NumbersOf(words, {5, 8, 8, 15, 32}));
    return ShowEliasFano(numbers, words.empty() && options.universe == 0 ? 36 : options.universe,
                         options.successor);
  }
  if (name == "sieve") {
    const std::vector<std::string> standard = {"http://b.it/", "http://a.it/", "http://b.it/", "http://c.it/",
                                               "http://a.it/", "http://d.it/", "http://b.it/"};
    return ShowSieve(words.empty() ? standard : words, options.capacity);
  }
  if (name == "assignment") {
    const std::vector<std::string> standard = {"a.it", "b.it", "c.it", "d.org", "e.org", "f.org",
                                               "g.fr", "h.fr", "i.de", "j.de",  "k.net", "l.net"};
    return ShowAssignment(words.empty() ? standard : words, options.agents);
  }
  if (name == "hyperball") {
    CRV_ASSIGN(const ArcList arcs, ArcsOf(words));
    return ShowHyperBall(arcs, options.log_registers);
  }
  if (name == "simhash") {
    if (words.size() == 1 || words.size() > 2) {
      return Status::InvalidArgument(fmt::format("expected two texts, each in quotes, got {}", words.size()));
    }
    return ShowSimHash(words.empty() ? "tropical fish include fish found in tropical environments" : words[0],
                       words.empty() ? "tropical fish include fish found in salt water" : words[1],
                       options.bits);
  }
  if (name == "slope") {
    if (words.size() > 1) return Status::InvalidArgument("expected one page");
    return ShowSlope(words.empty() ? kExamplePage : std::string_view(words[0]));
  }
  if (name == "lsi") {
    const std::vector<std::string> standard = {"io parlo di cani", "cani e gatti", "io parlo di gatti"};
    return ShowLsi(words.empty() ? standard : words, options.rank);
  }
  return Status::NotFound(fmt::format("there is no demonstration '{}'", name));
}

std::vector<std::string> WordsOfLine(std::string_view line) {
  std::vector<std::string> words;
  bool open = false, quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      if (!open) words.emplace_back();
      open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

}  // namespace crivello::lab
