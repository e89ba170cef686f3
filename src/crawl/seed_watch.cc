// SPDX-License-Identifier: Apache-2.0
#include "crawl/seed_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace crivello::crawl {

void SeedWatch::Add(const std::string& url, std::string_view host) {
  MutexLock lock(mu_);
  const auto found = seeds_.find(url);
  if (found != seeds_.end()) {
    found->second.told = false;
    return;
  }
  if (seeds_.size() >= kMostSeeds) return;
  const auto added = seeds_.emplace(url, Seed()).first;
  by_host_[std::string(host)].push_back(&*added);
}

void SeedWatch::FetchedBefore() {
  MutexLock lock(mu_);
  before_ = true;
}

void SeedWatch::Fetched(std::string_view url) {
  MutexLock lock(mu_);
  const auto found = seeds_.find(std::string(url));
  if (found == seeds_.end() || found->second.fetched) return;
  Seed& seed = found->second;
  if (!seed.trouble.empty()) failed_--;
  seed.trouble.clear();
  seed.fetched = true;
  fetched_++;
}

std::string SeedWatch::Note(Seeds::value_type& seed, std::string_view reason) {
  auto& [url, state] = seed;
  if (state.fetched) return {};
  if (state.trouble.empty()) failed_++;
  state.trouble = reason;
  if (std::exchange(state.told, true)) return {};
  told_++;
  if (told_ > kToldSeeds + 1) return {};
  if (told_ > kToldSeeds) return "more seeds cannot be fetched; 'crivello report' lists them";
  return fmt::format("cannot fetch the seed {}: {}", url, reason);
}

void SeedWatch::Tell(std::string_view event, const std::string& sentence) const {
  if (listener_ != nullptr && !sentence.empty()) listener_->Warn(event, sentence);
}

void SeedWatch::Failed(std::string_view url, std::string_view reason) {
  std::string sentence;
  {
    MutexLock lock(mu_);
    const auto found = seeds_.find(std::string(url));
    if (found != seeds_.end()) sentence = Note(*found, reason);
  }
  Tell("seed.failed", sentence);
}

void SeedWatch::HostFailed(std::string_view host, std::string_view reason) {
  std::vector<std::string> sentences;
  {
    MutexLock lock(mu_);
    const auto found = by_host_.find(std::string(host));
    if (found == by_host_.end()) return;
    for (Seeds::value_type* const seed : found->second) sentences.push_back(Note(*seed, reason));
  }
  for (const std::string& sentence : sentences) Tell("seed.failed", sentence);
}

void SeedWatch::RedirectedOut(std::string_view url, std::string_view target) {
  {
    MutexLock lock(mu_);
    const auto found = seeds_.find(std::string(url));
    if (found == seeds_.end() || std::exchange(found->second.told, true)) return;
    if (++told_ > kToldSeeds) return;
  }
  Tell("seed.redirected",
       fmt::format("the seed {} redirects to {}, which is out of scope; add that as a seed, or widen --scope",
                   url, target));
}

SeedCounts SeedWatch::counts() const {
  MutexLock lock(mu_);
  return {.watched = seeds_.size(), .fetched = fetched_, .failed = failed_, .before = before_};
}

std::vector<SeedTrouble> SeedWatch::troubles(size_t limit) const {
  std::vector<SeedTrouble> troubles;
  {
    MutexLock lock(mu_);
    if (failed_ == 0) return troubles;
    for (const auto& [url, seed] : seeds_) {
      if (!seed.fetched && !seed.trouble.empty()) troubles.push_back({url, seed.trouble});
    }
  }
  std::sort(troubles.begin(), troubles.end(),
            [](const SeedTrouble& a, const SeedTrouble& b) { return a.url < b.url; });
  if (troubles.size() > limit) troubles.resize(limit);
  return troubles;
}

}  // namespace crivello::crawl
