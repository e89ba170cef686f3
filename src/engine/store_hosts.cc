// SPDX-License-Identifier: Apache-2.0
#include "engine/store_hosts.h"

#include <algorithm>
#include <utility>

namespace crivello::engine {

Result<std::shared_ptr<const collection::HostSurvey>> StoreHosts::Hosts() {
  const MonotonicTime began = clock_.Now();
  {
    MutexLock lock(mu_);
    if (kept_ != nullptr && began < again_) return kept_;
    // Meanwhile other callers get the old survey, if there is one.
    again_ = MonotonicTime::max();
  }
  auto survey = collection::SurveyHosts(store_);
  if (const auto ranks = ranks_ == nullptr ? nullptr : ranks_->current(); survey.ok() && ranks != nullptr) {
    survey->ranked_hosts = ranks->hosts();
    for (collection::HostSurvey::Host& host : survey->hosts) {
      if (const auto found = ranks->Find(host.report.host)) host.rank_place = found->place;
    }
  }
  MutexLock lock(mu_);
  again_ = clock_.Now() + std::max<Duration>(kKept, kKeptTimes * (clock_.Now() - began));
  if (!survey.ok()) return survey.status();
  kept_ = std::make_shared<const collection::HostSurvey>(*std::move(survey));
  return kept_;
}

}  // namespace crivello::engine
