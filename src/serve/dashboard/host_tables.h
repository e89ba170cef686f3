// SPDX-License-Identifier: Apache-2.0
// Tables of hosts, and of pages that could not be fetched, for the pages for operators.
#pragma once

#include "base/clock.h"
#include "collection/host_survey.h"
#include "serve/pages/html_writer.h"

namespace crivello::serve {

// The `limit` hosts with the most pages and queued URLs: the results of each, its robots.txt, delay and
// errors, and when it is fetched from next.
struct HostTableMoment {
  WallTime now{};
  bool standstill = false;  // nothing is fetched, whatever the hosts wait for
};
void WriteHostTable(HtmlWriter& html, const collection::HostSurvey& survey, size_t limit,
                    const HostTableMoment& moment);
// What the hosts contain: their position in the rank of hosts, size, statuses and languages.
void WriteHostContents(HtmlWriter& html, const collection::HostSurvey& survey, size_t limit);
// How many pages failed or were skipped, by reason, and the latest ones.
void WriteTroubles(HtmlWriter& html, const collection::HostSurvey& survey, size_t limit);

// The indices into survey.hosts of the first `limit` hosts in the order of WriteHostTable().
std::vector<uint32_t> LargestHosts(const collection::HostSurvey& survey, size_t limit);

}  // namespace crivello::serve
