// SPDX-License-Identifier: Apache-2.0
// Decoding and detection, compared with ICU and uchardet.
#include <benchmark/benchmark.h>
#include <uchardet/uchardet.h>
#include <unicode/ucnv.h>

#include <string>

#include "charset/charset.h"

namespace crivello::charset {
namespace {

// A page of Italian in a charset, markup and all.
std::string Page(const char* charset) {
  std::string utf8;
  while (utf8.size() < 100000) {
    utf8 += "<p class=\"text\">La città è più bella quando piove, perché così l'aria è pulita.</p>\n";
  }
  UErrorCode error = U_ZERO_ERROR;
  std::string out(utf8.size() * 2, '\0');
  const int32_t size = ucnv_convert(charset, "UTF-8", out.data(), static_cast<int32_t>(out.size()),
                                    utf8.data(), static_cast<int32_t>(utf8.size()), &error);
  out.resize(static_cast<size_t>(size));
  return out;
}

void Count(benchmark::State& state, const std::string& page) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}

void DecodeOurs(benchmark::State& state, const char* charset, Encoding encoding) {
  const std::string page = Page(charset);
  for (auto _ : state) benchmark::DoNotOptimize(DecodeToUtf8(page, encoding).text().data());
  Count(state, page);
}

void DecodeIcu(benchmark::State& state, const char* charset) {
  const std::string page = Page(charset);
  std::string out(page.size() * 3, '\0');
  for (auto _ : state) {
    UErrorCode error = U_ZERO_ERROR;
    benchmark::DoNotOptimize(ucnv_convert("UTF-8", charset, out.data(), static_cast<int32_t>(out.size()),
                                          page.data(), static_cast<int32_t>(page.size()), &error));
  }
  Count(state, page);
}

BENCHMARK_CAPTURE(DecodeOurs, u, "UTF-8", Encoding::kUtf8)->Name("BM_Decode_Utf8/ours");
BENCHMARK_CAPTURE(DecodeIcu, u, "UTF-8")->Name("BM_Decode_Utf8/icu");
BENCHMARK_CAPTURE(DecodeOurs, w, "windows-1252", Encoding::kWindows1252)->Name("BM_Decode_Windows1252/ours");
BENCHMARK_CAPTURE(DecodeIcu, w, "windows-1252")->Name("BM_Decode_Windows1252/icu");
BENCHMARK_CAPTURE(DecodeOurs, g, "gb18030", Encoding::kGb18030)->Name("BM_Decode_Gb18030/ours");
BENCHMARK_CAPTURE(DecodeIcu, g, "gb18030")->Name("BM_Decode_Gb18030/icu");

void BM_RepairUtf8(benchmark::State& state) {
  std::string page = Page("UTF-8");
  page[page.size() / 2] = '\xff';
  for (auto _ : state) benchmark::DoNotOptimize(DecodeToUtf8(page, Encoding::kUtf8).text().data());
  Count(state, page);
}
BENCHMARK(BM_RepairUtf8);

void DetectOurs(benchmark::State& state) {
  const std::string page = Page("windows-1252");
  for (auto _ : state) benchmark::DoNotOptimize(DetectCharset(page).encoding);
  Count(state, page);
}
BENCHMARK(DetectOurs)->Name("BM_Detect_Windows1252/ours");

void DetectUchardet(benchmark::State& state) {
  const std::string page = Page("windows-1252");
  for (auto _ : state) {
    uchardet_t detector = uchardet_new();
    uchardet_handle_data(detector, page.data(), page.size());
    uchardet_data_end(detector);
    benchmark::DoNotOptimize(uchardet_get_charset(detector));
    uchardet_delete(detector);
  }
  Count(state, page);
}
BENCHMARK(DetectUchardet)->Name("BM_Detect_Windows1252/uchardet");

void BM_DetectUtf8(benchmark::State& state) {
  const std::string page = Page("UTF-8");
  for (auto _ : state) benchmark::DoNotOptimize(DetectCharset(page).encoding);
  Count(state, page);
}
BENCHMARK(BM_DetectUtf8);

}  // namespace
}  // namespace crivello::charset
