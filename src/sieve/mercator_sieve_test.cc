// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_sieve.h"

#include "sieve/sieve_contract.h"

namespace crivello::sieve {
namespace {

SieveSubject Subject(const std::string& name, uint64_t batch_keys, uint64_t memory_bytes) {
  return {.name = name, .open = [=](const std::string& folder, FileSystem& fs) {
            return OpenMercatorSieve(folder, {.memory_bytes = memory_bytes, .batch_keys = batch_keys}, fs);
          }};
}
const SieveSubject kTiny = Subject("TinyBatches", 40, 0);
const SieveSubject kSmall = Subject("SmallBatches", 700, 1 << 15);
const SieveSubject kDefault = Subject("DefaultBatches", 0, 16 << 20);

INSTANTIATE_TEST_SUITE_P(Mercator, SieveContract, testing::Values(kTiny, kSmall, kDefault), SubjectName);
INSTANTIATE_TEST_SUITE_P(Mercator, SieveCrash, testing::Values(kTiny, kSmall), SubjectName);

}  // namespace
}  // namespace crivello::sieve
