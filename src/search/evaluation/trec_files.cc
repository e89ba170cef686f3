// SPDX-License-Identifier: Apache-2.0
// Topics, runs and judgements as text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "search/evaluation/evaluation.h"

namespace crivello::search {
namespace {

// Calls f(line, number), from 1, for each line that is not empty.
template <typename F>
Status ForEachLine(std::string_view text, F&& f) {
  for (size_t number = 1; !text.empty(); number++) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (TrimAsciiSpace(line).empty()) continue;
    CRV_TRY(f(line, number));
  }
  return Status::Ok();
}

// The words of a line; fewer if there are fewer, and what is left behind them is dropped.
template <size_t N>
std::array<std::string_view, N> Columns(std::string_view line) {
  std::array<std::string_view, N> columns;
  for (std::string_view& column : columns) {
    line = TrimAsciiSpace(line);
    column = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(column.size());
  }
  return columns;
}

template <typename Number>
bool ReadNumber(std::string_view text, Number* number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

Result<std::vector<Topic>> ReadTopics(std::string_view text) {
  std::vector<Topic> topics;
  CRV_TRY(ForEachLine(text, [&](std::string_view line, size_t number) {
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0) {
      return Status::InvalidArgument(fmt::format("topics, line {}: expected ID TAB TEXT", number));
    }
    topics.push_back({std::string(line.substr(0, tab)), std::string(TrimAsciiSpace(line.substr(tab + 1)))});
    return Status::Ok();
  }));
  return topics;
}

Result<RankedRun> ReadRun(std::string_view text) {
  RankedRun run;
  CRV_TRY(ForEachLine(text, [&](std::string_view line, size_t number) {
    const auto columns = Columns<5>(line);
    double score = 0;
    // Up to 1e300, so that there is a number below the least of them.
    if (!ReadNumber(columns[4], &score) || !(std::fabs(score) <= 1e300)) {
      return Status::InvalidArgument(
          fmt::format("run, line {}: expected 'topic Q0 document rank score tag'", number));
    }
    run[std::string(columns[0])].push_back({std::string(columns[2]), score});
    return Status::Ok();
  }));
  for (auto& [topic, documents] : run) {
    std::sort(documents.begin(), documents.end(), [](const RankedDocument& a, const RankedDocument& b) {
      return a.score != b.score ? a.score > b.score : a.document > b.document;
    });
  }
  return run;
}

std::string WriteRun(const RankedRun& run, std::string_view tag) {
  std::string out;
  for (const auto& [topic, documents] : run) {
    double before = INFINITY;
    for (size_t i = 0; i < documents.size(); i++) {
      // Readers sort by score: one that is not less than the one before is made the next smaller number.
      const double score =
          documents[i].score < before ? documents[i].score : std::nextafter(before, -INFINITY);
      out += fmt::format("{} Q0 {} {} {} {}\n", topic, documents[i].document, i + 1, score, tag);
      before = score;
    }
  }
  return out;
}

Result<Judgements> ReadJudgements(std::string_view text) {
  Judgements judgements;
  CRV_TRY(ForEachLine(text, [&](std::string_view line, size_t number) {
    const auto columns = Columns<4>(line);
    int grade = 0;
    if (!ReadNumber(columns[3], &grade)) {
      return Status::InvalidArgument(
          fmt::format("judgements, line {}: expected 'topic iteration document grade'", number));
    }
    judgements[std::string(columns[0])][std::string(columns[2])] = grade;
    return Status::Ok();
  }));
  return judgements;
}

std::string WriteJudgements(const Judgements& judgements) {
  std::string out;
  for (const auto& [topic, grades] : judgements) {
    for (const auto& [document, grade] : grades) out += fmt::format("{} 0 {} {}\n", topic, document, grade);
  }
  return out;
}

}  // namespace crivello::search
