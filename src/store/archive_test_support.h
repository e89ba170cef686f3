// SPDX-License-Identifier: Apache-2.0
// Numbered captures for tests, and a second reader of archives that shares no code with ours.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "store/archive.h"
#include "store/archive_index.h"
#include "store/archive_reader.h"

namespace crivello::store {

constexpr int64_t kTestDate = 1'577'934'245;  // 2020-01-02T03:04:05Z

inline std::string UrlNumber(uint64_t n) { return "https://www.example.org/page/" + std::to_string(n); }
// Between 300 bytes and 20 KB, different for each number.
inline std::string BodyNumber(uint64_t n) {
  std::string body = "<title>Page " + std::to_string(n) + "</title>";
  SeededRandom random(n);
  for (uint64_t words = 20 + n * 7919 % 2000; words > 0; words--) {
    body += " w" + std::to_string(random.Below(5000));
  }
  return body;
}

inline EncodedCapture CaptureNumber(uint64_t n, CaptureEncoder* encoder, const RevisitOf* revisit = nullptr) {
  const std::string url = UrlNumber(n), body = BodyNumber(n);
  const Capture capture = {
      .url = url,
      .date = kTestDate + static_cast<int64_t>(n),
      .ip = "192.0.2.1",
      .request_head = "GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n",
      .response_head =
          "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n",
      .body = body,
      .truncated = {},
      .metadata = {{"fetchTimeMs", "12"}, {"via", "https://www.example.org/"}}};
  EncodedCapture out;
  const Status status = encoder->Encode(capture, Sha1Of(body), revisit, &out);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return out;
}

// The content of a file, with all lines of its index sorted in memory: the reference for IndexLines.
struct WholeScan : ArchiveScan {
  std::string lines;
};
inline Result<WholeScan> ScanWhole(const std::string& path, std::string_view name) {
  std::vector<std::string> sorted;
  CRV_ASSIGN(const ArchiveScan scan, ScanArchiveFile(path, name, [&](const CdxjEntry& entry) {
               sorted.push_back(FormatCdxj(entry) + "\n");
             }));
  std::sort(sorted.begin(), sorted.end());
  WholeScan whole{scan, {}};
  for (const std::string& line : sorted) whole.lines += line;
  return whole;
}

// Reads a gzip archive with zcat and a dozen lines: the types in order, and whether every byte belonged to a
// record.
struct ForeignReading {
  bool available = false;
  bool clean = false;
  std::vector<std::string> types;
};
inline ForeignReading ReadByZcat(const std::string& path) {
  ForeignReading reading;
  std::FILE* pipe = ::popen(("zcat '" + path + "' 2>&1").c_str(), "r");
  if (pipe == nullptr) return reading;
  std::string text;
  char buffer[1 << 16];
  for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int code = ::pclose(pipe);
  reading.available = code >> 8 != 127;
  bool clean = code == 0;
  size_t at = 0;
  while (clean && at < text.size()) {
    const size_t head_end = text.find("\r\n\r\n", at);
    clean = text.compare(at, 10, "WARC/1.1\r\n") == 0 && head_end != std::string::npos;
    if (!clean) break;
    const std::string head = text.substr(at, head_end + 2 - at);
    const auto field = [&](const std::string& name) {
      const size_t start = head.find("\r\n" + name + ": ");
      if (start == std::string::npos) return std::string();
      const size_t value = start + name.size() + 4;
      return head.substr(value, head.find("\r\n", value) - value);
    };
    reading.types.push_back(field("WARC-Type"));
    const size_t block_end = head_end + 4 + std::stoull(field("Content-Length"));
    clean = text.compare(block_end, 4, "\r\n\r\n") == 0;
    at = block_end + 4;
  }
  reading.clean = clean;
  return reading;
}

}  // namespace crivello::store
