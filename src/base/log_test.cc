// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/fault_file_system.h"
#include "base/test_support.h"

namespace crivello {
namespace {

constexpr FileKind kLogKind = {.name = "test-log", .version = 1};

using Records = std::vector<std::string>;

Result<LogRecovery> ReadInto(const std::string& path, Records* records) {
  return ReadLog(path, kLogKind, [&](Bytes record) {
    records->emplace_back(AsText(record));
    return Status::Ok();
  });
}

Result<LogWriter::Opened> OpenInto(const std::string& path, Records* records,
                                   FileSystem& fs = PosixFileSystem()) {
  return LogWriter::Open(
      path, kLogKind,
      [&](Bytes record) {
        records->emplace_back(AsText(record));
        return Status::Ok();
      },
      fs);
}

std::string RecordNumber(int i) {
  return std::string(static_cast<size_t>(i * 7 % 40), static_cast<char>('a' + i % 26));
}

// Appends records 0, 1, ... and syncs after every third; `acknowledged` counts the synced ones.
Status WriteRecords(const std::string& path, FileSystem& fs, int count, size_t* acknowledged) {
  Records before;
  CRV_ASSIGN(auto log, OpenInto(path, &before, fs));
  for (int i = static_cast<int>(before.size()); i < count; i++) {
    CRV_TRY(log.writer.Append(AsBytes(RecordNumber(i))));
    if (i % 3 != 2) continue;
    CRV_TRY(log.writer.Sync());
    *acknowledged = static_cast<size_t>(i) + 1;
  }
  return Status::Ok();
}

TEST(LogTest, GivesBackItsRecordsInOrder) {
  TemporaryFolder folder;
  size_t acknowledged = 0;
  ASSERT_TRUE(WriteRecords(folder / "log", PosixFileSystem(), 30, &acknowledged).ok());
  Records records;
  auto recovery = ReadInto(folder / "log", &records);
  ASSERT_TRUE(recovery.ok()) << recovery.status().ToString();
  ASSERT_EQ(records.size(), 30u);
  for (int i = 0; i < 30; i++) EXPECT_EQ(records[static_cast<size_t>(i)], RecordNumber(i));
  EXPECT_EQ(recovery->torn_bytes, 0u);
}

TEST(LogTest, IsReadRecordByRecordWhileItIsWritten) {
  TemporaryFolder folder;
  Records none;
  auto log = OpenInto(folder / "log", &none);
  ASSERT_TRUE(log.ok()) << log.status().ToString();
  auto reader = LogReader::Open(folder / "log", kLogKind);
  ASSERT_TRUE(reader.ok()) << reader.status().ToString();
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1} << 20, size_t{100}, size_t{3} << 20, size_t{5}}) {
    auto nothing = reader->Next();
    ASSERT_TRUE(nothing.ok() && !nothing->has_value());
    for (int i = 0; i < 100; i++) ASSERT_TRUE(log->writer.Append(AsBytes(RecordNumber(i))).ok());
    ASSERT_TRUE(log->writer.Append(AsBytes(std::string(size, 'x'))).ok());
    ASSERT_TRUE(log->writer.Sync().ok());
    for (int i = 0; i <= 100; i++) {
      auto record = reader->Next();
      ASSERT_TRUE(record.ok() && record->has_value()) << size << " " << i;
      EXPECT_EQ(AsText(**record), i < 100 ? RecordNumber(i) : std::string(size, 'x'));
    }
  }
}

