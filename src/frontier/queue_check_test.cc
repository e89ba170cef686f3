// SPDX-License-Identifier: Apache-2.0
#include "frontier/queue_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support.h"
#include "frontier/host_queues_test_support.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr kv::Family kStates = 1, kBlocks = 2;

class QueueCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    opened_ = MustOpen(folder_ / "db");
    // Three blocks of one host, one of another.
    for (int i = 0; i < 3; i++) {
      const std::vector<std::string> urls = {"http://a.test/" + std::to_string(i),
                                             "http://a.test/x" + std::to_string(i)};
      std::vector<UrlRecord> records;
      for (const std::string& url : urls) records.push_back({.url = url, .found = At(1000)});
      MustEnqueue(*opened_.queues, records, At(1000));
    }
    const UrlRecord other = {.url = "http://b.test/", .found = At(1000)};
    MustEnqueue(*opened_.queues, {&other, 1}, At(1000));
  }
  std::vector<std::string> Check() {
    std::vector<std::string> found;
    const auto check =
        CheckQueues(*opened_.queues, [&](std::string what) { found.push_back(std::move(what)); });
    EXPECT_TRUE(check.ok()) << check.status().ToString();
    if (check.ok()) last_ = *check;
    return found;
  }
  // The keys of a family, in order.
  std::vector<std::string> Keys(kv::Family family) const {
    std::vector<std::string> keys;
    for (kv::Cursor cursor = opened_.db->Scan(family); cursor.valid(); cursor.Next()) {
      keys.emplace_back(cursor.key());
    }
    return keys;
  }

  TemporaryFolder folder_;
  Opened opened_;
  QueueCheck last_;
};

TEST_F(QueueCheckTest, FindsNothingInGoodQueues) {
  EXPECT_THAT(Check(), IsEmpty());
  EXPECT_EQ(last_.hosts, 2u);
  EXPECT_EQ(last_.items, 7u);
}

TEST_F(QueueCheckTest, TellsBlocksThatAreMissingOrDamaged) {
  const std::vector<std::string> blocks = Keys(kBlocks);
  ASSERT_FALSE(blocks.empty());
  for (const bool missing : {true, false}) {
    const std::string good = opened_.db->Get(kBlocks, blocks[0]).value().value();
    kv::Batch batch;
    if (missing) {
      batch.Delete(kBlocks, blocks[0]);
    } else {
      batch.Put(kBlocks, blocks[0], "\xff\xff\xff");
    }
    ASSERT_TRUE(opened_.db->Write(batch, {}).ok());
    EXPECT_THAT(Check(), ElementsAre(HasSubstr(missing ? "is missing" : "is damaged")));
    batch.Clear();
    batch.Put(kBlocks, blocks[0], good);
    ASSERT_TRUE(opened_.db->Write(batch, {}).ok());
    EXPECT_THAT(Check(), IsEmpty());
  }
}

TEST_F(QueueCheckTest, TellsAStateThatIsDamagedOrThatOfAnother) {
  const uint64_t a = web::HostHash("a.test");
  HostState state = **opened_.queues->Load(a);
  std::string key;
  for (const std::string& candidate : Keys(kStates)) {
    if (candidate.size() == 8 && opened_.db->Get(kStates, candidate).value() == EncodeHostState(state)) {
      key = candidate;
    }
  }
  ASSERT_FALSE(key.empty());
  state.name = "c.test";
  kv::Batch batch;
  batch.Put(kStates, key, EncodeHostState(state));
  ASSERT_TRUE(opened_.db->Write(batch, {}).ok());
  EXPECT_FALSE(Check().empty());
  batch.Clear();
  batch.Put(kStates, key, "no state");
  ASSERT_TRUE(opened_.db->Write(batch, {}).ok());
  EXPECT_THAT(Check(), ElementsAre(HasSubstr("its state is damaged")));
}

}  // namespace
}  // namespace crivello::frontier
