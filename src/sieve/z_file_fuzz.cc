// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/file_format.h"
#include "base/hash.h"
#include "sieve/z_file.h"

namespace crivello::sieve {
namespace {

using Page = std::array<uint64_t, kZPageBytes / 8>;

void Check(bool holds) {
  if (!holds) std::abort();
}

// Any page content with a correct checksum: nothing outside the page is read.
void ReadPage(const uint8_t* data, size_t size) {
  Page page = {};
  if (size > 0) std::memcpy(page.data(), data, std::min(size, kZPageBytes));
  const Bytes bytes = std::as_bytes(std::span(page));
  page[0] = Hash64(bytes.subspan(8), Mix64(1));
  const auto parsed = ZPage::Parse(bytes, 0);
  if (!parsed.ok()) return;
  std::vector<uint64_t> keys(parsed->count());
  const bool sound = parsed->Decode(keys).ok();
  ZPageProbe probe(*parsed);
  if (!sound) {
    const uint64_t step = (parsed->last() - parsed->first()) / 64;
    for (uint64_t i = 0; i <= 64; i++) probe.Contains(parsed->first() + i * step);
    return;
  }
  for (const uint64_t key : keys) Check(probe.Contains(key));
}

// The bytes as distances: what is written is read back.
void RoundTrip(const uint8_t* data, size_t size) {
  std::vector<uint64_t> keys;
  uint64_t last = 0;
  for (size_t at = 0; at + 2 <= size; at += 2) {
    const uint64_t distance = uint64_t{1} + (uint64_t{data[at]} << (data[at + 1] % 57));
    if (last + distance < last) break;
    keys.push_back(last += distance);
  }
  if (keys.empty()) return;
  const size_t count = CountForZPage(keys);
  Page page;
  EncodeZPage(std::span(keys).first(count), 3, page);
  const auto parsed = ZPage::Parse(std::as_bytes(std::span(page)), 3);
  Check(parsed.ok());
  std::vector<uint64_t> decoded(parsed->count());
  Check(parsed->Decode(decoded).ok());
  Check(decoded.size() == count && std::equal(decoded.begin(), decoded.end(), keys.begin()));
}

// A whole file of arbitrary bytes.
void ReadFile(const uint8_t* data, size_t size) {
  static const std::string path = (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") +
                                  std::string("/crivello-z-fuzz-") + std::to_string(::getpid());
  auto writer = FormatFileWriter::Create(path, ZFile::kFileKind);
  Check(writer.ok() && writer->Append(std::as_bytes(std::span(data, size))).ok() && writer->Finish().ok());
  const auto file = ZFile::Open(path);
  if (file.ok()) {
    uint64_t found = 0;
    const uint64_t keys[] = {0, 1, uint64_t{1} << 40, ~uint64_t{0}};
    FindAll(*file, keys, [&](size_t) { found++; }).IgnoreError();
    ZCursor cursor(*file);
    while (cursor.Next().ok() && cursor.page() != nullptr) found++;
  }
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace crivello::sieve

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  crivello::sieve::ReadPage(data, size);
  crivello::sieve::RoundTrip(data, size);
  if (size % 8 == 0) crivello::sieve::ReadFile(data, size);
  return 0;
}
