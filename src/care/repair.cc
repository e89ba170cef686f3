// SPDX-License-Identifier: Apache-2.0
#include "care/repair.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/atomic_file.h"
#include "base/civil_time.h"
#include "base/copy_file.h"
#include "base/folder.h"
#include "base/mapped_file.h"
#include "collection/archived_page.h"
#include "collection/folder_lock.h"
#include "page/archived_answer.h"
#include "store/archive_index.h"
#include "store/archive_reader.h"
#include "store/capture.h"
#include "store/warc_reader.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::care {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kRepairBatchBytes = 8 << 20;
constexpr size_t kKeysAtOnce = 4096;
constexpr std::string_view kNotModified = "server-not-modified";

// "sha1:" and 32 base32 letters, as the archive writes it (base/digest.h).
std::optional<Sha1> ParseSha1(std::string_view text) {
  constexpr std::string_view kPrefix = "sha1:", kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  if (!text.starts_with(kPrefix) || text.size() != kPrefix.size() + 32) return std::nullopt;
  Sha1 digest = {};
  for (size_t bit = 0; bit < 160; bit += 5) {
    const size_t value = kLetters.find(text[kPrefix.size() + bit / 5]);
    if (value == std::string_view::npos) return std::nullopt;
    for (size_t i = 0; i < 5; ++i) {
      if ((value >> (4 - i) & 1) != 0) digest[(bit + i) / 8] |= static_cast<uint8_t>(0x80 >> ((bit + i) % 8));
    }
  }
  return digest;
}

// Rebuilds the rows of one tablet from its archive.
class TabletRebuilder {
 public:
  TabletRebuilder(collection::Collection& store, collection::Tablet& tablet, RepairSummary* summary)
      : store_(store),
        tablet_(tablet),
        summary_(*summary),
        archive_(tablet.archive_directory()),
        deriver_({}) {}

  Status Run(Progress& progress) {
    CRV_ASSIGN(const std::vector<store::ArchiveFile> files, store::ListArchive(tablet_.archive_directory()));
    for (const store::ArchiveFile& file : files) {
      const std::string path = tablet_.archive_directory() + "/" + file.name;
      CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
      store::WarcReader reader(AsText(mapped.bytes()));
      while (const auto record = reader.Next()) {
        summary_.records++;
        progress.Advance(1);
        CRV_TRY(Add(file.serial, *record));
        if (batch_.size_bytes() >= kRepairBatchBytes) CRV_TRY(Write());
      }
      summary_.damaged += reader.damages();
      for (const store::WarcDamage& damage : reader.damage()) {
        Tell(fmt::format("{}, byte {}: {}", path, damage.offset, damage.what));
      }
    }
    CRV_TRY(Write());
    return tablet_.templates().Save();
  }

  // Copies pages that were never archived from the old table.  An error is one of the new table.
  Status CopyUnarchived(const collection::Collection& settings, const std::string& old_tablet) {
    auto opened = collection::Tablet::Open(std::make_unique<collection::LocalLease>(old_tablet), tablet_.id(),
                                           // No kind of sieve: what that has lost is nothing to the rows.
                                           {.sieve = "", .memory = settings.memory(), .read_only = true});
    Status status = opened.status();
    if (opened.ok()) {
      const store::Table& table = (*opened)->table();
      store::RowCursor row = table.Scan();
      for (; status.ok() && row.valid(); row.NextVersion()) {
        const auto fetch = row.fetch();
        if (!fetch.ok()) status = fetch.status();
        if (!fetch.ok() || fetch->record.length != 0) continue;
        if (store_.forgotten().current()->Find(row.key()) != nullptr) continue;
        CRV_TRY(CopyVersion(table, std::string(row.key()), row.time(), *fetch));
      }
      if (status.ok()) status = row.status();
    }
    if (!status.ok()) Tell("documents that were imported without an archive: " + status.message());
    return Write();
  }

  // Tells the sieve about the pages, so that they are not fetched again when another page links to them.
  Status MarkSeen() {
    std::vector<sieve::Key> keys;
    store::RowCursor row = tablet_.table().Scan();
    for (; row.valid(); row.NextRow()) {
      const auto url = web::UrlOfRowKey(row.key());
      if (!url.ok()) continue;
      // A key without bytes is remembered, and enters no queue.
      keys.push_back({.signature = web::UrlSignature(*url), .bytes = {}});
      if (keys.size() < kKeysAtOnce) continue;
      CRV_TRY(tablet_.sieve().Offer(keys));
      keys.clear();
    }
    CRV_TRY(row.status());
    CRV_TRY(tablet_.sieve().Offer(keys));
    return tablet_.sieve().Sync();
  }

 private:
  void Tell(std::string sentence) {
    if (summary_.sentences.size() < RepairSummary::kMaxSentences) {
      summary_.sentences.push_back(std::move(sentence));
    }
  }
  Status Write() {
    CRV_TRY(tablet_.db().Write(batch_, {.sync = true}));
    batch_.Clear();
    newest_.clear();
    return Status::Ok();
  }
  Result<std::optional<store::VersionTime>> Newest(const std::string& key) const {
    const auto found = newest_.find(key);
    if (found != newest_.end()) return std::optional(found->second);
    return tablet_.table().Newest(key);
  }

