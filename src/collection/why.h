// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"
#include "store/table.h"
#include "web/url/url.h"

namespace crivello::collection {

// A decision about a URL, or a fact that holds now.
struct Reason {
  store::VersionTime time = 0;  // microseconds since 1970; 0: it holds now
  std::string kind;  // for scripts: an EventKind's name, "queued", "out-of-scope", "host", "robots",
                     // "not-seen", "unavailable-after", "content-usage"
  std::string sentence;
};

// Why a URL (canonical) was or was not fetched, in order of time: the lines of the ledger and its rows.  Then
// what holds now: whether it is queued, what follows from the URL itself (scope, traps), the state of its
// host, and robots.txt.
Result<std::vector<Reason>> Why(Collection& store, const web::Url& url);

}  // namespace crivello::collection
