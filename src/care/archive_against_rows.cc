// SPDX-License-Identifier: Apache-2.0
#include "care/archive_against_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/mapped_file.h"
#include "frontier/host_queues.h"
#include "store/archive_index.h"
#include "store/archive_reader.h"
#include "store/capture.h"
#include "store/cdxj.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::care {
namespace {

constexpr size_t kItemsPerRead = 1024;
// The maximum kept while the queues are read; if a collection has lost more, fewer are reported.
constexpr size_t kMostRowless = 10'000;

// A page of the archive without a row.
struct Rowless {
  std::string url = {};  // canonical
  std::string host = {};
  std::string place = {};  // of its first record
};

class Comparison {
 public:
  Comparison(collection::Tablet& tablet, const collection::ForgottenSet& forgotten)
      : tablet_(tablet), forgotten_(forgotten), archive_(tablet.archive_directory()) {}

  Status Take(const store::ArchiveFile& file, const std::string& path, const store::CdxjEntry& entry) {
    const auto url = web::CanonicalUrl(entry.url);
    if (!url.ok()) return Status::Ok();
    CRV_ASSIGN(const std::string key, web::RowKey(*url));
    if (key == last_ || forgotten_.Find(key) != nullptr) return Status::Ok();
    CRV_ASSIGN(const auto newest, tablet_.table().Newest(key));
    if (!newest && IsForRobots(file, entry)) return Status::Ok();  // another capture may be of a page
    last_ = key;
    if (newest || rowless_.size() >= kMostRowless) return Status::Ok();
    rowless_.try_emplace(
        key, Rowless{.url = std::string(url->href()),
                     .host = std::string(url->hostname()),
                     .place = fmt::format("{}: the record at offset {}", path, entry.offset.value_or(0))});
    return Status::Ok();
  }

  Status Judge(store::StoreCheck* check) {
    std::unordered_set<std::string> hosts;
    for (const auto& [key, page] : rowless_) hosts.insert(page.host);
    std::unordered_set<std::string> queued;
    for (const std::string& host : hosts) CRV_TRY(ReadQueue(host, &queued));
    for (const auto& [key, page] : rowless_) {
      if (queued.contains(page.url)) continue;
      // It was being committed meanwhile: first its row appeared, and then it left the queue.
      CRV_ASSIGN(const auto newest, tablet_.table().Newest(key));
      if (newest) continue;
      check->Note(fmt::format("{} holds {}, which has no row and is not queued", page.place, page.url));
    }
    return Status::Ok();
  }

 private:
  Status ReadQueue(const std::string& host, std::unordered_set<std::string>* urls) {
    const uint64_t hash = web::HostHash(host);
    CRV_ASSIGN(const auto state, tablet_.queues().Load(hash));
    if (!state) return Status::Ok();
    frontier::QueueCursor cursor = frontier::HostQueues::Start(*state);
    while (true) {
      const auto items = tablet_.queues().Read(hash, cursor, kItemsPerRead);
      // The check of queues reports a damaged queue.
      if (items.status().code() == StatusCode::kCorruption) return Status::Ok();
      CRV_TRY(items.status());
      if (items->empty()) return Status::Ok();
      for (const frontier::QueueItem& item : *items) urls->insert(item.url);
    }
  }

  bool IsForRobots(const store::ArchiveFile& file, const store::CdxjEntry& entry) const {
    if (!entry.offset || !entry.length) return false;
    const auto record =
        archive_.Read({.file = file.serial, .offset = *entry.offset, .length = *entry.length});
    return record.ok() && store::IsForRobots(**record);
  }

  collection::Tablet& tablet_;
  const collection::ForgottenSet& forgotten_;
  const store::ArchiveReader archive_;
  std::string last_;  // the previous key: lines of a page are adjacent
  std::map<std::string, Rowless> rowless_;
};

}  // namespace

Status CheckArchiveAgainstRows(collection::Tablet& tablet, const collection::ForgottenSet& forgotten,
                               store::StoreCheck* check, Progress& progress) {
  Comparison comparison(tablet, forgotten);
  const std::string folder = tablet.archive_directory();
  const Result<std::vector<store::ArchiveFile>> files = store::ListArchive(folder);
  if (!files.ok()) return Status::Ok();  // there is no archive
  progress.Start("comparing the archive with the rows", files->size());
  for (const store::ArchiveFile& file : *files) {
    const std::string path = folder + "/" + file.name;
    progress.Advance(1);
    if (!file.has_index) {
      Status status;
      CRV_TRY(store::ScanArchiveFile(path, file.name, [&](const store::CdxjEntry& entry) {
                if (status.ok()) status = comparison.Take(file, path, entry);
              }).status());
      CRV_TRY(status);
      continue;
    }
    CRV_ASSIGN(const MappedFile index,
               MappedFile::Open(folder + "/" + file.index_name, AccessPattern::kSequential));
    for (std::string_view rest = AsText(index.bytes()); !rest.empty();) {
      const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
      rest.remove_prefix(line.size());
      const auto entry = store::ParseCdxj(line);
      if (entry.ok())
        CRV_TRY(comparison.Take(file, path, *entry));  // a damaged entry does not match its file
    }
  }
  progress.Finish();
  return comparison.Judge(check);
}

}  // namespace crivello::care
