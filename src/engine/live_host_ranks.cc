// SPDX-License-Identifier: Apache-2.0
#include "engine/live_host_ranks.h"

#include <utility>

namespace crivello::engine {

Status LiveHostRanks::Refresh() {
  auto places = jobs::HostPlaces::Open(directory_, name_);
  if (!places.ok()) return places.status();
  auto shared = std::make_shared<const jobs::HostPlaces>(*std::move(places));
  MutexLock lock(mu_);
  current_ = std::move(shared);
  return Status::Ok();
}

std::shared_ptr<const jobs::HostPlaces> LiveHostRanks::current() const {
  MutexLock lock(mu_);
  return current_;
}

double LiveHostRanks::Of(std::string_view host) const {
  const auto places = current();
  return places == nullptr ? kUnknown : places->Of(host);
}

}  // namespace crivello::engine
