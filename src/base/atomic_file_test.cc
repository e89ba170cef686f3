// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/fault_file_system.h"
#include "base/test_support.h"

namespace crivello {
namespace {

TEST(AtomicFileTest, LeavesTheOldFileOrTheNewWhicheverChangeFails) {
  const std::string old_text(300'000, 'o'), new_text(700'000, 'n');
  for (bool tear : {false, true}) {
    for (uint64_t n = 1;; n++) {
      SCOPED_TRACE(n);
      TemporaryFolder folder;
      ASSERT_TRUE(WriteFileAtomically(folder / "f", AsBytes(old_text)).ok());
      FaultFileSystem fs({.fail_at = n, .tear = tear});
      const Status status = WriteFileAtomically(folder / "f", AsBytes(new_text), fs);
      ASSERT_TRUE(fs.DropUnsynced().ok());
      const std::string found = *ReadFile(folder / "f");
      if (status.ok()) {
        EXPECT_EQ(found, new_text);
        break;
      }
      EXPECT_TRUE(found == old_text || found == new_text) << found.size();
    }
  }
}

TEST(AtomicFileTest, LeavesNoTemporaryWhenItIsGivenUp) {
  TemporaryFolder folder;
  {
    auto file = AtomicFile::Create(folder / "f");
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Append(AsBytes("half")).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFileTest, SaysWhatItCouldNotDo) {
  const Status status = WriteFileAtomically("/nonexistent/folder/f", AsBytes("x"));
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_NE(status.message().find("/nonexistent/folder/f"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace crivello
