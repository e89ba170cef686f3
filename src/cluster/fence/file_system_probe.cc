// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/file_system_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "base/file_system.h"
#include "base/folder.h"
#include "cluster/fence/shared_files.h"

namespace crivello::cluster {
namespace {

constexpr auto kPollEvery = std::chrono::milliseconds(2);
constexpr std::string_view kPeer = "peer-";

struct KnownFileSystem {
  uint64_t magic;
  const char* name;
  bool is_shared;
};
constexpr KnownFileSystem kKnown[] = {
    {0x6969, "NFS", true},          {0x00c36400, "CephFS", true}, {0x01161970, "GFS2", true},
    {0x7461636f, "OCFS2", true},    {0x0bd00bd0, "Lustre", true}, {0xfe534d42, "SMB", true},
    {0xff534d42, "CIFS", true},     {0x65735546, "FUSE", true},   {0xef53, "ext", false},
    {0x58465342, "XFS", false},     {0x9123683e, "Btrfs", false}, {0x01021994, "tmpfs", false},
    {0x794c7630, "overlay", false}, {0x2fc12fc1, "ZFS", false},
};

ProbeFinding Finding(std::string check, bool good, std::string detail) {
  return {.check = std::move(check),
          .verdict = good ? ProbeVerdict::kGood : ProbeVerdict::kBad,
          .detail = std::move(detail)};
}

Result<ProbeFinding> FindType(const std::string& folder) {
  struct statfs info = {};
  if (::statfs(folder.c_str(), &info) != 0)
    return Status::FromErrno("look at the file system of", folder, errno);
  const auto magic = static_cast<uint64_t>(static_cast<uint32_t>(info.f_type));
  for (const KnownFileSystem& known : kKnown) {
    if (known.magic != magic) continue;
    return ProbeFinding{
        .check = "type",
        .verdict = ProbeVerdict::kUnknown,
        .detail = fmt::format("{}{}", known.name,
                              known.is_shared ? "" : ", which other machines cannot mount directly")};
  }
  return ProbeFinding{.check = "type", .detail = fmt::format("unknown (magic number {:#x})", magic)};
}

// An exclusive lock of a file, of this descriptor and not of the process, so that two probes in one process
// count as two.
Result<bool> TryLock(int file, const std::string& path, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file, F_OFD_SETLK, &lock) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  return Status::FromErrno("lock", path, errno);
}

class Probe {
 public:
  explicit Probe(const ProbeOptions& options)
      : options_(options),
        folder_(options.folder + "/crivello-probe"),
        me_(fmt::format("{:016x}", options.nonce)) {}

  Result<std::vector<ProbeFinding>> Run() {
    // A wrong path must not make a folder on another file system, and then find that one good.
    std::error_code error;
    if (!std::filesystem::is_directory(options_.folder, error)) {
      return Status::NotFound(
          fmt::format("{}: no such folder; name one on the mounted file system", options_.folder));
    }
    CRV_TRY(MakeFolders(folder_));
    CRV_ASSIGN(ProbeFinding type, FindType(folder_));
    findings_.push_back(std::move(type));
    CRV_TRY(ProbeAlone());
    const Status together = ProbeTogether();
    CRV_TRY(CleanUp());
    CRV_TRY(together);
    return std::move(findings_);
  }

 private:
  std::string Mine(std::string_view name) const { return fmt::format("{}/{}-{}", folder_, name, me_); }
  std::string Ours(std::string_view name) const { return fmt::format("{}/{}", folder_, name); }

