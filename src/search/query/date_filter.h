// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crivello::search {

struct DateInterval {
  int64_t from = 0;   // seconds since 1970
  int64_t until = 0;  // before it
  friend bool operator==(const DateInterval&, const DateInterval&) = default;
};

// What `date:` takes: 2020, 2020-05, 2020-05-03 (that year, month or day, in UTC), A..B (from the start of A
// to the end of B; either may be missing), >A >=A <A <=A.  Nothing if it is none of these.  Pure.
std::optional<DateInterval> ReadDateFilter(std::string_view text);

}  // namespace crivello::search
