// SPDX-License-Identifier: Apache-2.0
#include "sieve/external_sort.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>

#include "base/input_file.h"

namespace crivello::sieve {
namespace {

// In memory a record is its length and its bytes; in a run, major and minor stand in front.
constexpr uint64_t kRowLengthBytes = sizeof(uint32_t);
constexpr uint64_t kRunHeaderBytes = 2 * sizeof(uint64_t) + kRowLengthBytes;
constexpr uint64_t kWriteBufferBytes = 1 << 18;
constexpr uint64_t kMinReadBufferBytes = 1 << 12;
constexpr uint64_t kMaxReadBufferBytes = 1 << 20;

std::string TemporaryName(const std::string& folder) {
  static std::atomic<uint64_t> number = 0;
  return fmt::format("{}/{}{}-{}", folder, kSortPrefix, ::getpid(),
                     number.fetch_add(1, std::memory_order_relaxed));
}

}  // namespace

struct ExternalSorter::Slot {
  uint64_t major;
  uint64_t minor;
  uint64_t offset;  // in memory_; grows with arrival, so it breaks ties

  friend auto operator<=>(const Slot&, const Slot&) = default;
};

// A sorted temporary file, read from its start through a buffer.
class ExternalSorter::Run {
 public:
  Run(InputFile file, uint32_t level) : file_(std::move(file)), level_(level) {}

  uint32_t level() const { return level_; }
  bool done() const { return done_; }
  const SortRecord& head() const { return head_; }

  Status StartReading(uint64_t buffer_bytes) {
    buffer_.resize(buffer_bytes);
    return Advance();
  }

  // The next record becomes the head; the last one's bytes are gone.
  Status Advance() {
    const auto cut = [] { return Status::IoError("a temporary run of a sort lost its end"); };
    CRV_TRY(Want(kRunHeaderBytes));
    if (done_) return begin_ == end_ ? Status::Ok() : cut();
    uint32_t length = 0;
    std::memcpy(&length, buffer_.data() + begin_ + 16, sizeof length);
    CRV_TRY(Want(kRunHeaderBytes + length));
    if (done_) return cut();
    const char* at = buffer_.data() + begin_;
    std::memcpy(&head_.major, at, sizeof head_.major);
    std::memcpy(&head_.minor, at + 8, sizeof head_.minor);
    head_.bytes = {at + kRunHeaderBytes, length};
    begin_ += kRunHeaderBytes + length;
    return Status::Ok();
  }

 private:
  // At least `bytes` from begin_ on are in the buffer, or done_.
  Status Want(uint64_t bytes) {
    if (end_ - begin_ >= bytes) return Status::Ok();
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() < bytes) buffer_.resize(bytes);
    CRV_ASSIGN(const size_t got,
               file_.Read(file_offset_, std::as_writable_bytes(std::span(buffer_).subspan(end_))));
    end_ += got;
    file_offset_ += got;
    done_ = end_ < bytes;
    return Status::Ok();
  }

  const InputFile file_;
  const uint32_t level_;
  std::vector<char> buffer_;
  uint64_t begin_ = 0;  // of what is not read yet, in buffer_
  uint64_t end_ = 0;
  uint64_t file_offset_ = 0;
  SortRecord head_;
  bool done_ = false;
};

class ExternalSorter::RunWriter {
 public:
  static Result<RunWriter> Create(const ExternalSortOptions& options, uint32_t level) {
    FileSystem& fs = options.fs != nullptr ? *options.fs : PosixFileSystem();
    const std::string path = TemporaryName(options.folder);
    RunWriter writer;
    CRV_ASSIGN(writer.file_, fs.OpenForAppend(path, {.truncate = true}));
    CRV_ASSIGN(InputFile input, InputFile::Open(path));
    CRV_TRY(fs.Remove(path));
    writer.run_ = std::make_unique<Run>(std::move(input), level);
    return writer;
  }

