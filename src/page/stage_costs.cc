// SPDX-License-Identifier: Apache-2.0
#include "page/stage_costs.h"

#include <time.h>

namespace crivello::page {

std::string_view StageName(Stage stage) {
  switch (stage) {
    case Stage::kNetwork:
      return "network";
    case Stage::kFrontier:
      return "frontier";
    case Stage::kTokenizer:
      return "tokenizer";
    case Stage::kText:
      return "text";
    case Stage::kLinks:
      return "links";
    case Stage::kSieve:
      return "sieve";
    case Stage::kDigest:
      return "digest";
    case Stage::kCompression:
      return "compression";
    case Stage::kArchive:
      return "archive";
    case Stage::kCommit:
      return "commit";
    case Stage::kOther:
      return "other";
  }
  return "";
}

Duration ThreadCpu() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
}

std::array<Duration, kStages> StageCosts::cpu() const {
  std::array<Duration, kStages> result;
  for (size_t i = 0; i < kStages; ++i) result[i] = Duration(static_cast<int64_t>(nanoseconds_[i].value()));
  return result;
}

StageClock::StageClock(StageCosts& costs, Stage stage) : costs_(costs), stage_(stage) {
  if (costs.on()) since_ = ThreadCpu();
}

void StageClock::Switch(Stage stage) {
  const Duration now = ThreadCpu();
  costs_.Add(stage_, now - since_);
  stage_ = stage;
  since_ = now;
}

}  // namespace crivello::page
