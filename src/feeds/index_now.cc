// SPDX-License-Identifier: Apache-2.0
#include "feeds/index_now.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "web/url/canonical.h"

namespace crivello::feeds {
namespace {

constexpr size_t kLeastKeyBytes = 8;
constexpr size_t kMostKeyBytes = 128;

bool IsKey(std::string_view key) {
  return key.size() >= kLeastKeyBytes && key.size() <= kMostKeyBytes &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
         });
}

Result<web::Url> UrlOf(std::string_view what, std::string_view text) {
  if (text.size() > IndexNow::kMaxUrlBytes) {
    return Status::InvalidArgument(
        fmt::format("{}: expected at most {} bytes, received {}", what, IndexNow::kMaxUrlBytes, text.size()));
  }
  auto url = web::CanonicalUrl(text);
  if (!url.ok())
    return Status::InvalidArgument(fmt::format("{}: '{}' is not an http or https URL", what, text));
  return url;
}

// The URL up to the last '/' of its path.
std::string FolderOf(const web::Url& url) {
  const std::string path(url.pathname());
  return std::string(url.origin()) + path.substr(0, path.rfind('/') + 1);
}

}  // namespace

Result<CheckedIndexNow> CheckIndexNow(const IndexNow& submission) {
  if (submission.urls.empty()) return Status::InvalidArgument("urlList: expected at least one URL");
  if (submission.urls.size() > IndexNow::kMaxUrls) {
    return Status::InvalidArgument(fmt::format("urlList: expected at most {} URLs, received {}",
                                               IndexNow::kMaxUrls, submission.urls.size()));
  }
  if (!IsKey(submission.key)) {
    return Status::InvalidArgument(
        fmt::format("key: expected {} to {} letters, digits and '-'", kLeastKeyBytes, kMostKeyBytes));
  }
  CRV_ASSIGN(const web::Url first, UrlOf("url", submission.urls.front()));
  CheckedIndexNow checked = {
      .host = std::string(first.hostname()), .key = submission.key, .key_url = {}, .urls = {}};
  if (!submission.host.empty() && !EqualsIgnoringCase(submission.host, first.hostname()) &&
      !EqualsIgnoringCase(submission.host, first.host())) {
    return Status::InvalidArgument(
        fmt::format("host: '{}' is not that of '{}'", submission.host, submission.urls.front()));
  }
  const std::string location = submission.key_location.empty()
                                   ? std::string(first.origin()) + "/" + submission.key + ".txt"
                                   : submission.key_location;
  CRV_ASSIGN(const web::Url key_url, UrlOf("keyLocation", location));
  checked.key_url = key_url.href();
  // Whoever can write a file into a folder speaks for that folder, and for no other.
  const std::string folder = FolderOf(key_url);
  std::unordered_set<std::string> seen;
  for (const std::string& text : submission.urls) {
    CRV_ASSIGN(const web::Url url, UrlOf("url", text));
    std::string href(url.href());
    if (!href.starts_with(folder)) {
      return Status::InvalidArgument(
          fmt::format("url: '{}' is not below '{}', the folder of the key file", text, folder));
    }
    if (seen.insert(href).second) checked.urls.push_back(std::move(href));
  }
  return checked;
}

const IndexNowDesk::KnownKey* IndexNowDesk::Find(const std::string& key_url) {
  const auto found = key_index_.find(key_url);
  if (found == key_index_.end()) return nullptr;
  const Duration kept = found->second->content.empty() ? options_.wrong : options_.right;
  if (clock_.Now() < found->second->read + kept) return &*found->second;
  keys_.erase(found->second);
  key_index_.erase(found);
  return nullptr;
}

void IndexNowDesk::Remember(const std::string& key_url, std::string content) {
  if (const auto found = key_index_.find(key_url); found != key_index_.end()) {
    keys_.erase(found->second);
    key_index_.erase(found);
  }
  keys_.push_front({.url = key_url, .content = std::move(content), .read = clock_.Now()});
  key_index_[key_url] = keys_.begin();
  if (keys_.size() <= options_.keys) return;
  key_index_.erase(keys_.back().url);
  keys_.pop_back();
}

bool IndexNowDesk::MayTake(const CheckedIndexNow& submission) {
  const MonotonicTime now = clock_.Now();
  if (windows_.size() >= options_.keys) {
    std::erase_if(windows_, [&](const auto& one) { return now >= one.second.began + options_.window; });
    if (windows_.size() >= options_.keys && !windows_.contains(submission.host)) return false;
  }
  Window& window = windows_.try_emplace(submission.host, Window{.began = now}).first->second;
  if (now >= window.began + options_.window) window = {.began = now};
  if (window.urls + submission.urls.size() > options_.urls_per_host) return false;
  window.urls += submission.urls.size();
  return true;
}

