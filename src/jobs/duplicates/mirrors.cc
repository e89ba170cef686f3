// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/mirrors.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/external_sorter.h"
#include "base/folder.h"
#include "jobs/duplicates/duplicates_folder.h"
#include "jobs/duplicates/page_texts.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

struct HostCounts {
  uint64_t pages = 0;
  uint64_t represents = 0;  // clusters
};

Result<std::string> HostOf(std::string_view row_key) {
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row_key));
  return std::string(url.hostname());
}

// The hosts of a cluster, from consecutive records "representative host".
class HostPairs {
 public:
  explicit HostPairs(size_t most_hosts) : most_hosts_(most_hosts) {}

  void Add(std::string_view representative, std::string_view host) {
    if (representative != representative_) End();
    representative_ = representative;
    hosts_.emplace(host);
  }
  void End() {
    if (hosts_.size() <= most_hosts_) {
      for (auto a = hosts_.begin(); a != hosts_.end(); ++a) {
        for (auto b = std::next(a); b != hosts_.end(); ++b) shared_[{*a, *b}]++;
      }
    }
    hosts_.clear();
  }
  const std::map<std::pair<std::string, std::string>, uint64_t>& shared() const { return shared_; }

 private:
  const size_t most_hosts_;
  std::string representative_;
  std::set<std::string, std::less<>> hosts_;
  std::map<std::pair<std::string, std::string>, uint64_t> shared_;
};

}  // namespace

double MirrorHosts::share() const {
  const uint64_t smaller = std::min(pages, original_pages);
  return smaller == 0 ? 0 : std::min(1.0, static_cast<double>(shared) / static_cast<double>(smaller));
}

Result<std::vector<MirrorHosts>> FindMirrors(collection::Collection& store, const MirrorOptions& options) {
  std::map<std::string, HostCounts, std::less<>> counts;
  CRV_TRY(ForEachComparedPage(store, {}, {}, [&counts](const ComparedPage& page) -> Status {
    CRV_ASSIGN(const std::string host, HostOf(page.key));
    counts[host].pages++;
    return Status::Ok();
  }));
  ExternalSorter sorter({.folder = DuplicatesFolder(store.directory()) + "/scratch-mirrors"});
  for (collection::Tablet* const tablet : store.tablets()) {
    CRV_TRY(tablet->duplicates().ForEach([&](std::string_view key, const store::DupCell& cell) -> Status {
      CRV_ASSIGN(const std::string host, HostOf(key));
      if (key == cell.representative) counts[host].represents++;
      return sorter.Add(cell.representative + " " + host);
    }));
  }
  CRV_TRY(sorter.Sort());
  HostPairs pairs(options.most_hosts);
  while (sorter.Next()) {
    const std::string_view record = sorter.record();
    const size_t space = record.find(' ');
    pairs.Add(record.substr(0, space), record.substr(space + 1));
  }
  CRV_TRY(sorter.status());
  pairs.End();
  std::vector<MirrorHosts> mirrors;
  for (const auto& [hosts, shared] : pairs.shared()) {
    MirrorHosts mirror = {.host = hosts.second, .original = hosts.first, .shared = shared};
    if (counts[mirror.host].represents > counts[mirror.original].represents) {
      std::swap(mirror.host, mirror.original);
    }
    mirror.pages = counts[mirror.host].pages;
    mirror.original_pages = counts[mirror.original].pages;
    if (shared >= options.least_shared && mirror.share() >= options.least_share) mirrors.push_back(mirror);
  }
  std::stable_sort(mirrors.begin(), mirrors.end(), [](const MirrorHosts& a, const MirrorHosts& b) {
    return a.share() != b.share() ? a.share() > b.share() : a.shared > b.shared;
  });
  CRV_TRY(RemoveFolder(DuplicatesFolder(store.directory()) + "/scratch-mirrors"));
  return mirrors;
}

}  // namespace crivello::jobs
