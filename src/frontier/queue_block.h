// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "frontier/host_state.h"
#include "frontier/url_record.h"

namespace crivello::frontier {

// A queued URL.
struct QueueItem {
  std::string url = {};  // canonical
  UrlKind kind = UrlKind::kPage;
  uint8_t priority = 0;  // its class
  uint32_t depth = 0;
  uint32_t attempts = 0;  // failed attempts so far
  WallTime found{};       // kept to the second
  std::string via = {};   // the page where it was found; may be empty
  QueuePlace place = {};
  bool last_of_block = false;
  friend bool operator==(const QueueItem&, const QueueItem&) = default;
};

// A sequence of items of one host and class, in some 30 bytes each: it omits the name of the host, and the
// prefix that a path shares with the previous one.  (Links of one page arrive together and look alike.)
// The concatenation of blocks of a host is a block. Format: docs/formats/host-queues.md.  One thread at a
// time.
class QueueBlockWriter {
 public:
  static constexpr size_t kMaxUrlBytes = 64 << 10;

  // REQUIRES: `parts` are of a canonical URL of at most kMaxUrlBytes, all of one host until Clear().
  struct Item {
    UrlKind kind = UrlKind::kPage;
    uint32_t depth = 0;
    uint32_t attempts = 0;
    WallTime found{};
    Via via = {};
  };
  void Add(const UrlParts& parts, const Item& item);

  uint32_t items() const { return items_; }
  // Valid until the next change.
  std::string_view bytes() const { return bytes_; }
  void Clear();

 private:
  void Number(uint64_t value);

  std::string bytes_;
  std::string path_;
  std::string via_;
  uint32_t items_ = 0;
  uint32_t depth_ = 0;
  int64_t found_ = 0;
};

// Reads a block, and nothing outside it, whatever the bytes are; URLs of more than kMaxUrlBytes are damage.
class QueueBlockReader {
 public:
  // The bytes must outlive it; `host` is the name of the host.
  QueueBlockReader(std::string_view bytes, std::string_view host);

  // Reads the next item, without its class and block; false at the end and on damage.
  bool Next(QueueItem& item);
  // Whether there was no damage so far.
  bool ok() const { return ok_; }

 private:
  uint64_t Number();
  bool Fail();

  std::string_view rest_;
  const std::string_view host_;
  std::string path_;
  std::string via_;
  uint32_t index_ = 0;
  uint32_t depth_ = 0;
  int64_t found_ = 0;
  bool ok_ = true;
};

}  // namespace crivello::frontier
