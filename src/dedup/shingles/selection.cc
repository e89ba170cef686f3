// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>

#include "base/hash.h"

namespace crivello::dedup {
namespace {

std::vector<size_t> Multiples(std::span<const uint64_t> values, uint64_t p) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i] % p == 0) positions.push_back(i);
  }
  return positions;
}

// Keeps the candidates for the window's minimum in increasing order, so each is examined at most twice.
std::vector<size_t> Winnowed(std::span<const uint64_t> values, size_t window) {
  std::vector<size_t> positions;
  window = std::min(window, values.size());
  std::deque<size_t> candidates;
  for (size_t i = 0; i < values.size(); i++) {
    while (!candidates.empty() && values[candidates.back()] >= values[i]) candidates.pop_back();
    candidates.push_back(i);
    if (candidates.front() + window <= i) candidates.pop_front();
    if (i + 1 < window) continue;
    if (positions.empty() || positions.back() != candidates.front()) positions.push_back(candidates.front());
  }
  return positions;
}

// Mix64 is the permutation: as a bijection it keeps distinct values distinct.
std::vector<size_t> Least(std::span<const uint64_t> values, uint64_t count) {
  std::vector<std::pair<uint64_t, size_t>> order;
  order.reserve(values.size());
  for (size_t i = 0; i < values.size(); i++) order.emplace_back(Mix64(values[i]), i);
  std::sort(order.begin(), order.end());
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  if (order.size() > count) order.resize(count);
  std::vector<size_t> positions;
  for (const auto& [hash, position] : order) positions.push_back(position);
  std::sort(positions.begin(), positions.end());
  return positions;
}

struct SelectionName {
  std::string_view name;
  Selection::Kind kind;
};
constexpr SelectionName kSelectionNames[] = {
    {"mod", Selection::Kind::kMod}, {"winnow", Selection::Kind::kWinnow}, {"min", Selection::Kind::kMin}};

}  // namespace

Result<Selection> Selection::Parse(std::string_view text) {
  if (text == "all") return Selection{.kind = Kind::kAll, .parameter = 0};
  const size_t colon = text.find(':');
  for (const SelectionName& known : kSelectionNames) {
    if (colon == std::string_view::npos || text.substr(0, colon) != known.name) continue;
    const std::string_view number = text.substr(colon + 1);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc() && end == number.data() + number.size() && value > 0) {
      return Selection{.kind = known.kind, .parameter = value};
    }
  }
  return Status::InvalidArgument(fmt::format(
      "unknown selection '{}': expected all, mod:P, winnow:W or min:S, with a positive number", text));
}

std::string Selection::ToString() const {
  for (const SelectionName& known : kSelectionNames) {
    if (known.kind == kind) return fmt::format("{}:{}", known.name, parameter);
  }
  return "all";
}

std::vector<size_t> SelectedPositions(std::span<const uint64_t> values, Selection selection) {
  switch (selection.kind) {
    case Selection::Kind::kMod:
      return Multiples(values, selection.parameter);
    case Selection::Kind::kWinnow:
      return Winnowed(values, selection.parameter);
    case Selection::Kind::kMin:
      return Least(values, selection.parameter);
    case Selection::Kind::kAll:
      break;
  }
  return Least(values, values.size());
}

std::vector<uint64_t> SelectedSet(std::span<const uint64_t> values, Selection selection) {
  std::vector<uint64_t> set;
  for (const size_t position : SelectedPositions(values, selection)) set.push_back(values[position]);
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

}  // namespace crivello::dedup