  Status Add(uint32_t serial, const store::WarcRecord& record) {
    const bool revisit = record.type == store::WarcType::kRevisit;
    if (record.type != store::WarcType::kResponse && !revisit) return Status::Ok();
    if (store::IsForRobots(record)) return Status::Ok();
    const auto url = web::CanonicalUrl(record.target_uri);
    const std::optional<int64_t> date = store::ParseWarcDate(record.date);
    if (!url.ok() || !date || record.stored_bytes == 0) return Status::Ok();
    CRV_ASSIGN(const std::string key, web::RowKey(*url));
    if (store_.forgotten().current()->Find(key) != nullptr) return Status::Ok();

    if (revisit && !batch_.empty()) CRV_TRY(Write());  // the page with its body may be in the batch
    CRV_ASSIGN(const auto newest, Newest(key));
    store::VersionTime time = *date * 1'000'000;
    if (revisit &&
        record.fields.Find("WARC-Profile").value_or("").find(kNotModified) != std::string_view::npos) {
      if (newest && *newest < time) {
        tablet_.table().Touch(key, time, &batch_);
        newest_[key] = time;
      }
      return Status::Ok();
    }
    // Records have a resolution of one second, versions a finer one.
    if (newest && *newest / 1'000'000 == *date) time = *newest + 1;

    store::FetchCell fetch;
    fetch.record = {.file = serial, .offset = record.offset, .length = record.stored_bytes};
    const web::HttpResponse http = web::ParseHttpResponse(record.block);
    std::string_view body = http.body;
    std::optional<collection::ArchivedPage> origin;
    if (revisit) {
      fetch.revisit = true;
      CRV_TRY(FindBody(record, &fetch, &origin));
      if (!origin) return Status::Ok();
      body = origin->body;
    }
    CRV_TRY(page::FillFromAnswer({.url = *url,
                                  .date = *date,
                                  .head = record.block.substr(0, http.head_bytes),
                                  .http = http,
                                  .body = body,
                                  .truncated = record.fields.Find("WARC-Truncated").has_value()},
                                 deriver_, tablet_.templates(), &fetch, &text_, &links_));
    const store::RowVersion version = {.time = time, .fetch = &fetch, .text = text_, .links = links_};
    if (newest && *newest > time) {
      tablet_.table().Replace(key, version, &batch_);
    } else {
      CRV_TRY(tablet_.table().Put(key, version, &batch_));
      newest_[key] = time;
    }
    if (!revisit && !body.empty() && !fetch.truncated) {
      tablet_.table().PutPayload(fetch.payload, key, time, &batch_);
    }
    summary_.versions++;
    return Status::Ok();
  }

  Status CopyVersion(const store::Table& from, const std::string& key, store::VersionTime time,
                     const store::FetchCell& fetch) {
    const auto text = from.Text(key, time);
    const auto links = from.Links(key, time);
    if (!text.ok() || !links.ok()) {
      Tell(fmt::format("{}: {}", key, (text.ok() ? links.status() : text.status()).message()));
      return Status::Ok();
    }
    text_.clear();
    links_.clear();
    if (*text) store::EncodeTextCell(***text, &text_);
    if (*links) {
      store::LinkCellBuilder cell;
      for (const store::OutLink& link : **links) cell.Add(link.url, link.text, link.kind, link.nofollow);
      links_ = cell.bytes();
    }
    CRV_ASSIGN(const auto newest, Newest(key));
    const store::RowVersion version = {.time = time, .fetch = &fetch, .text = text_, .links = links_};
    if (newest && *newest > time) {
      tablet_.table().Replace(key, version, &batch_);
    } else {
      CRV_TRY(tablet_.table().Put(key, version, &batch_));
      newest_[key] = time;
    }
    summary_.copied++;
    return batch_.size_bytes() >= kRepairBatchBytes ? Write() : Status::Ok();
  }

  // For a revisit: the page that was archived with the body, if it exists.
  Status FindBody(const store::WarcRecord& record, store::FetchCell* fetch,
                  std::optional<collection::ArchivedPage>* origin) {
    const auto digest = ParseSha1(record.fields.Find("WARC-Payload-Digest").value_or(""));
    if (digest) {
      fetch->payload = *digest;
      auto page = collection::ReadArchivedPage(tablet_, archive_, *fetch);
      if (page.ok()) {
        origin->emplace(std::move(page).value());
        return Status::Ok();
      }
      if (page.status().code() != StatusCode::kNotFound && page.status().code() != StatusCode::kCorruption) {
        return page.status();
      }
    }
    summary_.bodiless++;
    Tell(fmt::format("{}: its body was archived with another page, and is not there", record.target_uri));
    return Status::Ok();
  }

