// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/crawl_control.h"

namespace crivello::serve {

std::string StandstillOf(CrawlControl::State state, const CrawlStatus& status) {
  switch (state) {
    case CrawlControl::State::kRunning:
      return "";
    case CrawlControl::State::kPaused:
      return "the crawl is paused";
    case CrawlControl::State::kFinished:
      break;
  }
  return status.idle.empty() ? "nothing is left to fetch" : status.idle;
}

}  // namespace crivello::serve