  Status ProbeAlone() {
    const std::string file = Mine("file");
    const std::string second = Mine("second");
    CRV_TRY(files_.Write(file, "1"));
    CRV_ASSIGN(const bool first_link, files_.Link(file, second));
    CRV_ASSIGN(const bool second_link, files_.Link(file, second));
    findings_.push_back(
        Finding("hard links", first_link && !second_link,
                second_link ? "a link replaced a name that existed" : "made once, refused twice"));
    CRV_TRY(WriteFileAtomically(file, AsBytes("2")));
    CRV_ASSIGN(const std::string now, files_.Read(file));
    CRV_ASSIGN(const std::string old, files_.Read(second));
    findings_.push_back(
        Finding("renames", now == "2" && old == "1", "the new file is there, the old one unchanged"));
    std::vector<double> milliseconds;
    for (int i = 0; i < std::max(1, options_.rounds / 5); i++) {
      const MonotonicTime start = options_.clock->Now();
      CRV_TRY(files_.Write(file, std::to_string(i)));
      CRV_TRY(files_.Sync(file));
      CRV_TRY(files_.SyncFolder(folder_));
      milliseconds.push_back(
          std::chrono::duration<double, std::milli>(options_.clock->Now() - start).count());
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    findings_.push_back(Finding("syncs", true,
                                fmt::format("file and folder: median {:.2f} ms, longest {:.2f} ms",
                                            milliseconds[milliseconds.size() / 2], milliseconds.back())));
    CRV_TRY(files_.Remove(second));
    return files_.Remove(file);
  }

  // ---- Together.

  template <typename Ready>
  Status Await(const std::string& what, Ready ready) {
    const MonotonicTime until = options_.clock->Now() + options_.wait;
    for (;;) {
      CRV_ASSIGN(const bool done, ready());
      if (done) return Status::Ok();
      if (options_.clock->Now() >= until) {
        return Status::Unavailable(fmt::format("{}: {}", folder_, what));
      }
      std::this_thread::sleep_for(kPollEvery);
    }
  }

  Status Say(const std::string& word) {
    CRV_ASSIGN(const auto file, PosixFileSystem().OpenForAppend(Mine("say"), {}));
    CRV_TRY(file->Append(AsBytes(word + "\n")));
    return file->Sync();
  }
  // Waits for a line that begins with `word`; what follows it.
  Result<std::string> Hear(const std::string& word) {
    std::string rest;
    const std::string path = Ours("say-" + other_);
    const std::string silent =
        fmt::format("the other probe has stopped: it did not say '{}' within the time of --wait", word);
    const Status heard = Await(silent, [&]() -> Result<bool> {
      const auto text = files_.Read(path);
      if (!text.ok() && text.status().code() != StatusCode::kNotFound) return text.status();
      const std::string lines = "\n" + (text.ok() ? *text : std::string());
      const size_t at = lines.find("\n" + word);
      const size_t end = at == std::string::npos ? at : lines.find('\n', at + 1);
      if (end == std::string::npos) return false;
      rest = lines.substr(at + 1 + word.size(), end - at - 1 - word.size());
      return true;
    });
    CRV_TRY(heard);
    return rest;
  }

  Status ProbeTogether() {
    if (options_.wait <= Duration::zero()) {
      findings_.push_back(
          {.check = "two machines", .detail = "not looked at: run the probe on a second one, too"});
      return Status::Ok();
    }
    CRV_TRY(files_.Write(Mine("peer"), ""));
    const Status found = Await(
        "no other probe came within the time of --wait; run the same command on the second machine at the "
        "same "
        "time (if you did, the two have different folders, or one does not see the other's files)",
        [this] { return Meet(); });
    CRV_TRY(found);
    CRV_TRY(ProbeLocks());
    CRV_TRY(ProbeLinks());
    CRV_TRY(ProbeFreshness());
    CRV_TRY(Say("end"));
    return Hear("end").status();
  }

  // Greets whoever is there, and looks who greets this one: a probe that was killed has left its files, but
  // knows nobody's name.
  Result<bool> Meet() {
    CRV_ASSIGN(const auto names, files_.List(folder_, SharedFiles::Look::kFresh));
    for (const std::string& name : names) {
      if (!name.starts_with(kPeer) || name == std::string(kPeer) + me_) continue;
      const std::string peer = name.substr(kPeer.size());
      if (greeted_.insert(peer).second) CRV_TRY(Say("hello " + peer));
      const auto said = files_.Read(Ours("say-" + peer));
      if (!said.ok() && said.status().code() != StatusCode::kNotFound) return said.status();
      if (said.ok() && said->find("hello " + me_ + "\n") != std::string::npos) other_ = peer;
    }
    return !other_.empty();
  }

  bool first() const { return me_ < other_; }

  Status ProbeLocks() {
    const std::string path = Ours("lock");
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return Status::FromErrno("open", path, errno);
    const Status status = ProbeLocksOf(file, path);
    ::close(file);
    return status;
  }
  Status ProbeLocksOf(int file, const std::string& path) {
    if (first()) {
      CRV_ASSIGN(const bool locked, TryLock(file, path, F_WRLCK));
      CRV_TRY(Say("locked"));
      CRV_ASSIGN(const std::string other, Hear("while "));
      CRV_ASSIGN(const bool unlocked, TryLock(file, path, F_UNLCK));
      CRV_TRY(Say("unlocked"));
      CRV_ASSIGN(const std::string later, Hear("after "));
      findings_.push_back(LocksFinding(locked && unlocked, other == "1", later == "1"));
      return Status::Ok();
    }
    CRV_TRY(Hear("locked").status());
    CRV_ASSIGN(const bool other, TryLock(file, path, F_WRLCK));
    CRV_TRY(Say(fmt::format("while {:d}", other)));
    CRV_TRY(Hear("unlocked").status());
    CRV_ASSIGN(const bool later, TryLock(file, path, F_WRLCK));
    CRV_TRY(Say(fmt::format("after {:d}", later)));
    findings_.push_back(LocksFinding(true, other, later));
    return Status::Ok();
  }
  static ProbeFinding LocksFinding(bool works, bool while_held, bool afterwards) {
    return Finding("locks between machines", works && !while_held && afterwards,
                   while_held    ? "both machines got the same lock: locks are local"
                   : !afterwards ? "a lock that was released stayed held"
                                 : "held by one at a time");
  }

  // Both try to give the same name, round by round.
  Status ProbeLinks() {
    const std::string file = Mine("claim");
    CRV_TRY(files_.Write(file, me_));
    std::string won;
    for (int round = 0; round < options_.rounds; round++) {
      CRV_TRY(Say(fmt::format("ready {} ", round)));
      CRV_TRY(Hear(fmt::format("ready {} ", round)).status());
      CRV_ASSIGN(const bool mine, files_.Link(file, Ours(fmt::format("race-{}", round))));
      won += mine ? '1' : '0';
    }
    CRV_TRY(Say("won " + won));
    CRV_ASSIGN(const std::string theirs, Hear("won "));
    int wrong = 0;
    for (size_t i = 0; i < won.size(); i++) wrong += i >= theirs.size() || won[i] == theirs[i] ? 1 : 0;
    findings_.push_back(
        Finding("links between machines", wrong == 0,
                wrong == 0 ? fmt::format("{} names, each given by one machine", won.size())
                           : fmt::format("{} of {} names were given by both or none", wrong, won.size())));
    return Status::Ok();
  }

  // The first one makes names and replaces a file; the second one looks as soon as it is told.
  Status ProbeFreshness() {
    const std::string file = Ours("replaced");
    std::string stale;
    if (first()) {
      for (int round = 0; round < options_.rounds; round++) {
        CRV_TRY(files_.Write(Ours(fmt::format("name-{}", round)), ""));
        CRV_TRY(WriteFileAtomically(file, AsBytes(std::to_string(round))));
        CRV_TRY(Say(fmt::format("made {} ", round)));
        CRV_TRY(Hear(fmt::format("seen {} ", round)).status());
      }
      CRV_ASSIGN(stale, Hear("stale "));
    } else {
      int names_missing = 0;
      int contents_old = 0;
      for (int round = 0; round < options_.rounds; round++) {
        CRV_TRY(Hear(fmt::format("made {} ", round)).status());
        CRV_ASSIGN(const auto names, files_.List(folder_, SharedFiles::Look::kFresh));
        const std::string name = fmt::format("name-{}", round);
        names_missing += std::binary_search(names.begin(), names.end(), name) ? 0 : 1;
        const auto content = files_.Read(file);
        contents_old += content.ok() && *content == std::to_string(round) ? 0 : 1;
        CRV_TRY(Say(fmt::format("seen {} ", round)));
      }
      stale = fmt::format("{} {}", names_missing, contents_old);
      CRV_TRY(Say("stale " + stale));
    }
    const size_t space = stale.find(' ');
    const std::string names = stale.substr(0, space);
    const std::string contents = space == std::string::npos ? "?" : stale.substr(space + 1);
    findings_.push_back(Finding("listings between machines", names == "0",
                                fmt::format("{} of {} listings lacked a name that the other machine had made",
                                            names, options_.rounds)));
    findings_.push_back(Finding(
        "contents between machines", contents == "0",
        fmt::format("{} of {} reads gave what was there before a rename", contents, options_.rounds)));
    return Status::Ok();
  }

  // Each removes what is its own; the folder goes with the last one.
  Status CleanUp() {
    CRV_ASSIGN(const auto names, files_.List(folder_, SharedFiles::Look::kFresh));
    for (const std::string& name : names) {
      // The other one may still read our last word.
      const bool mine = name.ends_with(me_) && !name.starts_with("say-");
      const bool left_behind = name.starts_with(kPeer) && !other_.empty() && !name.ends_with(other_);
      if (mine || left_behind) files_.Remove(Ours(name)).IgnoreError();
    }
    CRV_ASSIGN(const auto left, files_.List(folder_, SharedFiles::Look::kFresh));
    const bool alone = std::none_of(left.begin(), left.end(),
                                    [](const std::string& name) { return name.starts_with(kPeer); });
    if (alone) RemoveFolder(folder_).IgnoreError();  // the other one may do so at the same time
    return Status::Ok();
  }

  const ProbeOptions& options_;
  const std::string folder_;
  const std::string me_;
  std::string other_;
  std::set<std::string> greeted_;
  PosixSharedFiles files_;
  std::vector<ProbeFinding> findings_;
};

}  // namespace

Result<std::vector<ProbeFinding>> ProbeFileSystem(const ProbeOptions& options) {
  return Probe(options).Run();
}

}  // namespace crivello::cluster
