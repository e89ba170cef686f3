// SPDX-License-Identifier: Apache-2.0
#include "sieve/key_queue.h"

#include <fmt/format.h>

#include "base/image.h"
#include "sieve/sieve_files.h"

namespace crivello::sieve {
namespace {

constexpr std::string_view kLogPrefix = "keys-";
constexpr FileKind kPositionKind = {.name = "sieve-position", .version = 1};

// A visitor of log records that passes each key to `visit` and counts it.
auto EachKey(const std::string& path, uint64_t& keys, const std::function<void(uint64_t)>& visit) {
  return [&path, &keys, &visit](Bytes record) {
    KeyBlockReader block(record);
    for (; block.Next(); keys++) visit(block.key().signature);
    if (block.whole()) return Status::Ok();
    return Status::Corruption(fmt::format("{}: corrupt: a block ends inside key {}", path, keys));
  };
}

}  // namespace

std::string KeyQueue::LogPath(uint64_t log) const { return folder_ + "/" + NumberedName(kLogPrefix, log); }

Result<KeyQueue> KeyQueue::Open(const std::string& folder, Options options,
                                const std::function<void(uint64_t signature)>& remember, FileSystem& fs) {
  KeyQueue queue(folder, options, fs);
  CRV_TRY(queue.Recover(remember));
  return queue;
}

Status KeyQueue::Recover(const std::function<void(uint64_t)>& remember) {
  const std::string position_path = folder_ + "/position";
  auto position = FormatFile::Open(position_path, kPositionKind);
  if (position.ok()) {
    ImageReader image(position->payload(), position_path);
    CRV_ASSIGN(released_.log, image.Word());
    CRV_ASSIGN(released_.keys, image.Word());
    CRV_TRY(image.Finish());
  } else if (position.status().code() != StatusCode::kNotFound) {
    return position.status();
  }
  log_ = released_.log;

  CRV_ASSIGN(const auto names, ListFolder(folder_));
  std::vector<uint64_t> logs;
  for (const auto& name : names) {
    if (const auto number = NumberIn(kLogPrefix, name)) logs.push_back(*number);
  }
  for (size_t i = 0; i < logs.size(); i++) {
    if (i > 0 && logs[i] != logs[i - 1] + 1) {
      return Status::Corruption(
          fmt::format("{}: missing, although later segments exist", LogPath(logs[i] - 1)));
    }
  }
  if (!logs.empty()) {
    if (released_.log < logs.front() || released_.log > logs.back()) {
      return Status::Corruption(
          fmt::format("{}: missing, although {} refers to it", LogPath(released_.log), position_path));
    }
    log_ = logs.back();
  }

  uint64_t keys_of_released_log = 0;
  for (const uint64_t log : logs) {
    if (log == log_) break;
    uint64_t keys = 0;
    const std::string path = LogPath(log);
    CRV_ASSIGN(const LogRecovery recovery, ReadLog(path, kKeyLogKind, EachKey(path, keys, remember)));
    if (recovery.torn_bytes > 0) {
      return Status::Corruption(fmt::format("{}: corrupt at offset {}", path, recovery.good_bytes));
    }
    closed_[log] = {.bytes = recovery.good_bytes, .keys = keys};
    closed_bytes_ += recovery.good_bytes;
    if (log >= released_.log) appended_ += keys;
    if (log == released_.log) keys_of_released_log = keys;
  }
  const std::string path = LogPath(log_);
  CRV_ASSIGN(auto opened, LogWriter::Open(path, kKeyLogKind, EachKey(path, log_keys_, remember), *fs_));
  writer_.emplace(std::move(opened.writer));
  appended_ += log_keys_;
  if (log_ == released_.log) keys_of_released_log = log_keys_;
  if (released_.keys > keys_of_released_log) {
    return Status::Corruption(fmt::format("{}: corrupt: {} keys were released from {}, but it has only {}",
                                          position_path, released_.keys, LogPath(released_.log),
                                          keys_of_released_log));
  }
  taking_ = released_;
  taken_ = released_.keys;
  return Status::Ok();
}

Status KeyQueue::Append(Key key) {
  if (block_.size() >= kKeyBlockBytes) CRV_TRY(WriteBlock());
  if (writer_->size_bytes() >= options_.log_bytes) CRV_TRY(NextLog());
  AppendKey(block_, key);
  log_keys_++;
  appended_++;
  return Status::Ok();
}

Status KeyQueue::WriteBlock() {
  if (block_.empty()) return Status::Ok();
  CRV_TRY(writer_->Append(block_));
  unsynced_ = true;
  block_.clear();
  return Status::Ok();
}

Status KeyQueue::Sync() {
  CRV_TRY(WriteBlock());
  if (!unsynced_) return Status::Ok();
  CRV_TRY(writer_->Sync());
  unsynced_ = false;
  return Status::Ok();
}

Status KeyQueue::NextLog() {
  // Sync all of the old log first; otherwise a crash could leave a gap before the new one's keys.
  CRV_TRY(Sync());
  CRV_ASSIGN(auto opened, LogWriter::Open(
                              LogPath(log_ + 1), kKeyLogKind, [](Bytes) { return Status::Ok(); }, *fs_));
  closed_[log_] = {.bytes = writer_->size_bytes(), .keys = log_keys_};
  closed_bytes_ += writer_->size_bytes();
  writer_.emplace(std::move(opened.writer));
  log_++;
  log_keys_ = 0;
  return Status::Ok();
}

Status KeyQueue::OpenReader() {
  CRV_ASSIGN(auto reader, LogReader::Open(LogPath(taking_.log), kKeyLogKind));
  reader_.emplace(std::move(reader));
  for (uint64_t skipped = 0; skipped < taking_.keys;) {
    if (reading_ && reading_->Next()) {
      skipped++;
      continue;
    }
    CRV_ASSIGN(const auto record, reader_->Next());
    if (!record) {
      return Status::Corruption(fmt::format("{}: truncated: it ends before key {}, which was already taken",
                                            LogPath(taking_.log), taking_.keys));
    }
    reading_.emplace(*record);
  }
  return Status::Ok();
}

Result<bool> KeyQueue::Advance() {
  for (;;) {
    if (!reader_) CRV_TRY(OpenReader());
    if (reading_ && reading_->Next()) return true;
    reading_.reset();
    CRV_ASSIGN(const auto record, reader_->Next());
    if (record) {
      reading_.emplace(*record);
    } else if (taking_.log < log_) {
      if (taking_.keys != closed_[taking_.log].keys) {
        return Status::Corruption(fmt::format("{}: truncated: it ends after {} of {} keys",
                                              LogPath(taking_.log), taking_.keys, closed_[taking_.log].keys));
      }
      reader_.reset();
      taking_ = {.log = taking_.log + 1, .keys = 0};
    } else {
      if (untaken() == 0) return false;
      if (!unsynced_ && block_.empty()) {
        return Status::Corruption(fmt::format("{}: truncated: it ends after {} of {} keys", LogPath(log_),
                                              taking_.keys, log_keys_));
      }
      CRV_TRY(Sync());
    }
  }
}

Result<uint64_t> KeyQueue::Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit) {
  for (uint64_t n = 0; n < limit; n++) {
    const auto more = Advance();
    if (!more.ok()) {
      reader_.reset();  // the next call opens it again at the right position
      reading_.reset();
      if (n == 0) return more.status();
    }
    if (!more.ok() || !*more) return n;
    visit(reading_->key().bytes);
    taking_.keys++;
    taken_++;
  }
  return limit;
}

