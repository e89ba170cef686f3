// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::feeds {

// A feed in a list of feeds as other programs keep it (OPML 2.0).
struct OpmlFeed {
  std::string url;
  std::string site = {};   // htmlUrl
  std::string title = {};  // text, else title
  friend bool operator==(const OpmlFeed&, const OpmlFeed&) = default;
};

inline constexpr size_t kMaxOpmlFeeds = 100'000;

// The feeds of an OPML document in UTF-8: every <outline> with an xmlUrl, however deep, as written.
// Corruption if there is no <opml> in it; InvalidArgument if there are more than kMaxOpmlFeeds.  Linear.
Result<std::vector<OpmlFeed>> ParseOpml(std::string_view utf8);

// A URL of such a list as one that can be polled: without the "feed:" that some programs write before it.
// Nothing if it is not http or https.
std::optional<std::string> PollableUrl(std::string_view written);

// An OPML 2.0 document.  Characters that XML forbids are left out.
std::string FormatOpml(std::string_view title, std::span<const OpmlFeed> feeds);

}  // namespace crivello::feeds
