// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "jobs/exchange/common_crawl.h"

namespace crivello::jobs {
namespace {

// Removes the next column with its tab, and returns it.  An empty line has one column.
std::string_view TakeColumn(std::string_view* rest) {
  const size_t tab = rest->find('\t');
  const std::string_view column = rest->substr(0, tab);
  rest->remove_prefix(tab == std::string_view::npos ? rest->size() : tab + 1);
  return column;
}

std::string Quoted(std::string_view text) {
  return fmt::format("'{}'{}", text.substr(0, 100), text.size() > 100 ? "..." : "");
}

template <typename Number>
Result<Number> ParseColumn(std::string_view column, std::string_view what) {
  Number number = 0;
  const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  if (error != std::errc() || end != column.data() + column.size()) {
    return Status::Corruption(fmt::format("expected {}, found {}", what, Quoted(column)));
  }
  return number;
}

Result<std::string_view> ParseHost(std::string_view column) {
  if (column.empty() || column.find('\0') != std::string_view::npos ||
      column.find(' ') != std::string_view::npos) {
    return Status::Corruption(
        fmt::format("expected a host with its labels reversed, found {}", Quoted(column)));
  }
  return column;
}

// A possible value of a rank; "---" means none.
Result<double> ParseValue(std::string_view column, std::string_view what) {
  if (column == "---") return 0.0;
  CRV_ASSIGN(const double value, ParseColumn<double>(column, what));
  if (!std::isfinite(value))
    return Status::Corruption(fmt::format("expected {}, found {}", what, Quoted(column)));
  return value;
}

Status ParsePosition(std::string_view column) {
  return column == "---" ? Status::Ok() : ParseColumn<uint64_t>(column, "a position").status();
}

Status NothingLeft(std::string_view rest) {
  return rest.empty()
             ? Status::Ok()
             : Status::Corruption(fmt::format("expected the end of the line, found {}", Quoted(rest)));
}

}  // namespace

Result<CommonCrawlVertex> ParseVertex(std::string_view line) {
  CommonCrawlVertex vertex;
  CRV_ASSIGN(vertex.id, ParseColumn<uint64_t>(TakeColumn(&line), "the number of a node"));
  CRV_ASSIGN(vertex.host, ParseHost(TakeColumn(&line)));
  if (!line.empty()) {
    CRV_ASSIGN(vertex.hosts, ParseColumn<uint64_t>(TakeColumn(&line), "a number of hosts"));
  }
  CRV_TRY(NothingLeft(line));
  return vertex;
}

Result<std::pair<uint64_t, uint64_t>> ParseEdge(std::string_view line) {
  CRV_ASSIGN(const uint64_t from, ParseColumn<uint64_t>(TakeColumn(&line), "the number of a node"));
  CRV_ASSIGN(const uint64_t to, ParseColumn<uint64_t>(TakeColumn(&line), "the number of a node"));
  CRV_TRY(NothingLeft(line));
  return std::pair(from, to);
}

Result<CommonCrawlRank> ParseRank(std::string_view line) {
  CommonCrawlRank rank;
  CRV_TRY(ParsePosition(TakeColumn(&line)));
  CRV_ASSIGN(rank.harmonic, ParseValue(TakeColumn(&line), "a harmonic centrality"));
  CRV_TRY(ParsePosition(TakeColumn(&line)));
  CRV_ASSIGN(rank.pagerank, ParseValue(TakeColumn(&line), "a PageRank"));
  CRV_ASSIGN(rank.host, ParseHost(TakeColumn(&line)));
  if (!line.empty()) CRV_TRY(ParseColumn<uint64_t>(TakeColumn(&line), "a number of hosts").status());
  CRV_TRY(NothingLeft(line));
  return rank;
}

}  // namespace crivello::jobs
