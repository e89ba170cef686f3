// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_chunked.h"

#include <cstdint>
#include <optional>

#include "web/http/http_message.h"

namespace crivello::web {
namespace {

// Reads the chunk size on the line at `at`, and moves `at` past the line.
std::optional<uint64_t> ChunkSize(std::string_view bytes, size_t& at) {
  // A longer line cannot be a size line.
  constexpr size_t kMaxLine = 4096;
  const std::string_view line = bytes.substr(at, kMaxLine);
  const size_t end = line.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  uint64_t size = 0;
  size_t digits = 0;
  for (; digits < end; digits++) {
    const char c = line[digits];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) break;
    if (digits == 16) return std::nullopt;
    size = size << 4 | static_cast<uint64_t>(digit);
  }
  const char after = line[digits];
  if (digits == 0 || (after != ';' && after != ' ' && after != '\t' && after != '\r' && after != '\n')) {
    return std::nullopt;
  }
  at += end + 1;
  return size;
}

}  // namespace

Dechunked Dechunk(std::string_view bytes) {
  Dechunked result;
  size_t at = 0;
  while (const auto size = ChunkSize(bytes, at)) {
    result.chunked = true;
    if (*size == 0) {
      result.complete = true;
      at += ParseHttpFields(bytes.substr(at)).bytes;  // the trailer
      break;
    }
    const std::string_view chunk = bytes.substr(at, *size);
    result.body.append(chunk);
    at += chunk.size();
    if (chunk.size() < *size) break;
    if (at < bytes.size() && bytes[at] == '\r') at++;
    if (at < bytes.size() && bytes[at] == '\n') at++;
  }
  result.bytes = at;
  return result;
}

}  // namespace crivello::web
