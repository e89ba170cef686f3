// SPDX-License-Identifier: Apache-2.0
#include "store/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "store/archive_reader.h"
#include "store/archive_test_support.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ArchiveOptions Options(const TemporaryFolder& folder) {
  return {.directory = folder / "archive", .warcinfo = {{"software", "crivello test"}}, .seed = 1};
}

std::unique_ptr<Archive> MustOpen(ArchiveOptions options) {
  auto archive = Archive::Open(std::move(options));
  EXPECT_TRUE(archive.ok()) << archive.status().ToString();
  return archive.ok() ? std::move(archive).value() : nullptr;
}

RecordLocator MustAppend(Archive* archive, const EncodedCapture& capture) {
  const auto locator = archive->Append(capture);
  EXPECT_TRUE(locator.ok()) << locator.status().ToString();
  return locator.ok() ? *locator : RecordLocator();
}

void ExpectReads(const ArchiveReader& reader, const RecordLocator& locator, uint64_t n) {
  const auto record = reader.Read(locator);
  ASSERT_TRUE(record.ok()) << record.status().ToString();
  EXPECT_EQ((*record)->type, WarcType::kResponse);
  EXPECT_EQ((*record)->target_uri, UrlNumber(n));
  EXPECT_TRUE((*record)->block.ends_with("\r\n\r\n" + BodyNumber(n)));
}

std::vector<ArchiveFile> MustList(const std::string& directory) {
  auto files = ListArchive(directory);
  EXPECT_TRUE(files.ok()) << files.status().ToString();
  return files.ok() ? *files : std::vector<ArchiveFile>();
}

TEST(ArchiveTest, GivesEachRecordBackByItsLocatorAtOnce) {
  for (const WarcCompression compression :
       {WarcCompression::kGzip, WarcCompression::kZstd, WarcCompression::kNone}) {
    const TemporaryFolder folder;
    ArchiveOptions options = Options(folder);
    options.warc.compression = compression;
    CaptureEncoder encoder(options.warc, 2);
    const auto archive = MustOpen(options);
    const ArchiveReader reader(options.directory);
    std::vector<RecordLocator> locators;
    for (uint64_t n = 0; n < 20; n++) {
      locators.push_back(MustAppend(archive.get(), CaptureNumber(n, &encoder)));
      ExpectReads(reader, locators.back(), n);
    }
    ASSERT_TRUE(archive->Close().ok());
    for (uint64_t n = 0; n < 20; n++) ExpectReads(reader, locators[n], n);
  }
}

TEST(ArchiveTest, DescribesItselfOnceInEachFile) {
  const TemporaryFolder folder;
  ArchiveOptions options = Options(folder);
  options.warc.compression = WarcCompression::kNone;
  {
    const auto archive = MustOpen(options);
    CaptureEncoder encoder(options.warc, 2);
    MustAppend(archive.get(), CaptureNumber(1, &encoder));
    ASSERT_TRUE(archive->Close().ok());
  }
  const std::vector<ArchiveFile> files = MustList(options.directory);
  ASSERT_EQ(files.size(), 1u);
  const std::string bytes = ReadFile(options.directory + "/" + files[0].name).value();
  WarcReader reader(bytes);
  const auto record = reader.Next();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->type, WarcType::kWarcinfo);
  for (const char* field : {"format: ", "conformsTo: ", "software: "}) {
    const size_t first = record->block.find(field);
    EXPECT_NE(first, std::string_view::npos) << field;
    EXPECT_EQ(first, record->block.rfind(field)) << field << " twice";
  }
}

TEST(ArchiveTest, KeepsRequestAndMetadataBesideTheResponse) {
  const TemporaryFolder folder;
  const auto archive = MustOpen(Options(folder));
  CaptureEncoder encoder({}, 2);
  MustAppend(archive.get(), CaptureNumber(1, &encoder));
  const RecordLocator locator = MustAppend(archive.get(), CaptureNumber(2, &encoder));
  MustAppend(archive.get(), CaptureNumber(3, &encoder));
  const auto records = ArchiveReader(folder / "archive").ReadCapture(locator);
  ASSERT_TRUE(records.ok()) << records.status().ToString();
  ASSERT_EQ(records->size(), 3u);
  const WarcRecord& response = *(*records)[0];
  EXPECT_EQ(response.type, WarcType::kResponse);
  EXPECT_EQ(response.ip, "192.0.2.1");
  bool known = false;
  EXPECT_TRUE(DigestMatches(response.fields.Find("WARC-Payload-Digest").value_or(""), BodyNumber(2), &known));
  EXPECT_EQ((*records)[1]->type, WarcType::kRequest);
  EXPECT_THAT(std::string((*records)[1]->block), testing::StartsWith("GET / HTTP/1.1\r\n"));
  EXPECT_EQ((*records)[2]->type, WarcType::kMetadata);
  EXPECT_EQ((*records)[2]->block, "fetchTimeMs: 12\r\nvia: https://www.example.org/\r\n");
  for (const ArchivedRecord& record : *records) EXPECT_EQ(record->target_uri, UrlNumber(2));
}

