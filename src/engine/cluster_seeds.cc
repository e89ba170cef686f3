// SPDX-License-Identifier: Apache-2.0
#include "engine/cluster_seeds.h"

#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/atomic_file.h"
#include "policy/seed.h"
#include "web/url/url.h"

namespace crivello::engine {
namespace {

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Appends the lines that are missing.
std::string JoinLines(const std::string& text, const std::vector<std::string>& more) {
  std::string joined = text;
  std::unordered_set<std::string> known;
  for (std::string& line : LinesOf(text)) known.insert(std::move(line));
  for (const std::string& line : more) {
    if (known.insert(line).second) joined += line + "\n";
  }
  return joined;
}

std::string FileOf(const collection::Tablet& first) { return first.directory() + "/seeds.txt"; }

}  // namespace

Result<std::string> ClusterSeeds::ReadOrEmpty(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  if (text.status().code() == StatusCode::kNotFound) return std::string();
  return text;
}

Status ClusterSeeds::Own(collection::Tablet& first) {
  CRV_ASSIGN(const std::string kept, ReadOrEmpty(FileOf(first)));
  CRV_ASSIGN(const std::string published, ReadOrEmpty(path_));
  MutexLock lock(mu_);
  own_ = JoinLines(kept, LinesOf(published));
  first_ = &first;
  return Status::Ok();
}

void ClusterSeeds::Disown() {
  MutexLock lock(mu_);
  first_ = nullptr;
}

Status ClusterSeeds::Add(const std::vector<std::string>& urls) {
  std::vector<std::string> seeds;
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(text));
    seeds.push_back(url.href());
  }
  MutexLock lock(mu_);
  if (first_ == nullptr) return Status::Unavailable("another agent has the first tablet");
  std::string all = JoinLines(own_, seeds);
  CRV_TRY(WriteFileAtomically(FileOf(*first_), AsBytes(all)));
  CRV_TRY(first_->Acknowledge());
  own_ = std::move(all);
  return Publish();
}

Status ClusterSeeds::Publish() {
  CRV_ASSIGN(const std::string published, ReadOrEmpty(path_));
  return published == own_ ? Status::Ok() : WriteFileAtomically(path_, AsBytes(own_));
}

Result<std::optional<std::vector<std::string>>> ClusterSeeds::Look() {
  MutexLock lock(mu_);
  if (first_ != nullptr) CRV_TRY(Publish());
  CRV_ASSIGN(std::string published, ReadOrEmpty(path_));
  if (seen_ == published) return std::optional<std::vector<std::string>>();
  seen_ = std::move(published);
  return std::optional(LinesOf(*seen_));
}

}  // namespace crivello::engine
