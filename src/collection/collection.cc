// SPDX-License-Identifier: Apache-2.0
#include "collection/collection.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "collection/collection_lock.h"
#include "policy/agent.h"
#include "sieve/sieve_factory.h"
#include "web/url/signature.h"

namespace crivello::collection {
namespace {

Result<std::vector<std::string>> ReadSeeds(const std::string& path) {
  std::vector<std::string> seeds;
  const Result<std::string> text = ReadFile(path);
  if (text.status().code() == StatusCode::kNotFound) return seeds;
  CRV_TRY(text.status());
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) seeds.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return seeds;
}

// Reads it, or writes that of a new collection.
Result<CollectionFile> OpenCollectionFile(const CollectionOptions& options) {
  Result<CollectionFile> file = CollectionFile::Read(options.directory);
  if (file.status().code() == StatusCode::kNotFound) {
    const std::string path = fmt::format("{}/{}", options.directory, kCollectionFileName);
    const std::string kind = options.sieve.empty() ? CollectionFile().sieve : options.sieve;
    CRV_TRY(WriteFileAtomically(path, AsBytes(NewCollectionFile(kind))));
    return CollectionFile::Read(options.directory);
  }
  if (file.ok() && !options.sieve.empty() && options.sieve != file->sieve) {
    return Status::InvalidArgument(
        fmt::format("{} was made with the sieve {}, and keeps it", options.directory, file->sieve));
  }
  return file;
}

}  // namespace

Result<std::unique_ptr<Collection>> Collection::Open(const CollectionOptions& options) {
  std::error_code error;
  const std::string tablets = options.directory + "/tablets";
  if (!options.create && !std::filesystem::exists(tablets, error)) {
    return Status::NotFound(options.directory + " is no collection: 'crivello crawl' makes one");
  }
  CRV_TRY(MakeFolders(options.directory));

  std::unique_ptr<Collection> store(new Collection);
  store->directory_ = options.directory;
  CRV_ASSIGN(store->lock_, LockCollection(options.directory));
  {
    MutexLock lock(store->seeds_mu_);
    CRV_ASSIGN(store->seeds_, ReadSeeds(options.directory + "/seeds.txt"));
  }
  CRV_ASSIGN(store->forgotten_, ForgottenList::Open(options.directory));

  CRV_ASSIGN(store->file_, OpenCollectionFile(options));

  frontier::Collection::Options collection;
  collection.tablets = options.tablets;
  collection.tablet.open_sieve = [&](const std::string& directory) {
    return sieve::MakeSieve(store->file_.sieve, directory, {.memory_bytes = options.sieve_memory_bytes});
  };
  collection.tablet.memory_bytes = options.memory_bytes;
  std::vector<kv::FamilyOptions>& families = collection.tablet.families;
  const store::TableFamilies table = store::TableFamilies::AddTo(&families);
  const kv::Family ledger = store::Ledger::AddTo(&families);
  const auto robots = static_cast<kv::Family>(families.size());
  families.push_back({.name = "robots", .blobs = true});
  const auto sites = static_cast<kv::Family>(families.size());
  families.push_back({.name = "sites", .blobs = true});
  const kv::Family changes = store::ChangeLog::AddTo(&families);
  CRV_ASSIGN(store->collection_, frontier::Collection::Open(options.directory, collection));

  for (uint32_t i = 0; i < store->collection_->tablets(); ++i) {
    frontier::Tablet& tablet = store->collection_->tablet(i);
    kv::Database& db = tablet.db();
    CRV_ASSIGN(auto log, store::ChangeLog::Open(db, tablet.family(changes)));
    store::ChangeLog* const log_of_table = log.get();
    store->tablets_.push_back(std::unique_ptr<Tablet>(
        new Tablet{&tablet, std::move(log),
                   store::Table(db,
                                {.newest = tablet.family(table.newest),
                                 .fetch = tablet.family(table.fetch),
                                 .text = tablet.family(table.text),
                                 .link = tablet.family(table.link),
                                 .payload = tablet.family(table.payload)},
                                log_of_table),
                   store::Ledger(db, tablet.family(ledger)),
                   RobotsKeeper(db, tablet.family(robots), {.agent = std::string(policy::kAgentToken)}),
                   page::SiteTemplates(db, tablet.family(sites),
                                       options.memory_bytes / 4 / store->collection_->tablets()),
                   nullptr}));
    if (options.with_archive) {
      store::ArchiveOptions archive = options.archive;
      archive.directory = store->tablets_.back()->archive_directory();
      CRV_ASSIGN(store->tablets_.back()->archive, store::Archive::Open(std::move(archive)));
    }
  }
  return store;
}

Collection::~Collection() {
  tablets_.clear();
  collection_.reset();
  if (lock_ >= 0) close(lock_);
}

Collection::Tablet& Collection::TabletOfHost(std::string_view host) {
  return *tablets_[web::TabletOf(web::HostHash(host), collection_->tablet_bits())];
}

std::vector<std::string> Collection::seeds() const {
  MutexLock lock(seeds_mu_);
  return seeds_;
}

Status Collection::AddSeeds(const std::vector<std::string>& urls) {
  MutexLock lock(seeds_mu_);
  const size_t before = seeds_.size();
  std::unordered_set<std::string> known(seeds_.begin(), seeds_.end());
  for (const std::string& url : urls) {
    if (known.insert(url).second) seeds_.push_back(url);
  }
  if (seeds_.size() == before) return Status::Ok();
  std::string text;
  for (const std::string& url : seeds_) text += url + "\n";
  return WriteFileAtomically(directory_ + "/seeds.txt", AsBytes(text));
}

Status Collection::Close() {
  for (const auto& tablet : tablets_) {
    CRV_TRY(tablet->templates.Save());
    if (tablet->archive != nullptr) CRV_TRY(tablet->archive->Close());
  }
  return Status::Ok();
}

}  // namespace crivello::collection
