// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/takeover.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace crivello::cluster {
namespace {

constexpr std::string_view kReady = "READY";
constexpr std::string_view kClaimPrefix = "claim-";
constexpr std::string_view kArchive = "archive/";
constexpr std::string_view kDatabase = "db/";

// The number in archive/crivello-TIME-NUMBER.warc.gz, also of the index beside it; 0 if there is none.
uint64_t ArchiveSerial(std::string_view path) {
  if (!path.starts_with(kArchive)) return 0;
  path = path.substr(0, path.find('.'));
  path.remove_prefix(path.rfind('-') + 1);
  uint64_t serial = 0;
  std::from_chars(path.data(), path.data() + path.size(), serial);
  return serial;
}

}  // namespace

FileRole RoleOfTabletFile(const std::string& path, const std::vector<std::string>& all) {
  const std::string name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (path == kReady || path == "lock" || name == "LOCK" || name.find(".tmp-") != std::string::npos) {
    return FileRole::kSkip;
  }
  if (path.starts_with(kDatabase)) {
    return name.ends_with(".sst") || name.ends_with(".blob") ? FileRole::kLink : FileRole::kCopy;
  }
  if (path.starts_with(kArchive)) {
    // The file with the highest number may still grow.
    uint64_t newest = 0;
    for (const std::string& one : all) newest = std::max(newest, ArchiveSerial(one));
    return ArchiveSerial(path) < newest ? FileRole::kLink : FileRole::kCopy;
  }
  return FileRole::kCopy;
}

std::string Takeover::ClaimPath() const {
  return fmt::format("{}/{}{:016x}", options_.tablet, kClaimPrefix, options_.nonce);
}

Status Takeover::PassAgain() {
  if (++passes_ >= kMaxPasses) {
    return Status::Unavailable(fmt::format(
        "{}: files came and went during {} attempts to copy them; try again", LastFolder(), kMaxPasses));
  }
  phase_ = Phase::kClear;
  return Status::Ok();
}

Status Takeover::CopyNext(SharedFiles& files) {
  const std::string& name = names_[next_];
  const FileRole role = options_.role(name, names_);
  const std::string from = LastFolder() + "/" + name;
  const std::string to = folder() + "/" + name;
  next_++;
  if (role == FileRole::kSkip) return Status::Ok();
  if (const size_t slash = name.rfind('/'); slash != std::string::npos) {
    const std::string in = folder() + "/" + name.substr(0, slash);
    if (std::find(folders_.begin(), folders_.end(), in) == folders_.end()) {
      CRV_TRY(files.MakeFolder(in));
      folders_.push_back(in);
    }
  }
  Status done;
  if (role == FileRole::kLink) {
    const Result<bool> linked = files.Link(from, to);
    if (!linked.ok()) done = linked.status();
  } else {
    done = files.Copy(from, to);
  }
  return done.code() == StatusCode::kNotFound ? PassAgain() : done;
}

