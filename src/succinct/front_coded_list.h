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

// A sorted list of strings, each but one in 16 written as what it adds to the one before (front coding:
// Witten, Moffat, Bell, Managing Gigabytes, 4.1).  Words take some 35 to 45 bits each.
//
// A block is 16 strings, the first one whole; where blocks start is an Elias-Fano sequence.  So a string by
// its rank costs one block's scan, and a search 4 bits fewer than log2 n looks at first strings and one scan.
//
// A view of its image, which must outlive it; immutable.  Whatever the bytes are, nothing outside the image
// is read and every call ends; where they make no sense, strings are cut short.  Format:
// docs/formats/term-dictionary.md.
class FrontCodedList {
 public:
  static constexpr uint64_t kBlock = 16;

  class Cursor;

  FrontCodedList() = default;
  static Result<FrontCodedList> ReadFrom(ImageReader& reader);

  uint64_t size() const { return size_; }
  uint64_t bytes() const { return bytes_.size(); }
  // Whether the string of that rank is this one: compares as it decodes, copies nothing.
  // REQUIRES: rank < size().
  bool IsAt(uint64_t rank, std::string_view text) const;
  // A cursor on the string of that rank, or at the end.
  Cursor At(uint64_t rank) const;
  // A cursor on the first string that is not less, by bytes.
  Cursor Seek(std::string_view text) const;

 private:
  struct Entry {
    uint64_t shared = 0;  // with the string before
    std::string_view suffix = {};
  };
  // Take an entry from the front; false if the bytes are damaged.
  static bool TakeFirst(std::string_view* rest, Entry* entry);
  static bool TakeNext(std::string_view* rest, Entry* entry);
  // From a block to the end of the list.
  std::string_view From(uint64_t block) const;
  std::string_view FirstOf(uint64_t block) const;

  uint64_t size_ = 0;
  EliasFano starts_;
  std::string_view bytes_;
};

// A place in a list.  One thread at a time; needs the image, not the list it came from.
class FrontCodedList::Cursor {
 public:
  bool valid() const { return rank_ < list_.size_; }
  // size() at the end.
  uint64_t rank() const { return rank_; }
  // Good until the cursor moves; empty at the end.
  std::string_view text() const { return text_; }
  // REQUIRES: valid().
  void Next();
  // To the first string after this one that does not begin with the first `bytes` bytes of this one.
  // REQUIRES: valid(), bytes <= text().size().
  void SkipPrefix(size_t bytes);

 private:
  friend class FrontCodedList;
  explicit Cursor(const FrontCodedList& list) : list_(list), rank_(list.size_) {}
  // Reads the entry of rank_.
  void Read();
  void End();

  FrontCodedList list_;
  uint64_t rank_;
  std::string_view rest_;  // behind the entry of this string
  std::string text_;
};

// Makes a list.  One thread at a time.
class FrontCodedListBuilder {
 public:
  // REQUIRES: greater, by bytes, than the one before.
  void Add(std::string_view text);
  uint64_t size() const { return size_; }
  const std::string& last() const { return last_; }
  // REQUIRES: TakeBytes() was not called.
  void AppendTo(ImageWriter& image) const;

  // For a list that is larger than memory, which then holds 8 bytes for 16 strings.
  // Bytes that are not taken yet.
  uint64_t held_bytes() const { return bytes_.size(); }
  // Hands out the bytes that were made since the last call.
  std::string TakeBytes();
  // What comes before the bytes; these follow, all that TakeBytes() gave, with zeros up to a word.
  void AppendFrontTo(ImageWriter& image) const;

 private:
  uint64_t size_ = 0;
  uint64_t taken_bytes_ = 0;
  std::string last_;
  std::string bytes_;
  std::vector<uint64_t> starts_;
};

}  // namespace crivello::succinct