Status KeyQueue::Release() {
  if (taking_.log == released_.log && taking_.keys == released_.keys) return Status::Ok();
  CRV_TRY(Sync());  // after a crash, a position beyond the durable data would be beyond the end
  ImageWriter image;
  image.Word(taking_.log);
  image.Word(taking_.keys);
  CRV_TRY(WriteImage(folder_ + "/position", kPositionKind, image.bytes(), *fs_));
  released_ = taking_;
  return Status::Ok();
}

uint64_t KeyQueue::released_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [log, closed] : closed_) bytes += log < released_.log ? closed.bytes : 0;
  return bytes;
}

Status KeyQueue::Released(const std::function<void(uint64_t signature)>& visit) const {
  for (const auto& [log, closed] : closed_) {
    if (log >= released_.log) break;
    uint64_t keys = 0;
    const std::string path = LogPath(log);
    CRV_TRY(ReadLog(path, kKeyLogKind, EachKey(path, keys, visit)));
    if (keys != closed.keys) {
      return Status::Corruption(
          fmt::format("{}: truncated: it ends after {} of {} keys", path, keys, closed.keys));
    }
  }
  return Status::Ok();
}

Status KeyQueue::Drop() {
  while (!closed_.empty() && closed_.begin()->first < released_.log) {
    const auto oldest = closed_.begin();
    CRV_TRY(fs_->Remove(LogPath(oldest->first)));
    closed_bytes_ -= oldest->second.bytes;
    closed_.erase(oldest);
  }
  return Status::Ok();
}

}  // namespace crivello::sieve