  collection::Collection& store_;
  collection::Tablet& tablet_;
  RepairSummary& summary_;
  const store::ArchiveReader archive_;
  page::PageDeriver deriver_;
  kv::Batch batch_;
  std::unordered_map<std::string, store::VersionTime> newest_;  // of the rows in the batch
  std::string text_, links_;                                    // scratch
};

// What the new collection takes from the old one.
Status TakeOver(const std::string& from, const std::string& to, RepairSummary* summary) {
  std::error_code error;
  CRV_ASSIGN(const web::TabletMap map, collection::Collection::ListTablets(from));
  for (uint32_t slot = 0; slot < map.size(); ++slot) {
    const std::string tablet = "/tablets/" + map.id(slot).Name();
    CRV_TRY(MakeFolders(to + tablet + "/archive"));
    if (!fs::is_directory(from + tablet + "/archive", error)) continue;
    CRV_ASSIGN(const std::vector<store::ArchiveFile> files, store::ListArchive(from + tablet + "/archive"));
    for (const store::ArchiveFile& file : files) {
      const std::string source = from + tablet + "/archive/" + file.name;
      const std::string target = to + tablet + "/archive/";
      // Opening a file without an index truncates it at its last good record, so copy it.
      CRV_TRY(file.has_index ? LinkOrCopy(source, target + file.name) : CopyFile(source, target + file.name));
      if (!file.has_index) continue;
      store::IndexLines lines(target + file.index_name, PosixFileSystem());
      CRV_TRY(store::ScanArchiveFile(source, file.name,
                                     [&](const store::CdxjEntry& entry) { lines.Add(entry); }));
      CRV_TRY(lines.Finish(source));
    }
  }
  for (const char* name : {"crivello.toml", "seeds.txt", "exclusions.txt", "forgotten", "paused"}) {
    const Status status = CopyFile(from + "/" + name, to + "/" + name);
    if (status.code() != StatusCode::kNotFound) CRV_TRY(status);
  }
  // Without the list, the archive has blanks for forgotten pages, but nothing would keep them out any more.
  if (const auto list = collection::ForgottenList::Open(from);
      list.status().code() == StatusCode::kCorruption) {
    CRV_TRY(PosixFileSystem().Remove(to + "/forgotten"));
    summary->sentences.push_back(
        list.status().message() +
        ": the list is lost; its pages stay deleted, but nothing keeps them out until you "
        "forget them again");
  } else {
    CRV_TRY(list.status());
  }
  return WriteFileAtomically(collection::Collection::OfferAgainPath(to),
                             AsBytes("The next crawl offers the links of all pages again.\n"));
}

}  // namespace

Result<RepairSummary> Repair(const std::string& directory, const RepairOptions& options, Progress& progress) {
  CRV_TRY(collection::Collection::ListTablets(directory).status());
  std::error_code error;
  CRV_ASSIGN(const int lock, collection::LockFolder(directory));
  struct Unlock {
    int fd;
    ~Unlock() { close(fd); }
  } const unlock{lock};
  RepairSummary summary;
  const std::string made = directory + ".repair-unfinished";
  CRV_TRY(RemoveFolder(made));
  CRV_TRY(TakeOver(directory, made, &summary));
  {
    collection::CollectionOptions store_options;
    store_options.directory = made;
    CRV_ASSIGN(const auto store, collection::Collection::Open(store_options));
    progress.Start("reading the archive", 0);
    for (collection::Tablet* const tablet : store->tablets()) {
      TabletRebuilder rebuilder(*store, *tablet, &summary);
      CRV_TRY(rebuilder.Run(progress));
      CRV_TRY(
          rebuilder.CopyUnarchived(*store, collection::Collection::TabletDirectory(directory, tablet->id())));
      CRV_TRY(rebuilder.MarkSeen());
    }
    progress.Finish();
    if (options.index != nullptr) CRV_TRY(options.index->Rebuild(*store, progress));
    CRV_TRY(store->Close());
  }
  CRV_TRY(PosixFileSystem().SyncDirectory(made));
  const std::string name =
      fmt::format("{}.damaged-{}", directory, store::FormatTimestamp14(ToSeconds(options.clock->Wall())));
  summary.old = name;
  for (int i = 2; fs::exists(summary.old, error); ++i) summary.old = fmt::format("{}-{}", name, i);
  // First the new collection gets the name that the old one will have; then both are exchanged at once.  So
  // there is always a collection, and the old one never has a name that the next repair removes.
  CRV_TRY(PosixFileSystem().Rename(made, summary.old));
  if (renameat2(AT_FDCWD, summary.old.c_str(), AT_FDCWD, directory.c_str(), RENAME_EXCHANGE) != 0) {
    const int code = errno;
    CRV_TRY(PosixFileSystem().Rename(summary.old, made));
    return Status::FromErrno("exchange", directory, code);
  }
  CRV_TRY(PosixFileSystem().SyncDirectory(DirectoryOf(directory)));
  return summary;
}

}  // namespace crivello::care
