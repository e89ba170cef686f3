// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace crivello::cluster {

struct ProbeOptions {
  std::string folder = {};  // on the file system in question
  uint64_t nonce = 0;       // random: tells the two probes apart
  // How long to wait for the same probe on another machine, and then for each of its answers; zero: be alone.
  Duration wait = {};
  int rounds = 50;
  const Clock* clock = &SystemClock();
};

enum class ProbeVerdict { kGood, kBad, kUnknown };

struct ProbeFinding {
  std::string check;
  ProbeVerdict verdict = ProbeVerdict::kUnknown;
  std::string detail;
};

// Whether a file system is good enough for the epochs of tablets (takeover.h): what one process can see, and,
// if the same is run on a second machine at the same time, what only two can: that locks and exclusive links
// hold between them, and that a folder or file that is opened again shows what the other one did before.
//
// The two talk by files in the folder `crivello-probe`, which the second one to end removes.  An error is one
// of the file system itself, or Unavailable if the other probe stopped answering.
Result<std::vector<ProbeFinding>> ProbeFileSystem(const ProbeOptions& options);

}  // namespace crivello::cluster
