// SPDX-License-Identifier: Apache-2.0
#include "store/dup_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/test_support.h"

namespace crivello::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const DupCell kDupCell = {
    .text_digest = 0x0123456789abcdef, .members = 300, .representative = "org,example)https:443/"};

TEST(DupCellTest, GivesBackWhatWasPutIn) {
  const auto cell = DecodeDupCell(EncodeDupCell(kDupCell));
  ASSERT_TRUE(cell.ok()) << cell.status().ToString();
  EXPECT_EQ(*cell, kDupCell);
}

TEST(DupCellTest, RefusesNewerVersionsAndDamage) {
  const std::string bytes = EncodeDupCell(kDupCell);
  for (size_t i = 0; i < bytes.size(); i++) {
    EXPECT_EQ(DecodeDupCell(bytes.substr(0, i)).status().code(), StatusCode::kCorruption) << i;
  }
  EXPECT_EQ(DecodeDupCell(bytes + "x").status().code(), StatusCode::kCorruption);
  std::string newer = bytes;
  newer[0] = 2;
  EXPECT_THAT(DecodeDupCell(newer).status().message(), testing::HasSubstr("version 2"));
  EXPECT_FALSE(DecodeDupCell(EncodeDupCell({.members = 1, .representative = "a"})).ok());
  EXPECT_FALSE(DecodeDupCell(EncodeDupCell({.members = 2})).ok());
}

class DupCellsTest : public testing::Test {
 protected:
  void Open(bool with_dup, bool read_only = false) {
    db_ = nullptr;
    kv::DatabaseOptions options;
    options.families = {{.name = "older"}};
    options.read_only = read_only;
    if (with_dup) family_ = DupCells::AddTo(&options.families);
    auto db = kv::Database::Open(folder_ / "db", options);
    ASSERT_TRUE(db.ok()) << db.status().ToString();
    db_ = *std::move(db);
    cells_ = std::make_unique<DupCells>(*db_, family_);
  }
  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    const Status status = cells_->ForEach([&keys](std::string_view key, const DupCell&) {
      keys.emplace_back(key);
      return Status::Ok();
    });
    EXPECT_TRUE(status.ok()) << status.ToString();
    return keys;
  }

  TemporaryFolder folder_;
  std::unique_ptr<kv::Database> db_;
  kv::Family family_ = 0;
  std::unique_ptr<DupCells> cells_;
};

TEST_F(DupCellsTest, HoldOfATextAndOfNoOther) {
  Open(true);
  kv::Batch batch;
  for (const std::string key : {"c", "a", "b"}) cells_->Put(key, kDupCell, &batch);
  ASSERT_TRUE(db_->Write(batch, {}).ok());
  EXPECT_EQ(*cells_->Get("a"), kDupCell);
  EXPECT_EQ(*cells_->Get("a", kDupCell.text_digest), kDupCell);
  EXPECT_EQ(*cells_->Get("a", 7), std::nullopt);
  EXPECT_EQ(*cells_->Get("d"), std::nullopt);
  EXPECT_THAT(Keys(), ElementsAre("a", "b", "c"));
  kv::Batch less;
  cells_->Delete("c", &less);
  cells_->DeleteRange({.begin = "a", .end = "b"}, &less);
  ASSERT_TRUE(db_->Write(less, {}).ok());
  EXPECT_THAT(Keys(), ElementsAre("b"));
}

TEST_F(DupCellsTest, ComeToADatabaseThatWasMadeWithoutThemWhenItIsWrittenTo) {
  Open(false);
  Open(true);
  EXPECT_THAT(Keys(), IsEmpty());
  EXPECT_EQ(*db_->LastKey(family_), std::nullopt);
  kv::Batch batch;
  cells_->Put("a", kDupCell, &batch);
  ASSERT_TRUE(db_->Write(batch, {}).ok());
  Open(true, /*read_only=*/true);
  EXPECT_THAT(Keys(), ElementsAre("a"));
}

}  // namespace
}  // namespace crivello::store
