// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/input_file.h"
#include "sieve/z_page.h"

namespace crivello::sieve {

// A compressed file of strictly increasing signatures: the Z of the Mercator sieve (Heydon, Najork 1999).
// Pages of 4096 bytes (z_page.h), each with its own checksum, followed by the totals.
//
// Size: any n keys take at most n (2 + log(2^64 / n)) bits plus 1.2%: 36.6 bits per key at 10^9 keys. (A page
// with c keys over a range r takes at most c (2 + log(r / c)) bits; the ranges add up to at most 2^64, and
// the sum is greatest when all pages are alike.)
//
// The file is read into the caller's buffers, not mapped, so that a sieve uses only the stated memory.
// Format: docs/formats/sieve-z.md.
class ZFile {
 public:
  static constexpr FileKind kFileKind = {.name = "sieve-z", .version = 1};

  // Reads the envelope and the totals. Immutable; any number of threads may read.
  static Result<ZFile> Open(const std::string& path);

  uint64_t keys() const { return keys_; }
  uint64_t pages() const { return pages_; }
  uint64_t size_bytes() const { return size_bytes_; }
  const std::string& path() const { return file_.path(); }
  Description Describe() const;

  // Reads the pages from `first` on into `out`, as many as exist and fit; returns their number.
  Result<size_t> ReadPages(uint64_t first, std::span<uint64_t> out) const;

 private:
  explicit ZFile(InputFile file) : file_(std::move(file)) {}

  InputFile file_;
  uint64_t keys_ = 0;
  uint64_t pages_ = 0;
  uint64_t size_bytes_ = 0;
};

// Walks the pages of a file forwards, through a window that grows to 256 KiB while the walk is sequential.
// One thread at a time; the file must outlive it.
class ZCursor {
 public:
  explicit ZCursor(const ZFile& file) : file_(&file) {}

  // The current page, null if there is none; valid until the next move.
  const ZPage* page() const { return page_ ? &*page_ : nullptr; }
  // Moves to the next page, initially to the first one; page() is null at the end.
  Status Next() { return MoveTo(started_ ? number_ + 1 : 0); }
  // Moves forwards to the first page whose last key is `key` or greater. Finds a near page by walking, a
  // distant one by search.
  Status SeekTo(uint64_t key);

 private:
  Status MoveTo(uint64_t number);

  const ZFile* file_;
  std::vector<uint64_t> window_;
  uint64_t window_first_ = 0;  // page
  size_t window_pages_ = 0;
  bool started_ = false;
  uint64_t number_ = 0;
  std::optional<ZPage> page_;
};

// Writes such a file, atomically. One thread at a time.
class ZWriter {
 public:
  static Result<ZWriter> Create(const std::string& path, FileSystem& fs = PosixFileSystem());
  // InvalidArgument unless each key is greater than the one before.
  Status Add(std::span<const uint64_t> keys);
  Status Finish();
  uint64_t keys() const { return keys_; }

 private:
  explicit ZWriter(FormatFileWriter file) : file_(std::move(file)) {}
  // Writes pages until fewer than `keep` keys are left.
  Status WritePages(size_t keep);

  FormatFileWriter file_;
  std::vector<uint64_t> pending_;
  uint64_t keys_ = 0;  // including pending ones
  uint64_t pages_ = 0;
  uint64_t last_ = 0;
};

// Writes the merged keys of `runs`, which have none in common, and of `fresh`, which is sorted. Calls `stop`
// now and then, and returns Unavailable if it is true. Memory: a window and a page for each run.
Status MergeRuns(std::span<const ZFile* const> runs, std::span<const uint64_t> fresh,
                 const std::function<bool()>& stop, ZWriter& out);

// Writes the keys from `first` to `last`, inclusive, to a separate file: a tablet's part.
Status WriteRange(const ZFile& file, uint64_t first, uint64_t last, const std::string& path,
                  FileSystem& fs = PosixFileSystem());

// Calls `found(i)` for each keys[i] that is in the file, in order. Reads each page at most once, and only
// pages that may contain one of the keys. REQUIRES: keys strictly increase.
template <typename Found>
Status FindAll(const ZFile& file, std::span<const uint64_t> keys, Found found) {
  ZCursor cursor(file);
  for (size_t i = 0; i < keys.size();) {
    CRV_TRY(cursor.SeekTo(keys[i]));
    const ZPage* page = cursor.page();
    if (page == nullptr) break;
    while (i < keys.size() && keys[i] < page->first()) i++;
    ZPageProbe probe(*page);
    for (; i < keys.size() && keys[i] <= page->last(); i++) {
      if (probe.Contains(keys[i])) found(i);
    }
  }
  return Status::Ok();
}

}  // namespace crivello::sieve