TEST(ArchiveTest, WritesARevisitForAPayloadThatItHas) {
  const TemporaryFolder folder;
  const auto archive = MustOpen(Options(folder));
  CaptureEncoder encoder({}, 2);
  const RevisitOf revisit = {.url = UrlNumber(7), .date = kTestDate};
  const RecordLocator locator = MustAppend(archive.get(), CaptureNumber(1, &encoder, &revisit));
  const auto record = ArchiveReader(folder / "archive").Read(locator);
  ASSERT_TRUE(record.ok()) << record.status().ToString();
  EXPECT_EQ((*record)->type, WarcType::kRevisit);
  EXPECT_TRUE((*record)->block.ends_with("\r\n\r\n")) << "only the head";
  EXPECT_EQ((*record)->fields.Find("WARC-Refers-To-Target-URI"), UrlNumber(7));
  EXPECT_EQ((*record)->fields.Find("WARC-Refers-To-Date"), "2020-01-02T03:04:05Z");
  EXPECT_EQ((*record)->fields.Find("WARC-Profile"),
            "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  EXPECT_EQ((*record)->fields.Find("WARC-Payload-Digest"), Sha1Text(Sha1Of(BodyNumber(1))));
}

TEST(ArchiveTest, BeginsEachFileWithAWarcinfoAndNumbersThem) {
  const TemporaryFolder folder;
  ArchiveOptions options = Options(folder);
  options.rotate_bytes = 30'000;
  ManualClock clock{WallTime(std::chrono::seconds(kTestDate))};
  options.clock = &clock;
  CaptureEncoder encoder({}, 2);
  for (int opening = 0; opening < 2; opening++) {
    const auto archive = MustOpen(options);
    EXPECT_THAT(archive->recovery().files, IsEmpty());
    for (uint64_t n = 0; n < 20; n++) MustAppend(archive.get(), CaptureNumber(n, &encoder));
    ASSERT_TRUE(archive->Close().ok());
  }
  const std::vector<ArchiveFile> files = MustList(options.directory);
  ASSERT_GT(files.size(), 4u);
  EXPECT_EQ(files[0].name, "crivello-20200102030405-00000001.warc.gz");
  for (size_t i = 0; i < files.size(); i++) {
    EXPECT_EQ(files[i].serial, i + 1);
    EXPECT_TRUE(files[i].has_index);
    const std::string file = *ReadFile(options.directory + "/" + files[i].name);
    WarcReader reader(file);
    const auto first = reader.Next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->type, WarcType::kWarcinfo);
    EXPECT_EQ(first->fields.Find("WARC-Filename"), files[i].name);
    EXPECT_THAT(std::string(first->block), HasSubstr("software: crivello test\r\n"));
  }
}

TEST(ArchiveTest, WritesTheIndexThatReadingTheFileGives) {
  for (const WarcCompression compression :
       {WarcCompression::kGzip, WarcCompression::kZstd, WarcCompression::kNone}) {
    const TemporaryFolder folder;
    ArchiveOptions options = Options(folder);
    options.rotate_bytes = 300'000;
    options.warc.compression = compression;
    CaptureEncoder encoder(options.warc, 2);
    const auto archive = MustOpen(options);
    const RevisitOf revisit = {.url = UrlNumber(7), .date = kTestDate};
    for (uint64_t n = 0; n < 300; n++) {
      MustAppend(archive.get(), CaptureNumber(n % 90, &encoder, n % 5 == 0 ? &revisit : nullptr));
    }
    ASSERT_TRUE(archive->Close().ok());
    uint64_t lines = 0;
    for (const ArchiveFile& file : MustList(options.directory)) {
      const std::string index = *ReadFile(options.directory + "/" + file.index_name);
      const auto scan = ScanWhole(options.directory + "/" + file.name, file.name);
      ASSERT_TRUE(scan.ok());
      EXPECT_EQ(index, scan->lines);
      EXPECT_EQ(scan->damages, 0u);
      EXPECT_EQ(scan->good_bytes, std::filesystem::file_size(options.directory + "/" + file.name));
      lines += static_cast<uint64_t>(std::count(index.begin(), index.end(), '\n'));
    }
    EXPECT_EQ(lines, 300u);
  }
}

