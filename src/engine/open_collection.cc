// SPDX-License-Identifier: Apache-2.0
#include "engine/open_collection.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <thread>

#include "engine/collection_access.h"
#include "engine/forget_everywhere.h"
#include "engine/stored_index.h"
#include "wire/remote_service.h"

namespace crivello::engine {
namespace {

Status FinishForgetting(collection::Collection& store, Listener& listener) {
  if (!store.forgotten().current()->unfinished()) return Status::Ok();
  listener.Warn("forget.resumed", "an interrupted deletion is completed first");
  StoredIndex index;
  const auto progress = listener.NewProgress();
  CRV_ASSIGN(const auto summary, FinishForgettingEverywhere(store, &index, *progress));
  for (const collection::ForgetTarget& target : summary->targets) {
    listener.Warn("forget.done", target.ToString() + " is forgotten");
  }
  return Status::Ok();
}

// Opens a collection to write to it.  A process that only reads it (`serve`) is asked to close it.  One that
// has it open and does not listen may be about to close it or to listen, so wait.
Result<std::unique_ptr<collection::Collection>> OpenToWrite(const collection::CollectionOptions& options) {
  const MonotonicTime until = SystemClock().Now() + kChangeOfOwner;
  SilentListener silent;
  auto store = collection::Collection::Open(options);
  while (store.status().code() == StatusCode::kUnavailable && SystemClock().Now() < until) {
    const auto other =
        wire::RemoteService::Connect(SocketPath(options.directory), {.patience = kChangeOfOwner});
    if (other.ok()) {
      const auto released = (*other)->Ask(wire::ReleaseRequest(), silent);
      if (released.status().code() == StatusCode::kInvalidArgument) return store;  // it writes, too
    }
    std::this_thread::sleep_for(kOwnerPoll);
    store = collection::Collection::Open(options);
  }
  return store;
}

Result<std::unique_ptr<collection::Collection>> OpenAndFinish(const collection::CollectionOptions& options,
                                                              Listener& listener) {
  CRV_ASSIGN(std::unique_ptr<collection::Collection> store, OpenToWrite(options));
  CRV_TRY(FinishForgetting(*store, listener));
  return store;
}

collection::CollectionOptions ThereAlready(const std::string& directory) {
  collection::CollectionOptions options;
  options.directory = directory;
  options.create = false;
  options.with_archive = false;
  return options;
}

}  // namespace

Result<std::unique_ptr<collection::Collection>> OpenToRead(const std::string& directory) {
  collection::CollectionOptions options = ThereAlready(directory);
  options.reading = collection::CollectionOptions::Reading::kShared;
  return collection::Collection::Open(options);
}

Result<std::unique_ptr<collection::Collection>> OpenToAnswer(const std::string& directory) {
  collection::CollectionOptions options = ThereAlready(directory);
  options.reading = collection::CollectionOptions::Reading::kAlone;
  return collection::Collection::Open(options);
}

void WarnOfUnfinished(const collection::Collection& store, Listener& listener) {
  for (const collection::ForgottenEntry& entry : store.forgotten().current()->entries()) {
    if (entry.done != 0) continue;
    listener.Warn("forget.unfinished", "the deletion of " + entry.target.ToString() +
                                           " was interrupted; complete it with 'crivello forget --finish'");
  }
}

Result<std::unique_ptr<collection::Collection>> OpenToCare(const std::string& directory) {
  return OpenToWrite(ThereAlready(directory));
}

Result<std::unique_ptr<collection::Collection>> OpenToChange(const std::string& directory,
                                                             Listener& listener) {
  return OpenAndFinish(ThereAlready(directory), listener);
}

Result<std::unique_ptr<collection::Collection>> OpenToImport(const std::string& directory,
                                                             Listener& listener) {
  collection::CollectionOptions options;
  options.directory = directory;
  return OpenAndFinish(options, listener);
}

Result<std::unique_ptr<collection::Collection>> OpenToCrawl(const std::string& directory,
                                                            const OpenToCrawlOptions& how,
                                                            crawl::CrawlOptions* options,
                                                            Listener& listener) {
  if (options->user_agent.empty()) {
    options->user_agent =
        options->contact.empty() ? how.software : fmt::format("{} (+{})", how.software, options->contact);
  }
  collection::CollectionOptions open;
  open.directory = directory;
  open.tablets = options->tablets;
  open.work = how.work;
  open.memory_bytes = options->memory_bytes;
  open.sieve = options->sieve;
  open.archive.warc.compression = options->compression;
  open.archive.rotate_bytes = options->warc_bytes;
  open.archive.prefix = options->warc_prefix;
  open.archive.warcinfo = {
      {"software", how.software}, {"robots", "obey"}, {"http-header-user-agent", options->user_agent}};
  if (!options->contact.empty()) open.archive.warcinfo.emplace_back("operator", options->contact);
  RaiseDescriptorLimit();
  CRV_ASSIGN(std::unique_ptr<collection::Collection> store, OpenToWrite(open));
  for (collection::Tablet* const tablet : store->tablets()) {
    for (const std::string& sentence : tablet->archive()->recovery().Sentences()) {
      listener.Warn("archive.repaired", sentence);
    }
    CRV_ASSIGN(const uint64_t hosts, tablet->queues().WakeFromImpossibleTimes(SystemClock().Wall()));
    if (hosts > 0) {
      listener.Warn(
          "clock.jumped",
          fmt::format("{}: {} hosts were to wait for more than a day, as after a clock that was wrong; "
                      "they may be visited now",
                      tablet->directory(), hosts));
    }
  }
  CRV_TRY(FinishForgetting(*store, listener));
  return store;
}

void RaiseDescriptorLimit() {
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace crivello::engine
