// SPDX-License-Identifier: Apache-2.0
// For any bytes: terms within the limits, in order; and the words of the fast ASCII path are those of the
// word breaker.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "text/terms/analyser.h"
#include "text/terms/word_break.h"

namespace {

using namespace crivello::text;

Analyser Make(std::string_view description) {
  auto made = Analyser::Create(description);
  if (!made.ok()) std::abort();
  return std::move(made).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Analyser analysers[] = {Make("plain stem:en"), Make("words"), Make("words fold:tr stop:it"),
                                 Make(kStandardAnalyser)};
  static WordBreaker breaker;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<Word> expected;
  breaker.ForEach(text, [&](const Word& word) { expected.push_back(word); });
  for (Analyser& analyser : analysers) {
    uint32_t last = 0;
    std::vector<Word> words;
    const uint32_t next = analyser.ForEachTerm(text, {.language = "en"}, [&](const Term& term) {
      if (term.position < last || term.begin >= term.end || term.end > size) std::abort();
      if (term.text.empty() || term.text.size() > kMaxTermBytes) std::abort();
      last = term.position;
      if (term.kind == TermKind::kWord || term.kind == TermKind::kNumber) {
        words.push_back({term.begin, term.end, term.kind == TermKind::kNumber});
      }
    });
    if (!words.empty() && next <= last) std::abort();
    if (analyser.description().ToString() != "words") continue;
    // Words of invisible characters fold to nothing and give no terms.
    if (words.size() > expected.size() || next != expected.size()) std::abort();
  }
  return 0;
}