void CutAtEveryPlace(WarcCompression compression) {
  const TemporaryFolder folder;
  ArchiveOptions options = Options(folder);
  options.warc.compression = compression;
  CaptureEncoder encoder(options.warc, 2);
  RecordLocator last;
  {
    const auto archive = MustOpen(options);
    for (uint64_t n = 0; n < 3; n++) last = MustAppend(archive.get(), CaptureNumber(n * 43, &encoder));
    ASSERT_TRUE(archive->Sync().ok());  // and the process dies without closing
  }
  const std::string name = MustList(options.directory)[0].name;
  const std::string whole = *ReadFile(options.directory + "/" + name);
  const uint64_t end = last.offset + last.length;
  for (uint64_t size = last.offset; size <= end; size += size + 40 > end ? 1 : 1 + size % 7) {
    SCOPED_TRACE(size);
    std::filesystem::remove_all(options.directory);
    std::filesystem::create_directories(options.directory);
    ASSERT_TRUE(
        WriteFileAtomically(options.directory + "/" + name, AsBytes(std::string_view(whole).substr(0, size)))
            .ok());
    const auto archive = MustOpen(options);
    ASSERT_EQ(archive->recovery().files.size(), 1u);
    const uint64_t good = size == end ? end : last.offset;
    EXPECT_EQ(archive->recovery().files[0].cut_bytes, size - good);
    EXPECT_EQ(std::filesystem::file_size(options.directory + "/" + name), good);
    if (size > good) {
      EXPECT_THAT(
          archive->recovery().Sentences(),
          ElementsAre(HasSubstr("removed " + std::to_string(size - good) + " bytes of a torn record")));
    }
    EXPECT_TRUE(MustList(options.directory)[0].has_index);
    // What comes next goes into a new file.
    EXPECT_EQ(MustAppend(archive.get(), CaptureNumber(5, &encoder)).file, 2u);
  }
}

TEST(ArchiveTest, CutsATornTailWhereverItWasTornAndSaysSo) {
  for (const WarcCompression compression :
       {WarcCompression::kGzip, WarcCompression::kZstd, WarcCompression::kNone}) {
    SCOPED_TRACE(static_cast<int>(compression));
    CutAtEveryPlace(compression);
  }
}

TEST(ArchiveTest, RemovesOnlyWhatACrashCanHaveLeft) {
  const TemporaryFolder folder;
  const ArchiveOptions options = Options(folder);
  std::filesystem::create_directories(options.directory);
  const std::string path = options.directory + "/crivello-20200102030405-00000007.warc.gz";
  const std::string stem = options.directory + "/crivello-20200102030405-00000006";
  const std::string mine = options.directory + "/scratch.txt";
  for (const std::string& leftover :
       {stem + ".cdxj.part", stem + ".cdxj.tmp-1-2", options.directory + "/scratch-1-2", mine}) {
    ASSERT_TRUE(WriteFileAtomically(leftover, {}).ok());
  }
  ASSERT_TRUE(WriteFileAtomically(path, AsBytes("\x1f\x8b\x08 torn")).ok());
  CaptureEncoder encoder({}, 2);
  {
    const auto archive = MustOpen(options);
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(options.directory)) {
      left.push_back(entry.path().string());
    }
    EXPECT_THAT(left, ElementsAre(mine));
    EXPECT_EQ(MustAppend(archive.get(), CaptureNumber(1, &encoder)).file, 8u);
    ASSERT_TRUE(archive->Close().ok());
  }
  ASSERT_TRUE(WriteFileAtomically(path, AsBytes(std::string(2 << 20, 'x'))).ok());
  EXPECT_EQ(Archive::Open(options).status().code(), StatusCode::kCorruption);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(ArchiveTest, LeavesDamageBeforeGoodRecordsAlone) {
  const TemporaryFolder folder;
  ArchiveOptions options = Options(folder);
  CaptureEncoder encoder({}, 2);
  RecordLocator first, second;
  {
    const auto archive = MustOpen(options);
    first = MustAppend(archive.get(), CaptureNumber(43, &encoder));
    second = MustAppend(archive.get(), CaptureNumber(44, &encoder));
  }
  const std::string path = options.directory + "/" + MustList(options.directory)[0].name;
  std::string bytes = *ReadFile(path);
  bytes[first.offset + first.length / 2] = static_cast<char>(bytes[first.offset + first.length / 2] ^ 0x20);
  ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bytes)).ok());
  const auto archive = MustOpen(options);
  EXPECT_EQ(archive->recovery().files[0].cut_bytes, 0u);
  EXPECT_GT(archive->recovery().files[0].damages, 0u);
  const ArchiveReader reader(options.directory);
  ExpectReads(reader, second, 44);
  EXPECT_EQ(reader.Read(first).status().code(), StatusCode::kCorruption);
}

