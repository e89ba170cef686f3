// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/url_record.h"

namespace crivello::frontier {

// Decides in which of its host's eight queues a URL waits.  The first non-empty queue is served, each in
// order of arrival.  Without criteria, all URLs are in one class and the visit is breadth-first.
//
// Each chosen criterion rates a URL from 0 (best) to 1; the mean determines the class.  The
// criteria are from the lecture notes: short URLs, links that leave the site, words in the URL or
// in the text of the link, words on the linking page, depth, and rank: the mean of the ranks of the
// URL's host and of the linking host.  So among the URLs of one host, those that good hosts link to
// come first.
struct PriorityOptions {
  bool short_url = false;  // fewer path segments and parameters, and shorter, first
  bool off_site = false;   // links from another host first
  bool depth = false;      // nearer to a seed first
  bool host_rank = false;  // links from and to better-ranked hosts first
  std::vector<std::string> keywords =
      {};  // URLs or link texts with one of these first, ignoring case (ASCII)
  std::vector<std::string> page_keywords = {};  // linking pages with one of these in title or main text first
};

struct LinkContext {
  std::string_view url = {};        // canonical
  std::string_view from_host = {};  // of the linking page; empty for a seed
  std::string_view text = {};       // of the link
  uint32_t depth = 0;
  double host_rank = 0;           // RankOfLink(), 0 to 1, 1 is best
  bool page_has_keyword = false;  // the linking page has one of PriorityOptions::page_keywords
};

// Whether one of the words occurs in the text, ignoring case (ASCII).
bool HasKeyword(const std::vector<std::string>& words, std::string_view text);

// The class of a link, from 1 on: 0 is for seeds, commands and news.  Linear in the text and the keywords.
uint8_t PriorityOf(const PriorityOptions& options, const LinkContext& link);

}  // namespace crivello::frontier
