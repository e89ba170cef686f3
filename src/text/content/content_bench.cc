// SPDX-License-Identifier: Apache-2.0
// Throughput on the pages of $CRIVELLO_PAGES, each stage after those that it needs; and linear time on
// worst-case pages. bytes_per_second is of HTML.
#include <benchmark/benchmark.h>

#include <string>

#include "html/bench_pages.h"
#include "text/content/main_content.h"
#include "text/terms/analyser.h"
#include "text/terms/language.h"

namespace crivello::text {
namespace {

template <typename Read>
void OnPages(benchmark::State& state, Read read) {
  const auto& pages = html::BenchPages();
  if (pages.empty()) {
    state.SkipWithError("no pages: set CRIVELLO_PAGES to a folder of .html files");
    return;
  }
  size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  for (auto _ : state) {
    for (const std::string& page : pages) read(page);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
  state.counters["pages"] = static_cast<double>(pages.size());
}

void BM_Content_TreeAlone(benchmark::State& state) {
  OnPages(state, [](const std::string& page) { benchmark::DoNotOptimize(html::ParseHtml(page).size()); });
}
BENCHMARK(BM_Content_TreeAlone);

void BM_Content_TreeAndDocument(benchmark::State& state) {
  OnPages(state, [](const std::string& page) {
    benchmark::DoNotOptimize(ReadHtmlDocument(html::ParseHtml(page)).document.blocks.size());
  });
}
BENCHMARK(BM_Content_TreeAndDocument);

void BM_Content_TreeAndContent(benchmark::State& state) {
  SiteTemplate site;
  OnPages(state, [&](const std::string& page) {
    HtmlDocument document = ReadHtmlDocument(html::ParseHtml(page));
    site.Learn(document.document);
    MarkMainContent(&document, &site);
    benchmark::DoNotOptimize(document.document.blocks.size());
  });
}
BENCHMARK(BM_Content_TreeAndContent);

// Everything that happens to a page before indexing, including language detection and stems.
void BM_Content_TreeContentAndTerms(benchmark::State& state) {
  SiteTemplate site;
  Analyser analyser = Analyser::Create(kStandardAnalyser).value();
  uint64_t terms = 0;
  OnPages(state, [&](const std::string& page) {
    HtmlDocument document = ReadHtmlDocument(html::ParseHtml(page));
    site.Learn(document.document);
    MarkMainContent(&document, &site);
    const std::string language =
        DetectLanguage(document.document.MainText(), {.declared = document.document.language}).code;
    for (const Block& block : document.document.blocks) {
      analyser.ForEachTerm(block.text, {.language = language}, [&](const Term&) { ++terms; });
    }
  });
  benchmark::DoNotOptimize(terms);
}
BENCHMARK(BM_Content_TreeContentAndTerms);

std::string Repeat(std::string_view part, size_t n) {
  std::string text;
  text.reserve(part.size() * n);
  for (size_t i = 0; i < n; ++i) text += part;
  return text;
}

// The argument is the size in eighths of the full size: time per byte must not grow with it.
void BM_Content_Hurting(benchmark::State& state, const char* kind) {
  const auto eighths = static_cast<size_t>(state.range(0));
  std::string page;
  if (kind == std::string_view("nested")) page = Repeat("<div class=comments>", 100000 * eighths / 8) + "x";
  if (kind == std::string_view("cells")) page = "<table><tr>" + Repeat("<td>", (1 << 18) * eighths / 8) + "x";
  if (kind == std::string_view("line")) page = Repeat("word ", (4 << 20) * eighths / 8);
  if (kind == std::string_view("links")) page = Repeat("<ul><li><a href=x>y</a>", 30000 * eighths / 8);
  for (auto _ : state) {
    HtmlDocument document = ReadHtmlDocument(html::ParseHtml(page));
    MarkMainContent(&document);
    benchmark::DoNotOptimize(document.document.blocks.size());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK_CAPTURE(BM_Content_Hurting, nested, "nested")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Content_Hurting, cells, "cells")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Content_Hurting, line, "line")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Content_Hurting, links, "links")->Arg(1)->Arg(8);

}  // namespace
}  // namespace crivello::text
