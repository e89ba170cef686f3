// SPDX-License-Identifier: Apache-2.0
#include "frontier/budget.h"

namespace crivello::frontier {

std::optional<std::string_view> Budget::Spent(MonotonicTime now) const {
  if (options_.pages != 0 && pages() >= options_.pages) return "max-pages";
  if (options_.bytes != 0 && bytes() >= options_.bytes) return "max-bytes";
  if (options_.time != Duration::zero() && now - opened_ >= options_.time) return "max-time";
  return std::nullopt;
}

}  // namespace crivello::frontier
