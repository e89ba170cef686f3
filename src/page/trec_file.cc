// SPDX-License-Identifier: Apache-2.0
#include "page/trec_file.h"

#include <algorithm>

#include "base/ascii.h"
#include "web/http/decompress.h"

namespace crivello::page {
namespace {

constexpr uint64_t kMostTrecBytes = uint64_t{2} << 30;

std::string_view TrecCodingOf(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return "gzip";
  if (bytes.starts_with("\x1f\x9d")) return "compress";
  return "";
}

}  // namespace

Result<TrecFile> TrecFile::Read(std::string_view bytes) {
  TrecFile file;
  const std::string_view coding = TrecCodingOf(bytes);
  if (coding.empty()) {
    file.view_ = bytes;
    return file;
  }
  const web::DecodedContent content =
      web::DecodeContent(bytes, coding, {.max_bytes = kMostTrecBytes, .max_ratio = 5000});
  if (content.status() != web::DecompressStatus::kComplete) {
    return Status::Corruption("the file cannot be decompressed: " +
                              std::string(web::DecompressStatusName(content.status())));
  }
  file.owned_ = std::string(content.body());
  file.compressed_ = true;
  return file;
}

bool LooksLikeTrec(std::string_view bytes) {
  constexpr size_t kLooked = 4096;
  std::string start(bytes.substr(0, kLooked));
  if (const std::string_view coding = TrecCodingOf(bytes); !coding.empty()) {
    // Uses what could be decoded of the stream, which was cut here.
    start = std::string(web::DecodeContent(bytes.substr(0, kLooked), coding).body());
  }
  const std::string_view text = TrimAsciiSpace(start);
  return StartsWithIgnoringCase(text, "<DOC>") || StartsWithIgnoringCase(text, "<DOC ");
}

}  // namespace crivello::page
