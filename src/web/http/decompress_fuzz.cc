// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as any coding: limits hold, and pieces give the same result as the whole.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "web/http/decompress.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::web;
  if (size < 2) return 0;
  constexpr ContentCoding kCodings[] = {ContentCoding::kGzip, ContentCoding::kDeflate, ContentCoding::kBrotli,
                                        ContentCoding::kZstd, ContentCoding::kCompress};
  const ContentCoding coding = kCodings[data[0] % 5];
  const size_t piece_bytes = 1 + data[1];
  std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const DecompressLimits limits = {.max_bytes = 1 << 20, .max_ratio = 100, .ratio_floor_bytes = 100000};
  const Decompressed whole = Decompress(bytes, coding, limits);
  if (whole.body.size() > limits.max_bytes) std::abort();
  if (whole.body.size() > std::max<uint64_t>(bytes.size() * limits.max_ratio, limits.ratio_floor_bytes))
    std::abort();

  Decompressor decompressor(coding, limits);
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += piece_bytes) {
    decompressor.Feed(bytes.substr(at, piece_bytes), [&](std::string_view piece) { out += piece; });
  }
  const DecompressStatus status = decompressor.Finish();
  if (out.size() > limits.max_bytes || out.size() != decompressor.bytes_out()) std::abort();
  // The place where a ratio or damage is noticed may depend on the pieces; the text before it may not.
  const size_t common = std::min(out.size(), whole.body.size());
  if (out.compare(0, common, whole.body, 0, common) != 0) std::abort();
  const auto cut = [](DecompressStatus s) {
    return s == DecompressStatus::kTooDense || s == DecompressStatus::kCorrupt;
  };
  if (!cut(status) && !cut(whole.status) && (status != whole.status || out != whole.body)) std::abort();
  return 0;
}