Status Takeover::Advance(SharedFiles& files) {
  switch (phase_) {
    case Phase::kMakeTablet:
      if (!ValidOwner(options_.owner)) {
        return Status::InvalidArgument(fmt::format(
            "invalid name of an agent '{}': expected 1 to 255 printable characters without spaces",
            options_.owner));
      }
      CRV_TRY(files.MakeFolder(options_.tablet));
      break;
    case Phase::kLook: {
      // A stale listing costs another attempt, no more.
      CRV_ASSIGN(const auto names, files.List(options_.tablet, SharedFiles::Look::kCached));
      epoch_ = std::max(above_, HighestEpoch(names)) + 1;
      break;
    }
    case Phase::kWriteClaim:
      CRV_TRY(files.Write(ClaimPath(),
                          EncodeClaim({.epoch = epoch_, .nonce = options_.nonce, .owner = options_.owner})));
      break;
    case Phase::kSyncClaim:
      CRV_TRY(files.Sync(ClaimPath()));
      break;
    case Phase::kLink: {
      CRV_ASSIGN(const bool linked, files.Link(ClaimPath(), EpochPath()));
      phase_ = linked ? Phase::kSyncName : Phase::kCompareNonce;
      return Status::Ok();
    }
    case Phase::kCompareNonce: {
      // A server may have done what was asked for, and the answer been lost: then the claim is ours.
      CRV_ASSIGN(const std::string bytes, files.Read(EpochPath()));
      const Result<Claim> claim = DecodeClaim(EpochPath(), bytes);
      if (claim.ok() && claim->nonce == options_.nonce && claim->owner == options_.owner) break;
      above_ = epoch_;
      phase_ = Phase::kLook;
      return Status::Ok();
    }
    case Phase::kSyncName:
      CRV_TRY(files.SyncFolder(options_.tablet));
      break;
    case Phase::kRemoveClaim:
      CRV_TRY(files.Remove(ClaimPath()));
      break;
    case Phase::kVerify: {
      CRV_ASSIGN(const auto names, files.List(options_.tablet, SharedFiles::Look::kFresh));
      if (const uint64_t highest = HighestEpoch(names); highest != epoch_) {
        return Status::Unavailable(fmt::format("{}: epoch {} was claimed, but {} is there already",
                                               options_.tablet, epoch_, highest));
      }
      for (const std::string& name : names) {
        const auto epoch = ParseEpochFolderName(name);
        if (!epoch) continue;
        if (*epoch >= epoch_) {
          return Status::Corruption(
              fmt::format("{}/{}: the claim of this epoch is gone, and {} is claimed now; does this file "
                          "system sync names?",
                          options_.tablet, name, epoch_));
        }
        candidates_.push_back(*epoch);
      }
      std::sort(candidates_.begin(), candidates_.end());
      break;
    }
    case Phase::kFindLast: {
      if (candidates_.empty()) break;  // a new tablet
      from_ = candidates_.back();
      candidates_.pop_back();
      const auto ready = files.Read(LastFolder() + "/" + std::string(kReady));
      if (ready.ok()) break;
      if (ready.status().code() != StatusCode::kNotFound) return ready.status();
      from_ = 0;  // its owner never opened it
      return Status::Ok();
    }
    case Phase::kClear:
      // A file that was linked may have to be copied now, and a copy must not be written into the link.
      CRV_TRY(files.RemoveTree(folder()));
      break;
    case Phase::kMakeFolder:
      CRV_TRY(files.MakeFolder(folder()));
      folders_ = {options_.tablet, folder()};
      break;
    case Phase::kList: {
      next_ = 0;
      found_.clear();
      names_.clear();
      if (from_ != 0) {
        CRV_ASSIGN(found_, files.Tree(LastFolder()));
      }
      for (const SharedFile& file : found_) names_.push_back(file.path);
      std::stable_partition(names_.begin(), names_.end(),
                            [](const std::string& name) { return name.starts_with(kDatabase); });
      break;
    }
    case Phase::kCopy:
      if (next_ < names_.size()) return CopyNext(files);
      break;
    case Phase::kListAgain:
      if (from_ != 0) {
        CRV_ASSIGN(const auto found, files.Tree(LastFolder()));
        if (found != found_) return PassAgain();
      }
      next_ = 0;
      break;
    case Phase::kSyncFolders:
      CRV_TRY(files.SyncFolder(folders_[next_]));
      if (++next_ < folders_.size()) return Status::Ok();
      break;
    case Phase::kWriteReady:
      CRV_TRY(files.Write(folder() + "/" + std::string(kReady),
                          EncodeClaim({.epoch = epoch_, .nonce = options_.nonce, .owner = options_.owner})));
      break;
    case Phase::kSyncReady:
      CRV_TRY(files.Sync(folder() + "/" + std::string(kReady)));
      break;
    case Phase::kSyncReadyName:
      CRV_TRY(files.SyncFolder(folder()));
      break;
    case Phase::kDone:
      return Status::Ok();
  }
  phase_ = static_cast<Phase>(static_cast<uint8_t>(phase_) + 1);
  return Status::Ok();
}

Result<bool> Takeover::Step(SharedFiles& files) {
  CRV_TRY(Advance(files));
  return phase_ == Phase::kDone;
}

Status Takeover::Run(SharedFiles& files) {
  for (;;) {
    CRV_ASSIGN(const bool done, Step(files));
    if (done) return Status::Ok();
  }
}

Status RemoveOlderEpochs(SharedFiles& files, const std::string& tablet, uint64_t epoch) {
  CRV_ASSIGN(const auto names, files.List(tablet, SharedFiles::Look::kFresh));
  if (HighestEpoch(names) != epoch) {
    return Status::Unavailable(fmt::format("{}: epoch {} is not the last one", tablet, epoch));
  }
  for (const std::string& name : names) {
    const std::string path = tablet + "/" + name;
    const auto folder = ParseEpochFolderName(name);
    const auto claim = ParseEpochFileName(name);
    if (folder && *folder < epoch) CRV_TRY(files.RemoveTree(path));
    if ((claim && *claim < epoch) || name.starts_with(kClaimPrefix)) CRV_TRY(files.Remove(path));
  }
  return files.SyncFolder(tablet);
}

}  // namespace crivello::cluster