TEST(ArchiveTest, RefusesLocatorsOfNothing) {
  const TemporaryFolder folder;
  const auto archive = MustOpen(Options(folder));
  CaptureEncoder encoder({}, 2);
  const RecordLocator good = MustAppend(archive.get(), CaptureNumber(1, &encoder));
  const ArchiveReader reader(folder / "archive");
  EXPECT_EQ(reader.Read({.file = 9, .offset = 0, .length = 10}).status().code(), StatusCode::kNotFound);
  SeededRandom random(5);
  for (int i = 0; i < 300; i++) {
    RecordLocator bad = good;
    bad.offset += random.Below(3) == 0 ? random.Next() : random.Below(good.length) + 1;
    EXPECT_EQ(reader.Read(bad).status().code(), StatusCode::kCorruption);
    bad = good;
    bad.length = random.Below(3) == 0 ? random.Next() : random.Below(good.length);
    EXPECT_EQ(reader.Read(bad).status().code(), StatusCode::kCorruption);
  }
}

TEST(ArchiveTest, TakesManyThreadsAndAReaderAtATime) {
  const TemporaryFolder folder;
  ArchiveOptions options = Options(folder);
  options.rotate_bytes = 200'000;
  const auto archive = MustOpen(options);
  constexpr uint64_t kThreads = 4, kEach = 60;
  std::vector<RecordLocator> locators(kThreads * kEach);
  std::atomic<uint64_t> readable = 0;  // by the first thread
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      CaptureEncoder encoder({}, t);
      for (uint64_t i = 0; i < kEach; i++) {
        locators[t * kEach + i] = MustAppend(archive.get(), CaptureNumber(t * kEach + i, &encoder));
        if (t == 0) readable.store(i + 1);
        if (i % 7 == 0) {
          EXPECT_TRUE(archive->Sync().ok());
        }
      }
    });
  }
  const ArchiveReader reader(options.directory);
  for (uint64_t seen = 0; seen < kEach;) {
    if (seen >= readable.load()) continue;
    ExpectReads(reader, locators[seen], seen);
    seen++;
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(archive->Close().ok());
  for (uint64_t n = 0; n < locators.size(); n++) ExpectReads(reader, locators[n], n);
  for (const ArchiveFile& file : MustList(options.directory)) {
    EXPECT_EQ(*ReadFile(options.directory + "/" + file.index_name),
              ScanWhole(options.directory + "/" + file.name, file.name)->lines);
  }
}

TEST(ArchivedHeadTest, KeepsWhatCameAndTellsTheTrueLength) {
  EXPECT_EQ(ArchivedHead("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\n\r\n", 4),
            "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(ArchivedHead("HTTP/1.1 200 OK\r\ntransfer-encoding:  chunked\r\nA: b\r\n\r\n", 12),
            "HTTP/1.1 200 OK\r\nX-Crawler-transfer-encoding:  chunked\r\nA: b\r\nContent-Length: 12\r\n\r\n");
  EXPECT_EQ(ArchivedHead("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", 12),
            "HTTP/1.1 200 OK\r\nX-Crawler-Content-Length: 5000\r\nContent-Length: 12\r\n\r\n");
  EXPECT_EQ(ArchivedHead("HTTP/1.1 200 OK\nA: b\n\n", 3), "HTTP/1.1 200 OK\nA: b\n\r\n");
  EXPECT_EQ(ArchivedHead("HTTP/1.1 200 OK\r\nA: b", 3), "HTTP/1.1 200 OK\r\nA: b\r\n\r\n");
  EXPECT_EQ(ArchivedHead("HTTP/1.1 304 Not Modified\r\nContent-Length: 70\r\n\r\n", 0),
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 70\r\n\r\n");
  EXPECT_EQ(ArchivedHead("", 3), "");
  EXPECT_EQ(ArchivedHead("\r\n", 3), "\r\n\r\n");
}

}  // namespace
}  // namespace crivello::store
