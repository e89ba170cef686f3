// SPDX-License-Identifier: Apache-2.0
// All schedules of two agents that take a tablet over, write to it and acknowledge, on a ModelDisk.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "cluster/fence/epoch_lease.h"
#include "cluster/fence/fence_test_support.h"
#include "cluster/fence/takeover.h"

namespace crivello::cluster {

constexpr int kHosts = 2;
using ModelDisk = ModelDiskOf<kHosts>;
using ModelFiles = ModelFilesOf<kHosts>;

struct FenceBounds {
  int takeovers = 2;                // attempts of each agent
  int writes = 1;                   // acknowledged writes of an owner
  int faults = 1;                   // crashes, power cuts and late writes back, in all
  uint64_t max_states = 2'000'000;  // then the exploration is not complete
};

struct FenceExploration {
  uint64_t states = 0;
  uint64_t transitions = 0;
  int depth = 0;          // steps of the longest schedule
  uint64_t openings = 0;  // transitions that ended a take-over
  uint64_t fenced = 0;    // transitions in which a stale owner was told so
  bool complete = true;   // all states within the bounds were seen
  std::string violation;
  std::vector<std::string> schedule;  // that led to it
};

class FenceExplorer {
 public:
  FenceExplorer(FenceBounds bounds, FenceBug bug) : bounds_(bounds), bug_(bug) {}

  FenceExploration Run() {
    World world;
    world.faults = bounds_.faults;
    for (Agent& agent : world.agents) agent.takeovers = bounds_.takeovers;
    // The folder of the tablet is there, and both machines have listed it.
    world.disk.names["t"] = {.file = -1, .durable = true};
    for (size_t host = 0; host < kHosts; host++) world.disk.cached[host]["t"];
    Visit(world, 0);
    return std::move(result_);
  }

 private:
  enum class Stage : uint8_t { kIdle, kTaking, kOpen, kAppend, kSync, kCheck, kAcknowledge, kRetired };
  struct Agent {
    Stage stage = Stage::kIdle;
    std::optional<Takeover> takeover = {};
    int takeovers = 0;  // left
    int writes = 0;     // left of this ownership
    int incarnation = 0;
    uint64_t epoch = 0;
    std::string known = {};  // what the log must hold
    std::string early = {};  // for kReadBeforeClaim
  };
  struct World {
    ModelDisk disk = {};
    std::array<Agent, kHosts> agents = {};
    int faults = 0;
    std::map<char, uint64_t> acknowledged =
        {};                                    // records, each a letter, and the epochs they were written in
    std::map<uint64_t, uint64_t> owners = {};  // of each epoch, the nonce

    std::string Key() const {
      std::string key;
      disk.Serialise(key);
      for (const Agent& agent : agents) {
        key += fmt::format("/{},{},{},{},{},{},{},", static_cast<int>(agent.stage), agent.takeovers,
                           agent.writes, agent.incarnation, agent.epoch, agent.known, agent.early);
        if (agent.takeover) {
          key += fmt::format("{},{},{},{},{}", agent.takeover->phase(), agent.takeover->epoch(),
                             agent.takeover->from(), agent.takeover->files_done(), agent.takeover->passes());
        }
      }
      key += fmt::format("/{}/", faults);
      for (const auto& [record, epoch] : acknowledged) key += fmt::format("{}{}", record, epoch);
      for (const auto& [epoch, nonce] : owners) key += fmt::format(",{}:{}", epoch, nonce);
      return key;
    }
  };

  static FileRole CopyLog(const std::string& path, const std::vector<std::string>&) {
    return path == "READY" ? FileRole::kSkip : FileRole::kCopy;
  }
  static FileRole LinkLog(const std::string& path, const std::vector<std::string>&) {
    return path == "READY" ? FileRole::kSkip : FileRole::kLink;
  }

  static char RecordOf(size_t host, const Agent& agent) {
    return static_cast<char>('A' + static_cast<int>(host) * 16 + agent.incarnation * 4 + agent.writes);
  }

  void Fail(std::string what) {
    if (result_.violation.empty()) {
      result_.violation = std::move(what);
      result_.schedule = path_;
    }
  }

