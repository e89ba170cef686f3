// SPDX-License-Identifier: Apache-2.0
#include "sieve/arrival_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "sieve/sieve_files.h"

namespace crivello::sieve {
namespace {

constexpr uint64_t kCountBytes = sizeof(uint64_t);
constexpr uint64_t kLengthBytes = sizeof(uint32_t);

}  // namespace

Result<QueueSegmentWriter> QueueSegmentWriter::Create(const std::string& path, uint64_t keys,
                                                      FileSystem& fs) {
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, kFileKind, fs));
  CRV_TRY(file.Append(std::as_bytes(std::span(&keys, 1))));
  return QueueSegmentWriter(std::move(file));
}

Status QueueSegmentWriter::Append(std::string_view bytes) {
  const auto length = static_cast<uint32_t>(bytes.size());
  CRV_TRY(file_.Append(std::as_bytes(std::span(&length, 1))));
  return file_.Append(AsBytes(bytes));
}

struct ArrivalQueue::Segment {
  FormatFile file;
  uint64_t number;
  uint64_t keys;
};

ArrivalQueue::ArrivalQueue(std::string folder, Position start, uint64_t end, uint64_t untaken)
    : folder_(std::move(folder)), own_(end), position_(start), end_(end), untaken_(untaken) {}
ArrivalQueue::~ArrivalQueue() = default;

std::string ArrivalQueue::SegmentPath(const std::string& folder, uint64_t segment) {
  return folder + "/" + NumberedName(kSegmentPrefix, segment);
}

void ArrivalQueue::Extend(uint64_t keys) {
  MutexLock lock(mu_);
  end_++;
  untaken_ += keys;
}

Status ArrivalQueue::OpenSegment(const Position& at) {
  if (open_ != nullptr && open_->number == at.segment) return Status::Ok();
  open_.reset();
  const std::string path = SegmentPath(folder_, at.segment);
  // Do not verify again what this process wrote itself.
  const Verify verify = at.segment < own_ ? Verify::kPayload : Verify::kEnvelope;
  CRV_ASSIGN(FormatFile file, FormatFile::Open(path, QueueSegmentWriter::kFileKind,
                                               {.verify = verify, .pattern = AccessPattern::kSequential}));
  if (file.payload().size() < kCountBytes) {
    return Status::Corruption(fmt::format("{}: truncated: too short for the number of its keys", path));
  }
  const auto keys = LoadField<uint64_t>(file.payload(), 0);
  open_ = std::make_unique<Segment>(Segment{.file = std::move(file), .number = at.segment, .keys = keys});
  return Status::Ok();
}

Result<uint64_t> ArrivalQueue::Take(uint64_t limit, const std::function<void(std::string_view)>& visit) {
  Position at;
  uint64_t end = 0;
  {
    MutexLock lock(mu_);
    at = position_;
    end = end_;
  }
  uint64_t taken = 0;
  Status status;
  while (taken < limit && at.segment < end) {
    if (status = OpenSegment(at); !status.ok()) break;
    if (at.keys >= open_->keys) {
      at = {.segment = at.segment + 1};
      continue;
    }
    const Bytes payload = open_->file.payload();
    if (at.bytes == 0) at.bytes = kCountBytes;
    uint64_t length = 0;
    const bool has_length = at.bytes <= payload.size() && payload.size() - at.bytes >= kLengthBytes;
    if (has_length) length = LoadField<uint32_t>(payload, at.bytes);
    if (!has_length || payload.size() - at.bytes - kLengthBytes < length) {
      status = Status::Corruption(
          fmt::format("{}: corrupt: key {} of {} at payload offset {} extends beyond the payload",
                      open_->file.path(), at.keys, open_->keys, at.bytes));
      break;
    }
    visit(AsText(payload.subspan(at.bytes + kLengthBytes, length)));
    at.keys++;
    at.bytes += kLengthBytes + length;
    taken++;
    // A segment whose keys are all taken must be before the position, so that releasing it removes it.
    if (at.keys == open_->keys) at = {.segment = at.segment + 1};
  }
  MutexLock lock(mu_);
  position_ = at;
  untaken_ -= std::min(untaken_, taken);
  // The keys before the damage were delivered and count; the next call reports the damage.
  if (taken == 0 && !status.ok()) return status;
  return taken;
}

std::pair<ArrivalQueue::Position, uint64_t> ArrivalQueue::State() const {
  MutexLock lock(mu_);
  return {position_, untaken_};
}

}  // namespace crivello::sieve
