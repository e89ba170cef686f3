// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/url_record.h"

namespace crivello::frontier {

// In which of the eight queues of its host a URL waits; the first that is not empty is served, each of them
// in order of arrival.  With no criterion chosen, all are in one class and the visit is breadth-first.
//
// Each criterion that is chosen gives a URL 0 (best) to 1; their mean decides the class.  The criteria are
// from the lecture notes: short URLs, links that leave the site, words in the URL or in the text that links
// to it, words on the page that links to it, depth, and rank: the mean of the ranks of the host of the URL
// and of the host that links to it, so that among the URLs of one host those that good hosts link to come
// first.
struct PriorityOptions {
  bool short_url = false;  // fewer path segments and parameters, and shorter, first
  bool off_site = false;   // links from another host first
  bool depth = false;      // nearer to a seed first
  bool host_rank = false;  // links from and to better ranked hosts first
  std::vector<std::string> keywords =
      {};  // one of them in the URL or in the linking text, without case (ASCII)
  std::vector<std::string> page_keywords = {};  // one of them in the title or main text of the linking page
};

struct LinkContext {
  std::string_view url = {};        // canonical
  std::string_view from_host = {};  // of the linking page; empty for a seed
  std::string_view text = {};       // of the link
  uint32_t depth = 0;
  double host_rank = 0;           // RankOfLink(), 0 to 1, 1 is best
  bool page_has_keyword = false;  // the linking page has one of PriorityOptions::page_keywords
};

// Whether one of the words is in the text, without case (ASCII).
bool HasKeyword(const std::vector<std::string>& words, std::string_view text);

// The class of a link, from 1 on: 0 is for seeds, orders and news.  Linear in the text and the keywords.
uint8_t PriorityOf(const PriorityOptions& options, const LinkContext& link);

}  // namespace crivello::frontier