  // Depth first; stops at the first violation.
  void Visit(const World& world, int depth) {
    if (!result_.violation.empty()) return;
    const std::string key = world.Key();
    const Signature128 signature = Hash128(key);
    if (!seen_.insert(signature.low ^ Mix64(signature.high)).second) return;
    if (++result_.states > bounds_.max_states) {
      result_.complete = false;
      return;
    }
    result_.depth = std::max(result_.depth, depth);
    bool is_end = true;
    for (size_t host = 0; host < kHosts; host++) {
      if (CanStep(world.agents[host])) {
        World next = world;
        Go(next, depth, fmt::format("agent {}: {}", host, Describe(world.agents[host])),
           [&] { StepAgent(next, host); });
        is_end = false;
      }
    }
    if (world.faults > 0) {
      for (size_t host = 0; host < kHosts; host++) {
        if (world.agents[host].stage != Stage::kIdle) {
          World next = world;
          Go(next, depth, fmt::format("agent {} crashes", host), [&] {
            next.faults--;
            next.disk.Crash(static_cast<int>(host));
            Reset(next.agents[host]);
          });
        }
        if (world.disk.IsDirty(static_cast<int>(host))) {
          World next = world;
          Go(next, depth, fmt::format("machine {} writes back", host), [&] {
            next.faults--;
            next.disk.WriteBack(static_cast<int>(host));
          });
        }
      }
      World next = world;
      Go(next, depth, "power cut", [&] {
        next.faults--;
        next.disk.PowerCut();
        for (Agent& agent : next.agents) Reset(agent);
      });
    }
    if (is_end && result_.violation.empty()) CheckEnd(world);
  }

  template <typename Change>
  void Go(const World& next, int depth, std::string what, Change change) {
    if (!result_.violation.empty()) return;
    path_.push_back(std::move(what));
    change();
    result_.transitions++;
    Visit(next, depth + 1);
    path_.pop_back();
  }

  static void Reset(Agent& agent) {
    agent.stage = Stage::kIdle;
    agent.takeover.reset();
    agent.known.clear();
    agent.early.clear();
    agent.epoch = 0;
  }

  static bool CanStep(const Agent& agent) {
    return agent.stage == Stage::kIdle ? agent.takeovers > 0 : agent.stage != Stage::kRetired;
  }

  static std::string Describe(const Agent& agent) {
    switch (agent.stage) {
      case Stage::kIdle:
        return "begins a take-over";
      case Stage::kTaking:
        return fmt::format("take-over of epoch {}, phase {}", agent.takeover->epoch(),
                           agent.takeover->phase());
      case Stage::kOpen:
        return fmt::format("opens epoch {}", agent.epoch);
      case Stage::kAppend:
        return "appends";
      case Stage::kSync:
        return "syncs";
      case Stage::kCheck:
        return "looks for a higher epoch";
      case Stage::kAcknowledge:
        return "acknowledges";
      case Stage::kRetired:
        break;
    }
    return "";
  }

  Stage After(Stage stage) const {
    switch (stage) {
      case Stage::kAppend:
        return bug_ == FenceBug::kAcknowledgeBeforeSync ? Stage::kAcknowledge
               : bug_ == FenceBug::kFenceBeforeSync     ? Stage::kCheck
                                                        : Stage::kSync;
      case Stage::kSync:
        return bug_ == FenceBug::kFenceBeforeSync || bug_ == FenceBug::kNoFence ? Stage::kAcknowledge
                                                                                : Stage::kCheck;
      case Stage::kCheck:
        return bug_ == FenceBug::kFenceBeforeSync         ? Stage::kSync
               : bug_ == FenceBug::kAcknowledgeBeforeSync ? Stage::kAppend
                                                          : Stage::kAcknowledge;
      default:
        return bug_ == FenceBug::kAcknowledgeBeforeSync ? Stage::kSync : Stage::kAppend;
    }
  }