  Status Append(const SortRecord& record) {
    char header[kRunHeaderBytes];
    const auto length = static_cast<uint32_t>(record.bytes.size());
    std::memcpy(header, &record.major, sizeof record.major);
    std::memcpy(header + 8, &record.minor, sizeof record.minor);
    std::memcpy(header + 16, &length, sizeof length);
    buffer_.append(header, sizeof header).append(record.bytes);
    return buffer_.size() < kWriteBufferBytes ? Status::Ok() : Flush();
  }

  Result<std::unique_ptr<Run>> Finish() {
    CRV_TRY(Flush());
    return std::move(run_);
  }

  uint64_t size_bytes() const { return written_; }

 private:
  Status Flush() {
    CRV_TRY(file_->Append(AsBytes(buffer_)));
    written_ += buffer_.size();
    buffer_.clear();
    return Status::Ok();
  }

  std::unique_ptr<AppendFile> file_;
  std::unique_ptr<Run> run_;
  std::string buffer_;
  uint64_t written_ = 0;
};

// The records of several runs in order, by a loser tree: losers_[0] is the run with the least head, and each
// inner node holds the loser of the match between the winners of its two subtrees, so that after the winner
// has moved on only its path to the root is played again.
class ExternalSorter::Merge {
 public:
  static Result<std::unique_ptr<Merge>> Of(std::span<const std::unique_ptr<Run>> runs,
                                           uint64_t memory_bytes) {
    auto merge = std::make_unique<Merge>();
    const uint64_t buffer = std::clamp(memory_bytes / runs.size(), kMinReadBufferBytes, kMaxReadBufferBytes);
    for (const auto& run : runs) {
      CRV_TRY(run->StartReading(buffer));
      merge->runs_.push_back(run.get());
    }
    merge->losers_.assign(runs.size(), kUnplayed);
    for (uint32_t i = 0; i < runs.size(); i++) merge->Play(i);
    return merge;
  }

  bool done() const { return runs_[losers_[0]]->done(); }
  const SortRecord& head() const { return runs_[losers_[0]]->head(); }
  Status Advance() {
    CRV_TRY(runs_[losers_[0]]->Advance());
    Play(losers_[0]);
    return Status::Ok();
  }

 private:
  static constexpr uint32_t kUnplayed = ~uint32_t{0};

  // Whether run a's head comes first.  An unplayed match is won by who is not there: the loser stays in the
  // node and waits for its opponent.
  bool Wins(uint32_t a, uint32_t b) const {
    if (a == kUnplayed || b == kUnplayed) return a == kUnplayed;
    if (runs_[a]->done() || runs_[b]->done()) return !runs_[a]->done();
    const SortRecord& x = runs_[a]->head();
    const SortRecord& y = runs_[b]->head();
    if (x.major != y.major) return x.major < y.major;
    if (x.minor != y.minor) return x.minor < y.minor;
    return a < b;  // the older run
  }

  void Play(uint32_t winner) {
    for (size_t node = (winner + runs_.size()) / 2; node > 0; node /= 2) {
      if (Wins(losers_[node], winner)) std::swap(losers_[node], winner);
      if (winner == kUnplayed) return;
    }
    losers_[0] = winner;
  }

  std::vector<Run*> runs_;
  std::vector<uint32_t> losers_;
};

ExternalSorter::ExternalSorter(ExternalSortOptions options)
    : options_(std::move(options)),
      memory_bytes_(std::max(options_.memory_bytes, kMinSortMemory) & ~(sizeof(uint64_t) - 1)) {}
ExternalSorter::~ExternalSorter() = default;

std::span<ExternalSorter::Slot> ExternalSorter::slots() {
  if (slot_count_ == 0) return {};
  auto* end = reinterpret_cast<Slot*>(memory_.get() + memory_bytes_);
  return {end - slot_count_, slot_count_};
}