IndexNowDesk::Answer IndexNowDesk::Take(const IndexNow& submission) {
  auto checked = CheckIndexNow(submission);
  if (!checked.ok()) {
    MutexLock lock(mu_);
    stats_.malformed++;
    return {Verdict::kMalformed, std::string(checked.status().message())};
  }
  std::erase_if(checked->urls, [this](const std::string& url) { return !crawl_.Wants(url); });
  if (checked->urls.empty() || !crawl_.Wants(checked->key_url)) {
    MutexLock lock(mu_);
    stats_.out_of_scope++;
    return {Verdict::kOutOfScope, fmt::format("{} is not in the scope of this crawl", checked->host)};
  }
  std::vector<std::string> urls;
  bool fetch = true;
  {
    MutexLock lock(mu_);
    const KnownKey* key = Find(checked->key_url);
    if (key != nullptr && key->content != checked->key) {
      if (clock_.Now() < key->read + options_.wrong) {
        stats_.wrong_key++;
        return {Verdict::kWrongKey, fmt::format("{} does not hold this key", checked->key_url)};
      }
      key = nullptr;  // the site may have a new key, so the file is read again
    }
    size_t of_host = 0;
    for (const Waiting& other : waiting_) {
      of_host += other.submission.host == checked->host ? 1 : 0;
      if (other.submission.key_url == checked->key_url) fetch = false;
    }
    const bool full =
        key == nullptr && (waiting_.size() >= options_.waiting || of_host >= options_.waiting_per_host ||
                           waiting_urls_ + checked->urls.size() > options_.waiting_urls);
    if (full || !MayTake(*checked)) {
      stats_.too_many++;
      return {Verdict::kTooMany, "too many submissions: try again in an hour"};
    }
    stats_.accepted++;
    if (key != nullptr) {
      urls = std::move(checked->urls);
      stats_.urls += urls.size();
    } else {
      waiting_urls_ += checked->urls.size();
      waiting_.push_back(
          {.submission = *checked, .since = clock_.Wall(), .until = clock_.Now() + options_.patience});
    }
  }
  Status status;
  if (!urls.empty()) {
    status = crawl_.Hint(urls);
  } else if (fetch) {
    status = crawl_.Fetch(checked->key_url);
  }
  if (!status.ok()) return {Verdict::kTooMany, "the crawl takes no orders now: try again later"};
  return {Verdict::kAccepted, "accepted"};
}

Status IndexNowDesk::Look() {
  std::list<Waiting> some;
  {
    MutexLock lock(mu_);
    some.swap(waiting_);
    waiting_urls_ = 0;
  }
  std::list<Waiting> rest;
  Status status;
  while (!some.empty()) {
    Waiting& one = some.front();
    // Another submission may have caused the same file to be read meanwhile.
    std::optional<std::string> known;
    {
      MutexLock lock(mu_);
      const KnownKey* const key = Find(one.submission.key_url);
      const bool counts =
          key != nullptr && (key->content == one.submission.key || clock_.Now() < key->read + options_.wrong);
      if (counts) known = key->content;
    }
    const bool late = clock_.Now() >= one.until;
    bool right = known == one.submission.key;
    if (!known) {
      auto content = crawl_.Fetched(one.submission.key_url, one.since);
      if (!content.ok() || (!*content && !late)) {
        if (status.ok()) status = content.status();
        rest.splice(rest.end(), some, some.begin());
        continue;
      }
      std::string key(TrimAsciiSpace(content->value_or("")));
      if (key.size() > kMostKeyBytes) key.clear();
      right = key == one.submission.key;
      MutexLock lock(mu_);
      if (*content) Remember(one.submission.key_url, std::move(key));
    }
    {
      MutexLock lock(mu_);
      if (right) stats_.urls += one.submission.urls.size();
      if (!right) stats_.wrong_key++;
    }
    if (right) {
      const Status hinted = crawl_.Hint(one.submission.urls);
      if (status.ok()) status = hinted;
    }
    some.pop_front();
  }
  MutexLock lock(mu_);
  waiting_.splice(waiting_.begin(), rest);
  waiting_urls_ = 0;
  for (const Waiting& one : waiting_) waiting_urls_ += one.submission.urls.size();
  return status;
}

IndexNowDesk::Stats IndexNowDesk::stats() const {
  MutexLock lock(mu_);
  Stats stats = stats_;
  stats.waiting = waiting_.size();
  return stats;
}

}  // namespace crivello::feeds
