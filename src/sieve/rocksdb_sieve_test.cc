// SPDX-License-Identifier: Apache-2.0
#include "sieve/rocksdb_sieve.h"

#include <gtest/gtest.h>

#include "sieve/sieve_contract.h"

namespace crivello::sieve {
namespace {

const SieveSubject kRocksDb = {"SmallBatches", [](const std::string& folder, FileSystem& fs) {
                                 return OpenRocksDbSieve(
                                     folder, {.memory_bytes = 4u << 20, .batch_keys = 50, .fs = &fs});
                               }};

INSTANTIATE_TEST_SUITE_P(RocksDb, SieveContract, testing::Values(kRocksDb), SubjectName);
INSTANTIATE_TEST_SUITE_P(RocksDb, SieveCrash, testing::Values(kRocksDb), SubjectName);

}  // namespace
}  // namespace crivello::sieve
