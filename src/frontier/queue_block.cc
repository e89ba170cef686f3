// SPDX-License-Identifier: Apache-2.0
#include "frontier/queue_block.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>

#include "base/record.h"

namespace crivello::frontier {
namespace {

// Bits of the first byte of an item; the fields follow in this order.
constexpr uint8_t kHttps = 1;     // else http
constexpr uint8_t kPort = 2;      // a port that is not the scheme's own
constexpr uint8_t kAttempts = 4;  // not 0
constexpr uint8_t kDepth = 8;     // differs from the previous item
constexpr uint8_t kFound = 16;    // seconds since the previous item, not 0
constexpr int kKindShift = 5;     // two bits
constexpr uint8_t kVia = 0x80;    // found on another page than the previous item

// In place of an item: a part of the block begins, which refers to nothing before it.  Uses the unused kind,
// and a version.
constexpr uint8_t kPart = 3 << kKindShift | 2;

int64_t Seconds(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

// The range of a WallTime.
constexpr int64_t kMaxItemSeconds = std::numeric_limits<int64_t>::max() / 1'000'000'000;

}  // namespace

void QueueBlockWriter::Clear() {
  bytes_.clear();
  path_.clear();
  via_.clear();
  items_ = 0;
  depth_ = 0;
  found_ = 0;
}

void QueueBlockWriter::Number(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void QueueBlockWriter::Add(const UrlParts& parts, const Item& item) {
  if (bytes_.empty()) bytes_.push_back(static_cast<char>(kPart));
  const bool https = parts.origin.starts_with("https:");
  const size_t scheme = std::string_view(https ? "https://" : "http://").size();
  uint32_t port = 0;
  if (const size_t colon = scheme + parts.host.size(); colon < parts.origin.size()) {
    std::from_chars(parts.origin.data() + colon + 1, parts.origin.data() + parts.origin.size(), port);
  }
  const int64_t found = Seconds(item.found);
  const std::string_view url(parts.origin.data(), parts.origin.size() + parts.path.size());
  const bool same_page = via_.size() == item.via.shared + item.via.rest.size() &&
                         via_.starts_with(url.substr(0, item.via.shared)) && via_.ends_with(item.via.rest);
  const auto flags = static_cast<uint8_t>(
      (https ? kHttps : 0) | (port != 0 ? kPort : 0) | (item.attempts != 0 ? kAttempts : 0) |
      (item.depth != depth_ ? kDepth : 0) | (found != found_ ? kFound : 0) | (same_page ? 0 : kVia) |
      (static_cast<int>(item.kind) << kKindShift));
  bytes_.push_back(static_cast<char>(flags));
  if (port != 0) Number(port);
  if (item.attempts != 0) Number(item.attempts);
  if (item.depth != depth_) Number(item.depth);
  if (found != found_) {
    const auto delta = static_cast<uint64_t>(found) - static_cast<uint64_t>(found_);
    Number((delta << 1) ^ (0 - (delta >> 63)));
  }
  const auto [end, _] = std::mismatch(parts.path.begin(), parts.path.end(), path_.begin(), path_.end());
  const auto shared = static_cast<size_t>(end - parts.path.begin());
  Number(shared);
  Number(parts.path.size() - shared);
  bytes_.append(parts.path.substr(shared));
  if (!same_page) {
    Number(item.via.shared);
    Number(item.via.rest.size());
    bytes_.append(item.via.rest);
    via_ = item.via.Page(url);
  }
  path_.assign(parts.path);
  depth_ = item.depth;
  found_ = found;
  items_++;
}

QueueBlockReader::QueueBlockReader(std::string_view bytes, std::string_view host)
    : rest_(bytes), host_(host) {
  if (rest_.empty() || static_cast<uint8_t>(rest_.front()) != kPart) Fail();
}

bool QueueBlockReader::Fail() {
  ok_ = false;
  rest_ = {};
  return false;
}

uint64_t QueueBlockReader::Number() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  Fail();
  return 0;
}

bool QueueBlockReader::Next(QueueItem& item) {
  if (rest_.empty()) return false;
  if (static_cast<uint8_t>(rest_.front()) == kPart) {
    rest_.remove_prefix(1);
    if (rest_.empty()) return Fail();
    path_.clear();
    via_.clear();
    depth_ = 0;
    found_ = 0;
  }
  const auto flags = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  const int kind = flags >> kKindShift & 3;
  if (kind > static_cast<int>(UrlKind::kSitemap)) return Fail();
  const uint64_t port = (flags & kPort) != 0 ? Number() : 0;
  const uint64_t attempts = (flags & kAttempts) != 0 ? Number() : 0;
  const uint64_t depth = (flags & kDepth) != 0 ? Number() : depth_;
  if ((flags & kFound) != 0) {
    const uint64_t coded = Number();
    const uint64_t delta = (coded >> 1) ^ (0 - (coded & 1));
    found_ = static_cast<int64_t>(static_cast<uint64_t>(found_) + delta);
  }
  const uint64_t shared = Number();
  const uint64_t suffix = Number();
  constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();
  if (!ok_ || port > 65535 || attempts > kMax32 || depth > kMax32 || found_ > kMaxItemSeconds ||
      found_ < -kMaxItemSeconds || shared > path_.size() || suffix > rest_.size() ||
      shared + suffix > QueueBlockWriter::kMaxUrlBytes) {
    return Fail();
  }
  path_.resize(shared);
  path_.append(rest_.substr(0, suffix));
  rest_.remove_prefix(suffix);
  depth_ = static_cast<uint32_t>(depth);

  item.url.clear();
  item.url.append((flags & kHttps) != 0 ? "https://" : "http://").append(host_);
  if (port != 0) item.url.append(":").append(std::to_string(port));
  item.url.append(path_);
  if ((flags & kVia) != 0) {
    const uint64_t page_shares = Number();
    const uint64_t page_rest = Number();
    if (!ok_ || page_shares > item.url.size() || page_rest > rest_.size() ||
        page_shares + page_rest > Via::kMaxBytes) {
      return Fail();
    }
    via_ = Via{static_cast<uint32_t>(page_shares), rest_.substr(0, page_rest)}.Page(item.url);
    rest_.remove_prefix(page_rest);
  }
  item.via = via_;
  item.kind = static_cast<UrlKind>(kind);
  item.depth = depth_;
  item.attempts = static_cast<uint32_t>(attempts);
  item.found = WallTime(std::chrono::seconds(found_));
  item.place.index = index_++;
  item.last_of_block = rest_.empty();
  return true;
}

}  // namespace crivello::frontier