  void StepAgent(World& world, size_t host) {
    Agent& agent = world.agents[host];
    // This bug is in one place only.
    const bool elsewhere = bug_ == FenceBug::kFenceFromCache && agent.stage != Stage::kCheck;
    ModelFiles files(world.disk, static_cast<int>(host), elsewhere ? FenceBug::kNone : bug_);
    const std::string folder = "t/" + EpochFolderName(agent.epoch);
    const std::string log = folder + "/log";
    switch (agent.stage) {
      case Stage::kIdle:
        agent.takeovers--;
        agent.incarnation++;
        agent.takeover.emplace(TakeoverOptions{.tablet = "t",
                                               .owner = fmt::format("agent{}", host),
                                               .nonce = host * 16 + static_cast<uint64_t>(agent.incarnation),
                                               .role = bug_ == FenceBug::kLogIsLinked ? LinkLog : CopyLog});
        if (bug_ == FenceBug::kReadBeforeClaim) agent.early = NewestLog(world.disk, files);
        agent.stage = Stage::kTaking;
        return;
      case Stage::kTaking: {
        const Result<bool> done = StepTakeover(*agent.takeover, files);
        if (!done.ok()) {
          if (done.status().code() != StatusCode::kUnavailable) return Fail(done.status().ToString());
          Reset(agent);
          return;
        }
        if (!*done) return;
        agent.epoch = agent.takeover->epoch();
        const auto [at, first] = world.owners.try_emplace(agent.epoch, agent.takeover->options().nonce);
        if (!first && at->second != agent.takeover->options().nonce) {
          return Fail(fmt::format("epoch {} has two owners", agent.epoch));
        }
        agent.takeover.reset();
        agent.stage = Stage::kOpen;
        return;
      }
      case Stage::kOpen: {
        result_.openings++;
        if (bug_ == FenceBug::kReadBeforeClaim) {
          files.Write(log, agent.early).IgnoreError();
          files.Sync(log).IgnoreError();
        }
        const Result<std::string> found = files.Read(log);
        agent.known = found.ok() ? *found : "";
        // An owner that opens late, after another took over, may lack what that one wrote: it will
        // acknowledge nothing.
        if (const char lost = FirstLost(agent.known, world.acknowledged, agent.epoch)) {
          return Fail(fmt::format("epoch {} opens with '{}', but '{}' was acknowledged", agent.epoch,
                                  agent.known, lost));
        }
        agent.writes = bounds_.writes;
        agent.stage = agent.writes > 0 ? Stage::kAppend : Stage::kRetired;
        return;
      }
      case Stage::kAppend: {
        const Result<std::string> found = files.Read(log);
        if ((found.ok() ? *found : "") != agent.known) {
          return Fail(fmt::format("the log of epoch {} is '{}', but its owner wrote '{}'", agent.epoch,
                                  found.ok() ? *found : "", agent.known));
        }
        agent.known += RecordOf(host, agent);
        files.Write(log, agent.known).IgnoreError();
        agent.stage = After(agent.stage);
        return;
      }
      case Stage::kSync:
        files.Sync(log).IgnoreError();
        files.SyncFolder(folder).IgnoreError();
        agent.stage = After(agent.stage);
        return;
      case Stage::kCheck: {
        const Status mine = CheckEpoch(files, "t", agent.epoch);
        if (mine.ok()) {
          agent.stage = agent.writes == 0 ? Stage::kRetired : After(agent.stage);
          return;
        }
        if (mine.code() != StatusCode::kUnavailable) return Fail(mine.ToString());
        result_.fenced++;
        Reset(agent);
        return;
      }
      case Stage::kAcknowledge:
        world.acknowledged.emplace(agent.known.back(), agent.epoch);
        agent.stage = --agent.writes == 0 && bug_ != FenceBug::kAcknowledgeBeforeSync ? Stage::kRetired
                                                                                      : After(agent.stage);
        return;
      case Stage::kRetired:
        return;
    }
  }

  // One step, and those after it that only concern files that no other agent reads: they commute with
  // whatever another agent does, so that schedules which differ in their place need not be told apart.
  static Result<bool> StepTakeover(Takeover& takeover, SharedFiles& files) {
    for (;;) {
      CRV_ASSIGN(const bool done, takeover.Step(files));
      if (done || !takeover.next_is_private()) return done;
    }
  }

  // A record that was acknowledged under an epoch below `epoch` and is not in the log; 0 if there is none.
  static char FirstLost(const std::string& log, const std::map<char, uint64_t>& acknowledged,
                        uint64_t epoch) {
    for (const auto& [record, written_in] : acknowledged) {
      if (written_in < epoch && log.find(record) == std::string::npos) return record;
    }
    return 0;
  }

  static std::string NewestLog(const ModelDisk& disk, ModelFiles& files) {
    std::string log;
    for (const auto& [path, name] : disk.names) {
      if (!path.ends_with("/READY")) continue;
      const Result<std::string> found = files.Read(path.substr(0, path.size() - 5) + "log");
      log = found.ok() ? *found : "";
    }
    return log;
  }

  // When nobody has anything left to do: an agent that comes later takes the tablet over and finds
  // everything, at once and after a power cut.
  void CheckEnd(const World& world) {
    for (const bool cut : {false, true}) {
      World last = world;
      if (cut) last.disk.PowerCut();
      ModelFiles files(last.disk, 0, bug_ == FenceBug::kFenceFromCache ? FenceBug::kNone : bug_);
      std::string log;
      for (uint64_t attempt = 0;; attempt++) {
        if (attempt == 5) return Fail("nobody can take the tablet over");
        Takeover takeover({.tablet = "t", .owner = "heir", .nonce = 100 + attempt, .role = CopyLog});
        if (bug_ == FenceBug::kReadBeforeClaim) log = NewestLog(last.disk, files);
        if (!takeover.Run(files).ok()) continue;
        if (bug_ != FenceBug::kReadBeforeClaim) {
          const Result<std::string> found = files.Read(takeover.folder() + "/log");
          log = found.ok() ? *found : "";
        }
        break;
      }
      if (const char lost = FirstLost(log, last.acknowledged, UINT64_MAX)) {
        return Fail(fmt::format("at the end the log is '{}', but '{}' was acknowledged", log, lost));
      }
    }
  }

  const FenceBounds bounds_;
  const FenceBug bug_;
  FenceExploration result_;
  std::unordered_set<uint64_t> seen_;
  std::vector<std::string> path_;
};

}  // namespace crivello::cluster
