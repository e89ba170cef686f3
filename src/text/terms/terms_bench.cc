// SPDX-License-Identifier: Apache-2.0
// From text to terms: the analyser, compared with ICU's boundaries and libstemmer alone on the same text.
#include <benchmark/benchmark.h>
#include <libstemmer.h>
#include <unicode/ubrk.h>
#include <unicode/ustring.h>

#include <string>
#include <vector>

#include "charset/encoding_decode.h"
#include "html/bench_pages.h"
#include "text/terms/analyser.h"
#include "web/page/page_scan.h"

namespace crivello::text {
namespace {

constexpr size_t kEnough = size_t{8} << 20;

// The text of those pages of $CRIVELLO_PAGES that satisfy `wanted`, a few megabytes.
template <typename Wanted>
std::string TextOfPages(Wanted&& wanted) {
  std::string text;
  for (const std::string& page : html::BenchPages()) {
    if (text.size() >= kEnough) break;
    const web::Page scanned = web::ScanPage(page, {});
    if (wanted(scanned)) text.append(scanned.text).append("\n");
  }
  return text;
}

const std::string& AsciiText() {
  static const std::string text =
      TextOfPages([](const web::Page& page) { return charset::IsAscii(page.text); });
  return text;
}

// Pages by language, selected by their names or declarations.
const std::string& TextIn(std::string_view language) {
  static std::vector<std::pair<std::string, std::string>> known;
  for (const auto& entry : known) {
    if (entry.first == language) return entry.second;
  }
  known.emplace_back(language,
                     TextOfPages([&](const web::Page& page) { return page.lang.starts_with(language); }));
  return known.back().second;
}

struct Counter final : TermSink {
  void OnTerms(std::span<const Term> terms) override {
    count += terms.size();
    for (const Term& term : terms) bytes += term.text.size();
  }
  uint64_t count = 0;
  uint64_t bytes = 0;
};

void Analyse(benchmark::State& state, const std::string& text, std::string_view description) {
  if (text.empty()) return state.SkipWithError("no pages: set CRIVELLO_PAGES");
  auto analyser = Analyser::Create(description);
  Counter counter;
  for (auto _ : state) analyser->Analyse(text, {}, counter);
  benchmark::DoNotOptimize(counter.bytes);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
  state.counters["bytes_per_term"] =
      static_cast<double>(state.iterations() * text.size()) / static_cast<double>(counter.count);
}

void ByIcu(benchmark::State& state, const std::string& text) {
  if (text.empty()) return state.SkipWithError("no pages: set CRIVELLO_PAGES");
  std::vector<UChar> units(text.size());
  int32_t size = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8(units.data(), static_cast<int32_t>(units.size()), &size, text.data(),
                static_cast<int32_t>(text.size()), &status);
  UBreakIterator* iterator = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
  for (auto _ : state) {
    ubrk_setText(iterator, units.data(), size, &status);
    uint64_t words = 0;
    while (ubrk_next(iterator) != UBRK_DONE)
      words += ubrk_getRuleStatus(iterator) >= UBRK_WORD_NUMBER ? 1 : 0;
    benchmark::DoNotOptimize(words);
  }
  ubrk_close(iterator);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void ByLibstemmer(benchmark::State& state, const std::string& text) {
  if (text.empty()) return state.SkipWithError("no pages: set CRIVELLO_PAGES");
  std::vector<std::string> words;
  auto analyser = Analyser::Create("words fold");
  analyser->ForEachTerm(text, {}, [&](const Term& term) { words.emplace_back(term.text); });
  sb_stemmer* stemmer = sb_stemmer_new("en", "UTF_8");
  for (auto _ : state) {
    for (const std::string& word : words) {
      benchmark::DoNotOptimize(sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
                                               static_cast<int>(word.size())));
    }
  }
  sb_stemmer_delete(stemmer);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void BM_Terms_Ascii_Plain(benchmark::State& state) { Analyse(state, AsciiText(), "plain"); }
void BM_Terms_Ascii_Words(benchmark::State& state) { Analyse(state, AsciiText(), "words fold"); }
void BM_Terms_Ascii_All(benchmark::State& state) {
  Analyse(state, AsciiText(), "words compat fold accents parts hyphens");
}
void BM_Terms_Ascii_Stemmed(benchmark::State& state) {
  Analyse(state, AsciiText(), "words compat fold accents parts hyphens stem:en");
}
void BM_Terms_Ascii_Icu(benchmark::State& state) { ByIcu(state, AsciiText()); }
void BM_Terms_Ascii_Libstemmer(benchmark::State& state) { ByLibstemmer(state, AsciiText()); }
BENCHMARK(BM_Terms_Ascii_Plain)->Name("BM_Terms/ascii/plain");
BENCHMARK(BM_Terms_Ascii_Words)->Name("BM_Terms/ascii/words");
BENCHMARK(BM_Terms_Ascii_All)->Name("BM_Terms/ascii/all_steps");
BENCHMARK(BM_Terms_Ascii_Stemmed)->Name("BM_Terms/ascii/all_steps_stemmed");
BENCHMARK(BM_Terms_Ascii_Icu)->Name("BM_Terms/ascii/icu");
BENCHMARK(BM_Terms_Ascii_Libstemmer)->Name("BM_Terms/ascii/libstemmer");

void BM_Terms_In(benchmark::State& state, std::string_view language) {
  Analyse(state, TextIn(language), "words compat fold accents parts hyphens");
}
void BM_Terms_Icu_In(benchmark::State& state, std::string_view language) { ByIcu(state, TextIn(language)); }
BENCHMARK_CAPTURE(BM_Terms_In, ja, "ja")->Name("BM_Terms/ja/all_steps");
BENCHMARK_CAPTURE(BM_Terms_Icu_In, ja, "ja")->Name("BM_Terms/ja/icu");
BENCHMARK_CAPTURE(BM_Terms_In, fr, "fr")->Name("BM_Terms/fr/all_steps");
BENCHMARK_CAPTURE(BM_Terms_Icu_In, fr, "fr")->Name("BM_Terms/fr/icu");
BENCHMARK_CAPTURE(BM_Terms_In, ru, "ru")->Name("BM_Terms/ru/all_steps");
BENCHMARK_CAPTURE(BM_Terms_Icu_In, ru, "ru")->Name("BM_Terms/ru/icu");

}  // namespace
}  // namespace crivello::text