Status ExternalSorter::Add(const SortRecord& record) {
  const uint64_t needed = kRowLengthBytes + record.bytes.size() + sizeof(Slot);
  if (needed > memory_bytes_ || record.bytes.size() > UINT32_MAX) {
    return Status::InvalidArgument(
        fmt::format("a record of {} bytes is more than the sort's memory of {} holds", record.bytes.size(),
                    memory_bytes_));
  }
  if (memory_ == nullptr) memory_ = std::make_unique_for_overwrite<std::byte[]>(memory_bytes_);
  if (record_end_ + slot_count_ * sizeof(Slot) + needed > memory_bytes_) CRV_TRY(Spill());
  char* at = reinterpret_cast<char*>(memory_.get()) + record_end_;
  const auto length = static_cast<uint32_t>(record.bytes.size());
  std::memcpy(at, &length, sizeof length);
  if (length > 0) std::memcpy(at + kRowLengthBytes, record.bytes.data(), length);
  slot_count_++;
  slots().front() = {.major = record.major, .minor = record.minor, .offset = record_end_};
  record_end_ += kRowLengthBytes + length;
  return Status::Ok();
}

void ExternalSorter::SortSlots() {
  std::sort(slots().begin(), slots().end());
  next_slot_ = 0;
}

Status ExternalSorter::Spill() {
  if (slot_count_ == 0) return Status::Ok();
  SortSlots();
  CRV_ASSIGN(RunWriter writer, RunWriter::Create(options_, 0));
  while (Next()) CRV_TRY(writer.Append(record_));
  CRV_ASSIGN(auto run, writer.Finish());
  spilled_bytes_ += writer.size_bytes();
  runs_.push_back(std::move(run));
  record_end_ = slot_count_ = next_slot_ = 0;
  any_ = false;

  while (runs_.size() >= kFanIn && runs_[runs_.size() - kFanIn]->level() == runs_.back()->level()) {
    CRV_TRY(MergeRuns(runs_.size() - kFanIn));
  }
  return Status::Ok();
}

Status ExternalSorter::MergeRuns(size_t first) {
  CRV_ASSIGN(RunWriter writer, RunWriter::Create(options_, runs_.back()->level() + 1));
  // The buffer that was just spilled is idle, but its memory must be there again for the next record.
  memory_.reset();
  CRV_ASSIGN(merge_, Merge::Of(std::span(runs_).subspan(first), memory_bytes_));
  while (Next()) CRV_TRY(writer.Append(record_));
  CRV_TRY(status_);
  merge_.reset();
  any_ = false;
  CRV_ASSIGN(auto run, writer.Finish());
  spilled_bytes_ += writer.size_bytes();
  runs_.resize(first);
  runs_.push_back(std::move(run));
  memory_ = std::make_unique_for_overwrite<std::byte[]>(memory_bytes_);
  return Status::Ok();
}

Status ExternalSorter::Finish() {
  if (runs_.empty()) {
    SortSlots();
    return Status::Ok();
  }
  CRV_TRY(Spill());
  memory_.reset();
  CRV_ASSIGN(merge_, Merge::Of(runs_, memory_bytes_));
  return Status::Ok();
}

bool ExternalSorter::Next() {
  while (status_.ok()) {
    const bool had = std::exchange(any_, false);
    const uint64_t last = record_.major;
    if (merge_ != nullptr) {
      // The winner still holds the record that was given out last.
      if (had) status_ = merge_->Advance();
      if (!status_.ok() || merge_->done()) return false;
      record_ = merge_->head();
    } else {
      if (next_slot_ == slot_count_) return false;
      const Slot& slot = slots()[next_slot_++];
      const char* at = reinterpret_cast<const char*>(memory_.get()) + slot.offset;
      uint32_t length = 0;
      std::memcpy(&length, at, sizeof length);
      record_ = {.major = slot.major, .minor = slot.minor, .bytes = {at + kRowLengthBytes, length}};
    }
    any_ = true;
    if (!options_.unique || !had || record_.major != last) return true;
  }
  return false;
}

}  // namespace crivello::sieve
