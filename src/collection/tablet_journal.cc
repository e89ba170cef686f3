// SPDX-License-Identifier: Apache-2.0
#include "collection/tablet_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/record.h"

namespace crivello::collection {
namespace {

constexpr uint64_t kStateVersion = 1;

// Keeps the last state of a log.
auto LastStateInto(const std::string& path, std::optional<TabletState>* last) {
  return [&path, last](Bytes record) -> Status {
    Result<TabletState> state = DecodeTabletState(record);
    if (!state.ok()) return state.status().WithContext(path);
    *last = *state;
    return Status::Ok();
  };
}

}  // namespace

void TabletState::Advance(const TabletState& other) {
  sequence = std::max(sequence, other.sequence);
  epoch = std::max(epoch, other.epoch);
  archive = std::max(archive, other.archive);
  sieve = std::max(sieve, other.sieve);
}

std::string EncodeTabletState(const TabletState& state) {
  // Words, so that the record fills its place in the log: padding has no checksum.
  RecordWriter writer;
  for (const uint64_t word : {kStateVersion, state.sequence, state.epoch, uint64_t{state.archive.serial},
                              state.archive.bytes, state.sieve.batch, state.sieve.keys}) {
    writer.Word(word);
  }
  return std::move(writer).bytes();
}

Result<TabletState> DecodeTabletState(Bytes bytes) {
  RecordReader reader(AsText(bytes));
  const uint64_t version = reader.Word();
  TabletState state;
  state.sequence = reader.Word();
  state.epoch = reader.Word();
  const uint64_t serial = reader.Word();
  state.archive.serial = static_cast<uint32_t>(serial);
  state.archive.bytes = reader.Word();
  state.sieve.batch = reader.Word();
  state.sieve.keys = reader.Word();
  if (!reader.finished() || version != kStateVersion || serial > UINT32_MAX) {
    return Status::Corruption("a record that is not the state of a tablet");
  }
  return state;
}

Result<std::optional<TabletState>> TabletJournal::ReadLast(const std::string& path) {
  std::optional<TabletState> last;
  const auto read = ReadLog(path, kFileKind, LastStateInto(path, &last));
  if (read.status().code() == StatusCode::kNotFound) return last;
  CRV_TRY(read.status());
  return last;
}

Status TabletJournal::Check(const std::string& path) {
  std::optional<TabletState> last;
  const auto read = ReadLog(path, kFileKind, LastStateInto(path, &last));
  if (read.status().code() == StatusCode::kNotFound) return Status::Ok();
  CRV_TRY(read.status());
  if (read->torn_bytes == 0) return Status::Ok();
  return Status::Corruption(fmt::format("{}: its last {} bytes are damaged", path, read->torn_bytes));
}

Result<std::unique_ptr<TabletJournal>> TabletJournal::Open(const std::string& path, FileSystem& fs) {
  std::optional<TabletState> last;
  CRV_ASSIGN(auto opened, LogWriter::Open(path, kFileKind, LastStateInto(path, &last), fs));
  return std::unique_ptr<TabletJournal>(
      new TabletJournal(path, std::move(opened.writer), last.value_or(TabletState()), fs));
}

TabletState TabletJournal::last() const {
  MutexLock lock(mu_);
  return last_;
}

Status TabletJournal::Record(const TabletState& state) {
  MutexLock lock(mu_);
  TabletState next = last_;
  next.Advance(state);
  if (next == last_) return Status::Ok();
  if (!log_ || log_->size_bytes() >= kMaxBytes) CRV_TRY(StartOver());
  CRV_TRY(log_->Append(AsBytes(EncodeTabletState(next))));
  CRV_TRY(log_->Flush());
  last_ = next;
  return Status::Ok();
}

Status TabletJournal::Sync() {
  MutexLock lock(mu_);
  if (!log_) CRV_TRY(StartOver());
  return log_->Sync();
}

Status TabletJournal::StartOver() {
  const std::string fresh = path_ + ".new";
  std::error_code error;
  if (std::filesystem::exists(fresh, error)) CRV_TRY(fs_.Remove(fresh));  // left by a crash
  const auto nothing = [](Bytes) { return Status::Ok(); };
  {
    CRV_ASSIGN(auto opened, LogWriter::Open(fresh, kFileKind, nothing, fs_));
    CRV_TRY(opened.writer.Append(AsBytes(EncodeTabletState(last_))));
    CRV_TRY(opened.writer.Sync());
  }
  log_.reset();
  CRV_TRY(fs_.Rename(fresh, path_));
  CRV_TRY(fs_.SyncDirectory(DirectoryOf(path_)));
  CRV_ASSIGN(auto opened, LogWriter::Open(path_, kFileKind, nothing, fs_));
  log_.emplace(std::move(opened.writer));
  return Status::Ok();
}

}  // namespace crivello::collection
