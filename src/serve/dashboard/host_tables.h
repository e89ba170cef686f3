// SPDX-License-Identifier: Apache-2.0
// Tables of hosts, and of pages that were not had, for the pages of whoever keeps it running.
#pragma once

#include "base/clock.h"
#include "collection/host_survey.h"
#include "serve/pages/html_writer.h"

namespace crivello::serve {

// The hosts with the most pages and queued URLs, `limit` of them: what came of each, its robots.txt, its
// delay, its errors, and when it is asked next.
struct HostTableMoment {
  WallTime now{};
  bool standstill = false;  // nothing is fetched, whatever its host waits for
};
void WriteHostTable(HtmlWriter& html, const collection::HostSurvey& survey, size_t limit,
                    const HostTableMoment& moment);
// What they are about: their place in the rank of hosts, size, statuses and languages.
void WriteHostContents(HtmlWriter& html, const collection::HostSurvey& survey, size_t limit);
// How many pages failed or were passed over, by reason, and the latest of them.
void WriteTroubles(HtmlWriter& html, const collection::HostSurvey& survey, size_t limit);

// The places in survey.hosts of the first `limit`, as WriteHostTable() has them.
std::vector<uint32_t> LargestHosts(const collection::HostSurvey& survey, size_t limit);

}  // namespace crivello::serve
