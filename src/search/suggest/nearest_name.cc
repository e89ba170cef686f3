// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace crivello::search {
namespace {

// Letters to put in, take out or replace (Wagner, Fischer 1974).
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string DidYouMean(std::string_view written, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  size_t least = std::max<size_t>(2, written.size() / 3) + 1;
  for (const std::string& name : known) {
    const size_t distance = Distance(written, name);
    if (distance >= least) continue;
    least = distance;
    nearest = &name;
  }
  return nearest == nullptr ? "" : fmt::format("; is it '{}'?", *nearest);
}

}  // namespace crivello::search
