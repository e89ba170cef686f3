// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the image of a dictionary: opening, finding, walking and matching stay within them and
// end.  The same bytes, split at newlines, as its terms: each is found, and nothing between them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "index/terms/term_dictionary.h"
#include "index/terms/term_match.h"

namespace crivello::index {
namespace {

void ReadAsImage(const uint8_t* data, size_t size) {
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const auto dictionary = TermDictionary::FromImage(std::as_bytes(std::span(words)));
  if (!dictionary.ok()) return;
  for (const std::string_view term : {"", "a", "casa", "\xff\xff"}) {
    const auto entry = dictionary->Find(term);
    if (entry && dictionary->TermAt(entry->rank) != term) std::abort();
    TermCursor cursor = dictionary->Seek(term);
    for (uint64_t i = 0; cursor.valid() && i < 100; i++) {
      const uint64_t rank = cursor.rank();
      cursor.SkipPrefix(std::min<size_t>(cursor.term().size(), 1));
      if (cursor.rank() <= rank) std::abort();
    }
  }
  const TermLimits limits = {.visited = 1000, .found = 100};
  if (TermsWithPrefix(*dictionary, "c", limits).visited > limits.visited) std::abort();
  if (!TermsLike(*dictionary, "*c?s*", limits).ok() || !TermsNear(*dictionary, "casa", 2, limits).ok())
    std::abort();
  if (dictionary->Describe().empty()) std::abort();
}

void RoundTrip(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  TermDictionaryBuilder builder;
  std::vector<std::string_view> terms;
  while (!text.empty()) {
    const std::string_view term = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(term.size() + 1, text.size()));
    const bool in_order = terms.empty() || terms.back() < term;
    if (builder.Add(term, terms.size()).ok() != in_order) std::abort();
    if (in_order) terms.push_back(term);
  }
  const auto image = builder.Build();
  if (!image.ok()) std::abort();
  const auto dictionary = TermDictionary::FromImage(image->bytes());
  if (!dictionary.ok() || dictionary->size() != terms.size()) std::abort();
  TermCursor cursor = dictionary->Begin();
  for (uint64_t i = 0; i < terms.size(); i++, cursor.Next()) {
    if (dictionary->Find(terms[i]) != TermEntry{i, i}) std::abort();
    if (cursor.term() != terms[i] || dictionary->Seek(terms[i]).rank() != i) std::abort();
    const std::string next = std::string(terms[i]) + '\0';
    if (dictionary->Find(next) && (i + 1 == terms.size() || terms[i + 1] != next)) std::abort();
  }
  if (cursor.valid()) std::abort();
}

}  // namespace
}  // namespace crivello::index

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  crivello::index::ReadAsImage(data, size);
  crivello::index::RoundTrip(data, size);
  return 0;
}
