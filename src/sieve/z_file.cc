// SPDX-License-Identifier: Apache-2.0
#include "sieve/z_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/hash.h"

namespace crivello::sieve {
namespace {

constexpr size_t kPageWords = kZPageBytes / 8;
constexpr size_t kWindowPages = 64;
constexpr size_t kPendingKeys = 8 * kMaxZPageKeys;

// The totals at the end of the payload.
constexpr size_t kTotalsBytes = 32;
constexpr size_t kKeysAt = 0;
constexpr size_t kPagesAt = 8;
constexpr size_t kZeroAt = 16;
constexpr size_t kTotalsChecksumAt = 24;

// The keys of a run or an array, page by page.
class Source {
 public:
  explicit Source(std::span<const uint64_t> keys) : at_(keys.data()), end_(keys.data() + keys.size()) {}
  explicit Source(const ZFile& file) : cursor_(std::in_place, file), decoded_(kMaxZPageKeys), file_(&file) {}

  bool empty() const { return at_ == end_; }
  const uint64_t* begin() const { return at_; }
  const uint64_t* end() const { return end_; }
  void DropUntil(const uint64_t* at) { at_ = at; }

  Status Refill() {
    if (!empty() || !cursor_) return Status::Ok();
    CRV_TRY(cursor_->Next());
    if (cursor_->page() == nullptr) return Status::Ok();
    const Status status = cursor_->page()->Decode(decoded_);
    if (!status.ok()) return status.WithContext(file_->path());
    at_ = decoded_.data();
    end_ = at_ + cursor_->page()->count();
    return Status::Ok();
  }

 private:
  std::optional<ZCursor> cursor_;
  std::vector<uint64_t> decoded_;
  const ZFile* file_ = nullptr;
  const uint64_t* at_ = nullptr;
  const uint64_t* end_ = nullptr;
};

}  // namespace

Result<ZFile> ZFile::Open(const std::string& path) {
  CRV_ASSIGN(const FormatFile mapped, FormatFile::Open(path, kFileKind, {.verify = Verify::kEnvelope}));
  const Bytes payload = mapped.payload();
  if (payload.size() < kTotalsBytes || payload.size() % kZPageBytes != kTotalsBytes) {
    return Status::Corruption(fmt::format("{}: {} bytes are not a number of pages", path, payload.size()));
  }
  const Bytes totals = payload.last(kTotalsBytes);
  if (LoadField<uint64_t>(totals, kTotalsChecksumAt) != Hash64(totals.first(kTotalsChecksumAt))) {
    return Status::Corruption(fmt::format("{}: damaged totals", path));
  }
  CRV_ASSIGN(InputFile file, InputFile::Open(path));
  ZFile result(std::move(file));
  result.keys_ = LoadField<uint64_t>(totals, kKeysAt);
  result.pages_ = LoadField<uint64_t>(totals, kPagesAt);
  CRV_ASSIGN(result.size_bytes_, FileSize(path));
  if (result.pages_ != payload.size() / kZPageBytes || result.keys_ < result.pages_ ||
      result.keys_ > result.pages_ * kMaxZPageKeys) {
    return Status::Corruption(
        fmt::format("{}: corrupt: {} keys do not fit in {} pages", path, result.keys_, result.pages_));
  }
  return result;
}

Description ZFile::Describe() const {
  return {
      {"keys", keys_},
      {"pages", pages_},
      {"bits-per-key", keys_ == 0 ? 0.0 : static_cast<double>(size_bytes_) * 8 / static_cast<double>(keys_)}};
}

Result<size_t> ZFile::ReadPages(uint64_t first, std::span<uint64_t> out) const {
  const uint64_t pages = std::min<uint64_t>(out.size() / kPageWords, first < pages_ ? pages_ - first : 0);
  const auto bytes = std::as_writable_bytes(out.first(pages * kPageWords));
  CRV_ASSIGN(const size_t read, file_.Read(kHeaderBytes + first * kZPageBytes, bytes));
  if (read != bytes.size())
    return Status::Corruption(fmt::format("{}: truncated while it was being read", path()));
  return static_cast<size_t>(pages);
}

Status ZCursor::MoveTo(uint64_t number) {
  page_.reset();
  const bool follows = started_ ? number == number_ + 1 : number == 0;
  started_ = true;
  number_ = std::min(number, file_->pages());
  if (number_ == file_->pages()) return Status::Ok();
  if (number_ < window_first_ || number_ >= window_first_ + window_pages_) {
    const size_t pages = follows ? std::min(std::max<size_t>(1, 2 * window_pages_), kWindowPages) : 1;
    window_.resize(pages * kPageWords);
    window_pages_ = 0;
    CRV_ASSIGN(window_pages_, file_->ReadPages(number_, window_));
    window_first_ = number_;
  }
  const auto words = std::span(window_).subspan((number_ - window_first_) * kPageWords, kPageWords);
  auto page = ZPage::Parse(std::as_bytes(words), number_);
  if (!page.ok()) return page.status().WithContext(file_->path());
  page_ = *page;
  return Status::Ok();
}

Status ZCursor::SeekTo(uint64_t key) {
  if (!started_) CRV_TRY(MoveTo(0));
  for (size_t steps = 0; steps < kWindowPages; steps++) {
    if (!page_ || page_->last() >= key) return Status::Ok();
    CRV_TRY(MoveTo(number_ + 1));
  }
  if (!page_ || page_->last() >= key) return Status::Ok();
  // The page is in (low, high], where high may be the end: double the step, then bisect.
  uint64_t low = number_;
  uint64_t high = file_->pages();
  for (uint64_t leap = 1; page_->last() < key; leap *= 2) {
    low = number_;
    if (leap >= high - low) break;
    CRV_TRY(MoveTo(low + leap));
  }
  if (number_ != low) high = number_;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    CRV_TRY(MoveTo(middle));
    (page_->last() < key ? low : high) = middle;
  }
  return number_ == high && page_ ? Status::Ok() : MoveTo(high);
}

