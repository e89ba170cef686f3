// SPDX-License-Identifier: Apache-2.0
#include "index/build/external_sorter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/folder.h"
#include "base/input_file.h"

namespace crivello::index {
namespace {

constexpr size_t kSortBufferBytes = 64 << 10;

}  // namespace

// Records, each after its length in four bytes, in a file.
class ExternalSorter::Run {
 public:
  Run(InputFile file, FileSystem& fs) : file_(std::move(file)), fs_(fs) {}
  ~Run() { (void)fs_.Remove(file_.path()); }  // if it stays, its folder is cleaned by who owns that

  // Moves to the next record; false at the end.
  Result<bool> Next() {
    CRV_ASSIGN(const bool more, Need(sizeof(uint32_t)));
    if (!more) return false;
    uint32_t size;
    std::memcpy(&size, buffer_.data() + begin_, sizeof(size));
    begin_ += sizeof(size);
    CRV_ASSIGN(const bool whole, Need(size));
    if (!whole) return Status::Corruption(fmt::format("{}: cut", file_.path()));
    record_ = {reinterpret_cast<const char*>(buffer_.data() + begin_), size};
    begin_ += size;
    return true;
  }
  std::string_view record() const { return record_; }

 private:
  // Sees that so many bytes are in the buffer; false at the end of the file.
  Result<bool> Need(size_t bytes) {
    if (end_ - begin_ >= bytes) return true;
    if (end_ > begin_) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    buffer_.resize(std::max(kSortBufferBytes, bytes));
    CRV_ASSIGN(const size_t read, file_.Read(offset_, std::span(buffer_).subspan(end_)));
    offset_ += read;
    end_ += read;
    return end_ >= bytes;
  }

  const InputFile file_;
  FileSystem& fs_;
  uint64_t offset_ = 0;  // of the file, up to where it is in the buffer
  std::vector<std::byte> buffer_;
  size_t begin_ = 0, end_ = 0;  // of what is not given out
  std::string_view record_;
};

ExternalSorter::ExternalSorter(Options options) : options_(std::move(options)) {}
ExternalSorter::~ExternalSorter() = default;

Status ExternalSorter::Add(std::string_view record) {
  if (record.size() > UINT32_MAX) return Status::InvalidArgument("a record of over 4 GiB");
  if (!places_.empty() &&
      bytes_.size() + record.size() + (places_.size() + 1) * sizeof(Place) > options_.memory_bytes) {
    CRV_TRY(Spill());
  }
  places_.push_back({bytes_.size(), static_cast<uint32_t>(record.size())});
  bytes_.insert(bytes_.end(), record.begin(), record.end());
  return Status::Ok();
}

void ExternalSorter::SortPlaces() {
  std::sort(places_.begin(), places_.end(), [this](const Place& a, const Place& b) { return At(a) < At(b); });
}

Status ExternalSorter::Spill() {
  SortPlaces();
  CRV_TRY(MakeFolders(options_.folder));
  const std::string path = fmt::format("{}/sort-{}-{}-{}", options_.folder, getpid(),
                                       static_cast<const void*>(this), runs_.size());
  {
    CRV_ASSIGN(const std::unique_ptr<AppendFile> file, options_.fs->OpenForAppend(path, {.truncate = true}));
    std::string buffer;
    for (const Place& place : places_) {
      buffer.append(reinterpret_cast<const char*>(&place.size), sizeof(place.size));
      buffer.append(At(place));
      if (buffer.size() < 4 * kSortBufferBytes) continue;
      CRV_TRY(file->Append(AsBytes(buffer)));
      buffer.clear();
    }
    CRV_TRY(file->Append(AsBytes(buffer)));
  }
  CRV_ASSIGN(InputFile file, InputFile::Open(path));
  runs_.push_back(std::make_unique<Run>(std::move(file), *options_.fs));
  places_.clear();
  bytes_.clear();
  return Status::Ok();
}

Status ExternalSorter::Sort() {
  if (runs_.empty()) {
    SortPlaces();
    return Status::Ok();
  }
  if (!places_.empty()) CRV_TRY(Spill());
  bytes_ = {};
  places_ = {};
  for (const auto& run : runs_) {
    CRV_ASSIGN(const bool more, run->Next());
    if (more) heap_.push_back(run.get());
  }
  const auto later = [](const Run* a, const Run* b) { return a->record() > b->record(); };
  std::make_heap(heap_.begin(), heap_.end(), later);
  return Status::Ok();
}

bool ExternalSorter::Next() {
  if (!status_.ok()) return false;
  if (runs_.empty()) {
    if (next_ == places_.size()) return false;
    record_ = At(places_[next_++]);
    return true;
  }
  const auto later = [](const Run* a, const Run* b) { return a->record() > b->record(); };
  if (current_ != nullptr) {
    const Result<bool> more = current_->Next();
    if (!more.ok()) {
      status_ = more.status();
      return false;
    }
    if (*more) {
      heap_.push_back(current_);
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
    current_ = nullptr;
  }
  if (heap_.empty()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  current_ = heap_.back();
  heap_.pop_back();
  record_ = current_->record();
  return true;
}

}  // namespace crivello::index
