// SPDX-License-Identifier: Apache-2.0
#include "sieve/offline_sieve.h"

#include <gtest/gtest.h>

#include "sieve/sieve_contract.h"

namespace crivello::sieve {
namespace {

// A of some hundred keys, sorted in several runs.
const SieveSubject kOffline = {"Offline", [](const std::string& folder, FileSystem& fs) {
                                 return OpenOfflineSieve(
                                     folder, {.memory_bytes = 1, .batch_bytes = 20000, .fs = &fs});
                               }};

INSTANTIATE_TEST_SUITE_P(Offline, SieveContract, testing::Values(kOffline), SubjectName);
INSTANTIATE_TEST_SUITE_P(Offline, SieveCrash, testing::Values(kOffline), SubjectName);

}  // namespace
}  // namespace crivello::sieve