TEST(LogTest, LosesNoAcknowledgedRecordWhenTheNthWriteFailsOrTears) {
  for (bool tear : {false, true}) {
    for (uint64_t n = 1;; n++) {
      SCOPED_TRACE(testing::Message() << "fault at change " << n << (tear ? ", torn" : ""));
      TemporaryFolder folder;
      FaultFileSystem fs({.fail_at = n, .tear = tear});
      size_t acknowledged = 0;
      const Status status = WriteRecords(folder / "log", fs, 12, &acknowledged);
      if (status.ok()) break;  // fewer than n changes: every one of them has been made to fail
      EXPECT_EQ(status.code(), StatusCode::kIoError);
      ASSERT_TRUE(fs.DropUnsynced().ok());
      size_t after = 0;
      ASSERT_TRUE(WriteRecords(folder / "log", PosixFileSystem(), 12, &after).ok());
      Records records;
      auto recovery = ReadInto(folder / "log", &records);
      ASSERT_TRUE(recovery.ok()) << recovery.status().ToString();
      ASSERT_GE(records.size(), acknowledged);
      for (size_t i = 0; i < records.size(); i++) EXPECT_EQ(records[i], RecordNumber(static_cast<int>(i)));
    }
  }
}

TEST(LogTest, GoesOnWhenAFullDiskIsGivenRoom) {
  for (uint64_t n = 3; n < 10; n++) {
    TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = n, .tear = true, .stay_down = false});
    Records none;
    auto log = OpenInto(folder / "log", &none, fs);
    if (!log.ok()) continue;
    for (int i = 0; i < 5; i++) {
      ASSERT_TRUE(log->writer.Append(AsBytes(RecordNumber(i))).ok());
      const Status status = log->writer.Sync();
      if (!status.ok() && status.message().find("sync") == std::string::npos) {
        EXPECT_TRUE(log->writer.Sync().ok()) << "the write that failed for want of room is done again";
      }
      if (!status.ok() && status.message().find("sync") != std::string::npos) {
        EXPECT_EQ(log->writer.Sync(), status) << "a failed sync is final";
        break;
      }
    }
    Records records;
    ASSERT_TRUE(ReadInto(folder / "log", &records).ok());
    for (size_t i = 0; i < records.size(); i++) EXPECT_EQ(records[i], RecordNumber(static_cast<int>(i)));
  }
}

TEST(LogTest, CutsATornTailAndSaysSo) {
  TemporaryFolder folder;
  const std::string path = folder / "log";
  size_t acknowledged = 0;
  ASSERT_TRUE(WriteRecords(path, PosixFileSystem(), 6, &acknowledged).ok());
  const std::string good = *ReadFile(path);
  for (const std::string& tail : {std::string("garbage"), std::string(100, '\0'), good.substr(64, 30)}) {
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(good + tail)).ok());
    Records records;
    auto log = OpenInto(path, &records);
    ASSERT_TRUE(log.ok()) << log.status().ToString();
    EXPECT_EQ(records.size(), 6u);
    EXPECT_EQ(log->recovery.torn_bytes, tail.size());
    EXPECT_EQ(*FileSize(path), good.size());
  }
}

TEST(LogTest, ToldFromATearDamageToAcknowledgedRecordsIsCorruption) {
  TemporaryFolder folder;
  const std::string path = folder / "log";
  size_t acknowledged = 0;
  ASSERT_TRUE(WriteRecords(path, PosixFileSystem(), 12, &acknowledged).ok());
  const std::string good = *ReadFile(path);
  Records all;
  ASSERT_TRUE(ReadInto(path, &all).ok());
  for (size_t at = 0; at < good.size(); at++) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bad)).ok());
    Records records;
    auto recovery = ReadInto(path, &records);
    if (!recovery.ok()) {
      EXPECT_EQ(recovery.status().code(), StatusCode::kCorruption);
      continue;
    }
    // Only the records of the last sync may be lost silently (the header says why); padding is not covered.
    EXPECT_GE(records.size(), 9u) << at;
    for (size_t i = 0; i < records.size(); i++) EXPECT_EQ(records[i], all[i]);
  }
}

TEST(LogTest, RefusesWhatIsNoLog) {
  TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "x", AsBytes("not a log at all")).ok());
  Records none;
  EXPECT_EQ(OpenInto(folder / "x", &none).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadInto(folder / "missing", &none).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace crivello