Result<ZWriter> ZWriter::Create(const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(auto file, FormatFileWriter::Create(path, ZFile::kFileKind, fs));
  ZWriter writer(std::move(file));
  writer.pending_.reserve(kPendingKeys);
  return writer;
}

Status ZWriter::Add(std::span<const uint64_t> keys) {
  while (!keys.empty()) {
    const auto some = keys.first(std::min(keys.size(), kPendingKeys - pending_.size()));
    bool rises = keys_ == 0 || last_ < some.front();
    for (size_t i = 1; i < some.size(); i++) rises &= some[i - 1] < some[i];
    if (!rises) return Status::InvalidArgument("signatures that do not strictly increase");
    pending_.insert(pending_.end(), some.begin(), some.end());
    last_ = some.back();
    keys_ += some.size();
    keys = keys.subspan(some.size());
    if (pending_.size() == kPendingKeys) CRV_TRY(WritePages(kMaxZPageKeys));
  }
  return Status::Ok();
}

Status ZWriter::WritePages(size_t keep) {
  std::array<uint64_t, kPageWords> page;
  std::span<const uint64_t> rest = pending_;
  while (!rest.empty() && rest.size() >= keep) {
    const size_t count = CountForZPage(rest);
    EncodeZPage(rest.first(count), pages_, page);
    CRV_TRY(file_.Append(std::as_bytes(std::span(page))));
    pages_++;
    rest = rest.subspan(count);
  }
  pending_.erase(pending_.begin(), pending_.end() - static_cast<ptrdiff_t>(rest.size()));
  return Status::Ok();
}

Status ZWriter::Finish() {
  CRV_TRY(WritePages(1));
  std::array<std::byte, kTotalsBytes> totals;
  StoreField(std::span(totals), kKeysAt, keys_);
  StoreField(std::span(totals), kPagesAt, pages_);
  StoreField(std::span(totals), kZeroAt, uint64_t{0});
  StoreField(std::span(totals), kTotalsChecksumAt, Hash64(Bytes(totals).first(kTotalsChecksumAt)));
  CRV_TRY(file_.Append(totals));
  return file_.Finish();
}

Status MergeRuns(std::span<const ZFile* const> runs, std::span<const uint64_t> fresh,
                 const std::function<bool()>& stop, ZWriter& out) {
  std::vector<Source> sources;
  sources.reserve(runs.size() + 1);
  for (const ZFile* run : runs) sources.emplace_back(*run);
  sources.emplace_back(fresh);
  std::array<uint64_t, 4096> merged;
  size_t size = 0;
  const auto write = [&] {
    const Status status = out.Add(std::span(merged).first(size));
    size = 0;
    if (status.code() != StatusCode::kInvalidArgument) return status;
    return Status::Corruption(fmt::format("{}: has a key that another run has too",
                                          runs.empty() ? std::string() : runs.front()->path()));
  };
  for (uint64_t turns = 0;; turns++) {
    // The source with the least key, and the least key of the others: up to there it can be copied.
    Source* least = nullptr;
    uint64_t limit = ~uint64_t{0};
    bool alone = true;
    for (Source& source : sources) {
      if (source.empty()) CRV_TRY(source.Refill());
      if (source.empty()) continue;
      if (least == nullptr) {
        least = &source;
      } else {
        alone = false;
        const uint64_t least_key = *least->begin();
        const uint64_t key = *source.begin();
        if (key < least_key) least = &source;
        limit = std::min(limit, std::max(key, least_key));
      }
    }
    if (least == nullptr) break;
    const uint64_t* at = least->begin();
    do {
      merged[size++] = *at++;
    } while (size < merged.size() && at != least->end() && (alone || *at < limit));
    least->DropUntil(at);
    if (size == merged.size()) CRV_TRY(write());
    if (turns % 65536 == 0 && stop()) return Status::Unavailable("stopped");
  }
  return write();
}

Status WriteRange(const ZFile& file, uint64_t first, uint64_t last, const std::string& path, FileSystem& fs) {
  if (first > last) return Status::InvalidArgument(fmt::format("invalid range: {:x} to {:x}", first, last));
  CRV_ASSIGN(auto writer, ZWriter::Create(path, fs));
  ZCursor cursor(file);
  std::vector<uint64_t> keys(kMaxZPageKeys);
  for (Status moved = cursor.SeekTo(first);; moved = cursor.Next()) {
    CRV_TRY(moved);
    if (cursor.page() == nullptr || cursor.page()->first() > last) break;
    const Status status = cursor.page()->Decode(keys);
    if (!status.ok()) return status.WithContext(file.path());
    const auto end = keys.begin() + static_cast<ptrdiff_t>(cursor.page()->count());
    CRV_TRY(writer.Add(
        std::span(std::lower_bound(keys.begin(), end, first), std::upper_bound(keys.begin(), end, last))));
  }
  return writer.Finish();
}

}  // namespace crivello::sieve
