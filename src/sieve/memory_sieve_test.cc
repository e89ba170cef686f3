// SPDX-License-Identifier: Apache-2.0
#include "sieve/memory_sieve.h"

#include "sieve/sieve_contract.h"

namespace crivello::sieve {
namespace {

const SieveSubject kSubject = {.name = "SmallLogs", .open = [](const std::string& folder, FileSystem& fs) {
                                 return OpenMemorySieve(folder, {.log_bytes = 5000}, fs);
                               }};

INSTANTIATE_TEST_SUITE_P(Memory, SieveContract, testing::Values(kSubject), SubjectName);
INSTANTIATE_TEST_SUITE_P(Memory, SieveCrash, testing::Values(kSubject), SubjectName);

}  // namespace
}  // namespace crivello::sieve
