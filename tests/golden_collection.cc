// SPDX-License-Identifier: Apache-2.0
// Files of a collection besides the stores of its tablets.
#include "base/hash.h"
#include "base/log.h"
#include "care/backup.h"
#include "collection/collection_file.h"
#include "collection/forgotten.h"
#include "collection/tablet_journal.h"
#include "dedup/seen_texts.h"
#include "golden.h"
#include "kv/manifest_end.h"
#include "policy/traps.h"

namespace crivello {
namespace {

template <typename X>
Status WritePayload(const X& x, const std::string& path) {
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, X::kFileKind));
  CRV_TRY(file.Append(AsBytes(x.Encode())));
  return file.Finish();
}

std::vector<collection::ForgottenEntry> Forgotten() {
  using Kind = collection::ForgetTarget::Kind;
  return {
      {.target = {Kind::kUrl, "https://example.org/page"},
       .reason = "asked",
       .begun = 100,
       .done = 200,
       .rows = 3,
       .records = 2},
      {.target = {Kind::kHost, "example.net"}, .reason = "", .begun = 300},
      {.target = {Kind::kDomain, "example.com"}, .reason = "law", .begun = 400, .done = 401},
      {.target = {Kind::kPrefix, "https://example.org/private/"}, .reason = "", .begun = 500, .done = 501},
  };
}

void CheckForgotten(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<collection::ForgottenSet>::Open(path));
  EXPECT_EQ(file->entries(), Forgotten());
  EXPECT_TRUE(file->unfinished());
  EXPECT_TRUE(file->ContainsHost("www.example.com"));
}

care::BackupList Backup() {
  return {
      .made = 1'700'000'000,
      .files = {{"crivello.toml", 40, 0x0123456789abcdef}, {"tablets/0/archive/00000001.warc.gz", 70000, 5}}};
}

void CheckBackup(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<care::BackupList>::Open(path));
  EXPECT_EQ(file->made, Backup().made);
  EXPECT_EQ(file->files, Backup().files);
}

constexpr dedup::SeenTexts::Options kSeenOptions = {.memory_bytes = 8 << 10, .error = 0x1p-10};

Status WriteSeen(const std::string& path) {
  CRV_ASSIGN(const auto seen, dedup::SeenTexts::Create(kSeenOptions));
  for (uint64_t i = 0; i < 50; i++) seen->Add(Mix64(i), i % 5);
  return seen->Save(path);
}

void CheckSeen(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto seen, dedup::SeenTexts::Load(path, kSeenOptions));
  int others = 0;
  for (uint64_t i = 0; i < 50; i++) {
    EXPECT_TRUE(seen->Look(Mix64(i), i % 5).on_this_host) << i;
    EXPECT_TRUE(seen->Look(Mix64(i), 77).anywhere) << i;
  }
  for (uint64_t i = 50; i < 550; i++) others += seen->Look(Mix64(i), i % 5).anywhere ? 1 : 0;
  EXPECT_LT(others, 10);
}

// Visiting a URL with another session id is a trap if one was visited before.
web::Url Session(int number) {
  return web::ParseUrl("https://shop.example/item?sid=9123abcd" + std::to_string(number)).value();
}
web::Url Month(int number) {
  return web::ParseUrl("https://calendar.example/events/2024/0" + std::to_string(number) + "/").value();
}
constexpr policy::TrapOptions kTrapOptions = {.max_dates = 3};

Status WriteTraps(const std::string& path) {
  policy::TrapMemory memory(kTrapOptions);
  memory.Visit(Session(1));
  for (int month = 1; month <= 3; month++) memory.Visit(Month(month));
  return memory.Save(path);
}

void CheckTraps(const std::string& path) {
  // Both URLs are harmless for an empty memory.
  policy::TrapMemory empty(kTrapOptions);
  EXPECT_EQ(empty.Visit(Session(2)), std::nullopt);
  EXPECT_EQ(empty.Visit(Month(4)), std::nullopt);
  policy::TrapMemory memory(kTrapOptions);
  const Status loaded = memory.Load(path);
  ASSERT_TRUE(loaded.ok()) << loaded.ToString();
  EXPECT_EQ(memory.Visit(Session(2)), policy::TrapRule::kSessionId);
  EXPECT_EQ(memory.Visit(Month(4)), policy::TrapRule::kCalendar);
}

const collection::TabletState kTabletState = {.sequence = 300,
                                              .epoch = 2,
                                              .archive = {.serial = 7, .bytes = 123456},
                                              .sieve = {.batch = 4, .keys = 1000}};

Status WriteJournal(const std::string& path) {
  CRV_ASSIGN(const auto journal, collection::TabletJournal::Open(path));
  CRV_TRY(journal->Record({.sequence = 1}));
  CRV_TRY(journal->Record(kTabletState));
  return journal->Sync();
}

void CheckJournal(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto last, collection::TabletJournal::ReadLast(path));
  EXPECT_EQ(last, kTabletState);
}

constexpr kv::ManifestEnd kManifestEnd = {.number = 26, .bytes = 2716, .hash = 0x0123456789abcdef};

Status WriteManifestEnd(const std::string& path) {
  CRV_ASSIGN(auto opened,
             LogWriter::Open(path, kv::ManifestWitness::kFileKind, [](Bytes) { return Status::Ok(); }));
  CRV_TRY(opened.writer.Append(AsBytes(kv::EncodeManifestEnd({.number = 26, .bytes = 57, .hash = 1}))));
  CRV_TRY(opened.writer.Append(AsBytes(kv::EncodeManifestEnd(kManifestEnd))));
  return opened.writer.Sync();
}

void CheckManifestEnd(const std::string& path) {
  kv::ManifestEnd last;
  const auto read = ReadLog(path, kv::ManifestWitness::kFileKind, [&](Bytes record) -> Status {
    CRV_ASSIGN(last, kv::DecodeManifestEnd(record));
    return Status::Ok();
  });
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->records, 2u);
  EXPECT_EQ(last, kManifestEnd);
}

}  // namespace

std::vector<Golden> CollectionGoldens() {
  return {
      {"forgotten-v1",
       [](const std::string& path) { return WritePayload(collection::ForgottenSet(Forgotten()), path); },
       CheckForgotten},
      {"backup-v1", [](const std::string& path) { return WritePayload(Backup(), path); }, CheckBackup},
      {"seen-texts-v1", WriteSeen, CheckSeen},
      {"trap-memory-v1", WriteTraps, CheckTraps},
      {"tablet-journal-v1", WriteJournal, CheckJournal},
      {"manifest-end-v1", WriteManifestEnd, CheckManifestEnd},
      {"crivello-toml-v1",
       [](const std::string& path) { return WriteGoldenText(path, collection::NewCollectionFile("bloom")); },
       [](const std::string& path) {
         CRV_GOLDEN_ASSIGN(const auto file, collection::CollectionFile::Parse(path, GoldenText(path)));
         EXPECT_EQ(file.version, 1);
         EXPECT_EQ(file.sieve, "bloom");
       }},
  };
}

}  // namespace crivello
