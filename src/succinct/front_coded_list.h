// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/status.h"
#include "succinct/elias_fano.h"

namespace crivello::succinct {

// A sorted list of strings. All but one in 16 are stored as their difference from the previous string (front
// coding: Witten, Moffat, Bell, Managing Gigabytes, 4.1). Words take about 35 to 45 bits each.
//
// A block is 16 strings, the first one whole; block starts are an Elias-Fano sequence. So access by rank
// scans one block; a search examines log2(n) - 4 first strings and scans one block.
//
// A view of its image, which must outlive it; immutable. Whatever the bytes are, nothing outside the image is
// read and every call ends; where they are invalid, strings are cut short. Format:
// docs/formats/term-dictionary.md.
class FrontCodedList {
 public:
  static constexpr uint64_t kBlock = 16;

  class Cursor;

  FrontCodedList() = default;
  static Result<FrontCodedList> ReadFrom(ImageReader& reader);

  uint64_t size() const { return size_; }
  uint64_t bytes() const { return bytes_.size(); }
  // Whether the string of that rank equals `text`: compares while decoding, copies nothing. REQUIRES: rank <
  // size().
  bool IsAt(uint64_t rank, std::string_view text) const;
  // A cursor on the string of that rank, or at the end.
  Cursor At(uint64_t rank) const;
  // A cursor on the first string that is not less than `text`, comparing bytes.
  Cursor Seek(std::string_view text) const;

 private:
  struct Entry {
    uint64_t shared = 0;  // bytes shared with the previous string
    std::string_view suffix = {};
  };
  // These take an entry from the front; false if the bytes are damaged.
  static bool TakeFirst(std::string_view* rest, Entry* entry);
  static bool TakeNext(std::string_view* rest, Entry* entry);
  // The bytes from a block to the end of the list.
  std::string_view From(uint64_t block) const;
  std::string_view FirstOf(uint64_t block) const;

  uint64_t size_ = 0;
  EliasFano starts_;
  std::string_view bytes_;
};

// A position in a list. One thread at a time; needs the image, but not the list that it came from.
class FrontCodedList::Cursor {
 public:
  bool valid() const { return rank_ < list_.size_; }
  // size() at the end.
  uint64_t rank() const { return rank_; }
  // Valid until the cursor moves; empty at the end.
  std::string_view text() const { return text_; }
  // REQUIRES: valid().
  void Next();
  // Advances to the first string that does not begin with the first `bytes` bytes of this one. REQUIRES:
  // valid(), bytes <= text().size().
  void SkipPrefix(size_t bytes);

 private:
  friend class FrontCodedList;
  explicit Cursor(const FrontCodedList& list) : list_(list), rank_(list.size_) {}
  // Reads the entry of rank_.
  void Read();
  void End();

  FrontCodedList list_;
  uint64_t rank_;
  std::string_view rest_;  // after the entry of this string
  std::string text_;
};

// Builds a list. One thread at a time.
class FrontCodedListBuilder {
 public:
  // REQUIRES: greater, comparing bytes, than the previous string.
  void Add(std::string_view text);
  uint64_t size() const { return size_; }
  const std::string& last() const { return last_; }
  // REQUIRES: TakeBytes() was not called.
  void AppendTo(ImageWriter& image) const;

  // The rest is for a list larger than memory, which then holds 8 bytes per 16 strings. held_bytes() are the
  // bytes not yet taken.
  uint64_t held_bytes() const { return bytes_.size(); }
  // Returns the bytes produced since the last call.
  std::string TakeBytes();
  // Writes the part before the bytes. All results of TakeBytes() must follow it, zero-padded to a word.
  void AppendFrontTo(ImageWriter& image) const;

 private:
  uint64_t size_ = 0;
  uint64_t taken_bytes_ = 0;
  std::string last_;
  std::string bytes_;
  std::vector<uint64_t> starts_;
};

}  // namespace crivello::succinct
