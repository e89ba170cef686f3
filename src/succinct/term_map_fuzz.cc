// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the image of a term map: opening and lookups stay inside, and ranks are below its size.
// Takes them also, split at newlines, as its terms: each gets its rank, or the builder reports wrong order.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "succinct/term_map.h"

namespace crivello::succinct {
namespace {

void ReadAsImage(const uint8_t* data, size_t size) {
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const auto map = TermMap::FromImage(std::as_bytes(std::span(words)));
  if (!map.ok()) return;
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < 48; i++) strings.push_back(std::to_string(i));
  const std::vector<std::string_view> terms(strings.begin(), strings.end());
  std::vector<int64_t> out(terms.size());
  map->RankBatch(terms, out);
  for (size_t i = 0; i < terms.size(); i++) {
    const auto rank = map->Rank(terms[i]);
    if (rank.has_value() != (out[i] != TermMap::kAbsent)) std::abort();
    if (rank.has_value() && (*rank >= map->size() || *rank != static_cast<uint64_t>(out[i]))) std::abort();
  }
  if (map->Describe().empty()) std::abort();
}

void RoundTrip(const uint8_t* data, size_t size) {
  if (size == 0) return;
  TermMapBuilder builder({.signature_bits = data[0] % (kMaxSignatureBits + 1u)});
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<std::string_view> terms;
  while (!text.empty()) {
    const std::string_view term = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(term.size() + 1, text.size()));
    const bool in_order = terms.empty() || terms.back() < term;
    if (builder.Add(term).ok() != in_order) std::abort();
    if (in_order) terms.push_back(term);
  }
  const auto image = builder.Build();
  if (!image.ok()) std::abort();
  const auto map = TermMap::FromImage(image->bytes());
  if (!map.ok() || map->size() != terms.size()) std::abort();
  for (uint64_t i = 0; i < terms.size(); i++) {
    if (map->Rank(terms[i]) != i) std::abort();
  }
}

}  // namespace
}  // namespace crivello::succinct

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  crivello::succinct::ReadAsImage(data, size);
  crivello::succinct::RoundTrip(data, size);
  return 0;
}
