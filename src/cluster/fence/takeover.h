// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cluster/fence/epoch_file.h"
#include "cluster/fence/shared_files.h"

namespace crivello::cluster {

// What a new owner does with a file of the last epoch.
enum class FileRole {
  kLink,  // it never changes: a hard link
  kCopy,  // the old owner may still write to it: a copy, so that it writes where nobody looks
  kSkip,  // it means something to its process only
};
// Of the files of a tablet, by their path in its folder.  The newest file of the archive is among `all`, and
// may still grow; older ones do not.
FileRole RoleOfTabletFile(const std::string& path, const std::vector<std::string>& all);

struct TakeoverOptions {
  std::string tablet = {};  // its folder, with the EPOCH files
  std::string owner = {};   // the name of this agent
  uint64_t nonce = 0;       // random, a new one for each attempt
  // The epoch is higher than this one, of which something else (the lease) knows.
  uint64_t above = 0;
  FileRole (*role)(const std::string& path, const std::vector<std::string>& all) = RoleOfTabletFile;
};

// Takes a tablet over: claims the next epoch, and makes its folder from that of the last one.  The old owner
// may be alive, paused or dead; nothing here waits for it.
//
//   1. The file EPOCH-n with n above all others is claimed by a hard link, which only one agent can make, and
//   made
//      durable.  From here on no owner of a lower epoch acknowledges anything (EpochLease).
//   2. Only then anything is read.  What an older owner acknowledged was synced before it looked for a higher
//   epoch
//      and found none, so before the claim: it is there.
//   3. The folder eN is made from that of the highest epoch that has the file READY.  Files that never change
//   are
//      linked, others copied, and if files came or went meanwhile, all of it is done again.
//   4. READY is written last, when all else is durable.
//
// One step is one operation on the file system.  A plain value: a test copies it to explore all schedules.
class Takeover {
 public:
  explicit Takeover(TakeoverOptions options) : options_(std::move(options)), above_(options_.above) {}

  // One operation.  True once the folder is ready.  After an error it is over, and another attempt (with
  // another nonce) may be made: Unavailable if another agent was faster or the old owner changes files all
  // the time, InvalidArgument for an owner that is not a name.
  Result<bool> Step(SharedFiles& files);
  // All steps.
  Status Run(SharedFiles& files);

  // Once the claim was made.
  uint64_t epoch() const { return epoch_; }
  // Once it is ready: the folder of the epoch, and the epoch that it was made from (0: the tablet is new).
  std::string folder() const { return options_.tablet + "/" + EpochFolderName(epoch_); }
  uint64_t from() const { return from_; }
  const TakeoverOptions& options() const { return options_; }
  // Where it is, for tests; and whether the next step concerns only files that no other agent reads.
  bool next_is_private() const {
    return phase_ == Phase::kWriteClaim || phase_ == Phase::kSyncClaim || phase_ == Phase::kRemoveClaim ||
           phase_ == Phase::kClear || phase_ == Phase::kWriteReady;
  }
  int phase() const { return static_cast<int>(phase_); }
  size_t files_done() const { return next_; }
  int passes() const { return passes_; }

 private:
  enum class Phase : uint8_t {
    kMakeTablet,
    kLook,
    kWriteClaim,
    kSyncClaim,
    kLink,
    kCompareNonce,
    kSyncName,
    kRemoveClaim,
    kVerify,
    kFindLast,
    kClear,
    kMakeFolder,
    kList,
    kCopy,
    kListAgain,
    kSyncFolders,
    kWriteReady,
    kSyncReady,
    kSyncReadyName,
    kDone,
  };
  static constexpr int kMaxPasses = 20;

  Status Advance(SharedFiles& files);
  Status CopyNext(SharedFiles& files);
  Status PassAgain();
  std::string ClaimPath() const;
  std::string EpochPath() const { return options_.tablet + "/" + EpochFileName(epoch_); }
  std::string LastFolder() const { return options_.tablet + "/" + EpochFolderName(from_); }

  TakeoverOptions options_;
  Phase phase_ = Phase::kMakeTablet;
  uint64_t above_;
  uint64_t epoch_ = 0;
  std::vector<uint64_t> candidates_;  // older epochs, ascending
  uint64_t from_ = 0;
  std::vector<SharedFile> found_;     // files of the last epoch
  std::vector<std::string> names_;    // their paths, in the order of copying
  std::vector<std::string> folders_;  // that were made
  size_t next_ = 0;                   // of names_ or folders_
  int passes_ = 0;
};

// Removes the folders and claims of epochs below `epoch`, whose owner is the caller, and claims that were
// never linked.  Call it a day later: nothing reads them, but an old owner may still be shutting down.
Status RemoveOlderEpochs(SharedFiles& files, const std::string& tablet, uint64_t epoch);

}  // namespace crivello::cluster
