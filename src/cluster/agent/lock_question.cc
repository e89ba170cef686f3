// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/lock_question.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/folder.h"
#include "base/wakeup.h"
#include "cluster/membership/cluster_records.h"

namespace crivello::cluster {
namespace {

constexpr std::string_view kHeld = "held";        // the lock cannot be taken, as it should be
constexpr std::string_view kFree = "free";        // it can
constexpr std::string_view kMissing = "missing";  // there is no such file
// A network file system may show a new file late.
constexpr int kLooksForTheFile = 20;
constexpr Duration kBetweenLooks = std::chrono::milliseconds(100);

std::string LockSubject(const std::string& scope, const std::string& agent) {
  return fmt::format("crivello.{}.lock.{}", scope, agent);
}
std::string FolderOfLocks(const std::string& folder) { return folder + "/agents"; }
std::string LockName(const std::string& agent, uint64_t process) {
  return fmt::format("lock-{}-{:016x}", agent, process);
}
// Whether the bytes of a question are a name that LockName() makes, and so without a path.
bool IsLockName(std::string_view name) {
  return name.starts_with("lock-") && ValidAgentName(name.substr(0, 64)) && name.size() < 128 &&
         (name.size() <= 64 || ValidAgentName(name.substr(64)));
}

class OpenedLock {
 public:
  OpenedLock(const std::string& path, int flags) : file_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  OpenedLock(const OpenedLock&) = delete;
  OpenedLock& operator=(const OpenedLock&) = delete;
  ~OpenedLock() {
    if (file_ >= 0) ::close(file_);
  }
  bool opened() const { return file_ >= 0; }
  // Nothing on an error, which is in errno.  The lock is that of this descriptor, not of the process.
  std::optional<bool> Take() const {
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(file_, F_OFD_SETLK, &lock) == 0) return true;
    if (errno == EAGAIN || errno == EACCES) return false;
    return std::nullopt;
  }

 private:
  const int file_;
};

std::string TryLockOf(const std::string& path) {
  Wakeup never;
  for (int look = 1;; look++) {
    const OpenedLock lock(path, O_RDWR);
    if (lock.opened()) {
      const std::optional<bool> taken = lock.Take();
      if (!taken) return Status::FromErrno("lock", path, errno).message();
      return std::string(*taken ? kFree : kHeld);
    }
    if (errno != ENOENT) return Status::FromErrno("open", path, errno).message();
    if (look == kLooksForTheFile) return std::string(kMissing);
    never.WaitFor(kBetweenLooks);
  }
}

Result<std::string> Judge(const LockQuestion& question, const std::string& other, const std::string& answer) {
  if (answer == kHeld) {
    return fmt::format("agent {} cannot take a lock that this one holds, as it should be", other);
  }
  if (answer == kFree) {
    return Status::InvalidArgument(fmt::format(
        "{}: locks are local to each machine: agent {} took a lock that this one holds; mount the "
        "file system so that locks hold between machines (NFS: without 'nolock' and 'local_lock')",
        question.folder, other));
  }
  if (answer == kMissing) {
    return Status::InvalidArgument(
        fmt::format("{}: agent {} does not see a file that this one made there: it has another folder; give "
                    "--shared the same file system on all machines, or each collection a --bucket of its own",
                    question.folder, other));
  }
  return Status::InvalidArgument(
      fmt::format("{}: agent {} cannot try a lock: {}", question.folder, other, answer));
}

}  // namespace

Result<std::optional<std::string>> AskAnotherAgentToLock(Bus& bus, const LockQuestion& question) {
  CRV_ASSIGN(const auto entries, bus.ReadAll());
  CRV_TRY(MakeFolders(FolderOfLocks(question.folder)));
  const std::string name = LockName(question.agent, question.process);
  const std::string path = fmt::format("{}/{}", FolderOfLocks(question.folder), name);
  const OpenedLock lock(path, O_RDWR | O_CREAT);
  if (!lock.opened()) return Status::FromErrno("create", path, errno);
  const auto asked = [&]() -> Result<std::optional<std::string>> {
    const std::optional<bool> taken = lock.Take();
    if (!taken || !*taken) return Status::FromErrno("lock", path, taken ? EAGAIN : errno);
    for (const BusEntry& entry : entries) {
      const auto member = DecodeMember(entry.value);
      if (!member.ok() || MemberKey(member->name) != entry.key || member->name == question.agent) continue;
      const auto answer = bus.Request(LockSubject(question.scope, member->name), name, question.limit);
      if (!answer.ok()) continue;
      CRV_ASSIGN(std::string told, Judge(question, member->name, *answer));
      return std::optional(std::move(told));
    }
    return std::optional<std::string>();
  }();
  ::unlink(path.c_str());
  return asked;
}

Result<std::unique_ptr<Bus::Subscription>> AnswerLockQuestions(Bus& bus, const std::string& scope,
                                                               const std::string& agent,
                                                               const std::string& folder) {
  return bus.Subscribe(LockSubject(scope, agent), [&bus, folder](const Bus::Message& message) {
    if (message.reply_to.empty() || !IsLockName(message.bytes)) return;
    const std::string path = fmt::format("{}/{}", FolderOfLocks(folder), message.bytes);
    bus.Publish(message.reply_to, TryLockOf(path)).IgnoreError();
  });
}

}  // namespace crivello::cluster
