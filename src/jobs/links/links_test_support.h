// SPDX-License-Identifier: Apache-2.0
// Included by _test.cc files only.
#pragma once

#include <vector>

#include "index/tables/table_index_test_support.h"
#include "jobs/links/link_inverter.h"

namespace crivello::jobs {

inline std::vector<LinkTablet> LinkTabletsOf(const index::Rows& rows) {
  std::vector<LinkTablet> tablets;
  for (size_t i = 0; i < rows.tablets().size(); i++) {
    tablets.push_back({.id = rows.id(i),
                       .table = rows.tablet(i).table,
                       .changes = rows.tablet(i).changes,
                       .folder = rows.Directory(i) + "/links"});
  }
  return tablets;
}

}  // namespace crivello::jobs
