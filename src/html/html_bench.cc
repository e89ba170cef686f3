// SPDX-License-Identifier: Apache-2.0
// Throughput on the pages of $CRIVELLO_PAGES, and linear time on worst cases. bytes_per_second is of HTML.
#include <benchmark/benchmark.h>

#include <string>

#include "html/bench_pages.h"
#include "html/html_tokenizer.h"
#include "html/html_tree.h"

namespace crivello::html {
namespace {

template <typename Read>
void OnPages(benchmark::State& state, Read read) {
  if (BenchPages().empty()) {
    state.SkipWithError("no pages: set CRIVELLO_PAGES to a folder of .html files");
    return;
  }
  const auto& pages = BenchPages();
  size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  for (auto _ : state) {
    for (const std::string& page : pages) read(page);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
  state.counters["pages"] = static_cast<double>(pages.size());
}

// Only tracks the content of elements.
class CountingSink : public TokenSink {
 public:
  void OnText(std::string_view text) override { text_bytes += text.size(); }
  void OnStartTag(const TagToken& tag) override {
    ++tags;
    if (tag.tag == Tag::kScript) tokenizer->SetContent(HtmlTokenizer::Content::kScript);
    if (tag.tag == Tag::kStyle) tokenizer->SetContent(HtmlTokenizer::Content::kRawtext);
    if (tag.tag == Tag::kTitle) tokenizer->SetContent(HtmlTokenizer::Content::kRcdata);
  }
  void OnEndTag(const TagToken&) override { ++tags; }
  HtmlTokenizer* tokenizer = nullptr;
  size_t text_bytes = 0;
  size_t tags = 0;
};

void BM_Html_Tokens(benchmark::State& state) {
  CountingSink sink;
  HtmlTokenizer tokenizer(&sink);
  sink.tokenizer = &tokenizer;
  OnPages(state, [&](const std::string& page) {
    tokenizer.Reset();
    tokenizer.Feed(page);
    tokenizer.Finish();
  });
  benchmark::DoNotOptimize(sink.text_bytes);
}
BENCHMARK(BM_Html_Tokens);

// In pieces, as received from a socket.
void BM_Html_TokensInPieces(benchmark::State& state) {
  CountingSink sink;
  HtmlTokenizer tokenizer(&sink);
  sink.tokenizer = &tokenizer;
  const auto piece = static_cast<size_t>(state.range(0));
  OnPages(state, [&](const std::string& page) {
    tokenizer.Reset();
    for (size_t at = 0; at < page.size(); at += piece)
      tokenizer.Feed(std::string_view(page).substr(at, piece));
    tokenizer.Finish();
  });
}
BENCHMARK(BM_Html_TokensInPieces)->Arg(1)->Arg(1400)->Arg(16 << 10);

void BM_Html_Tree(benchmark::State& state) {
  size_t nodes = 0;
  OnPages(state, [&](const std::string& page) { nodes += ParseHtml(page).size(); });
  state.counters["nodes"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kAvgIterations);
}
BENCHMARK(BM_Html_Tree);

std::string Repeat(std::string_view part, size_t n) {
  std::string text;
  text.reserve(part.size() * n);
  for (size_t i = 0; i < n; ++i) text += part;
  return text;
}

// Worst-case pages; the argument is the size in 1/8 of the full size: time per byte must not grow with it.
std::string Hurting(std::string_view kind, size_t eighths) {
  if (kind == "nested") return Repeat("<div>", 100000 * eighths / 8);
  if (kind == "attribute") return "<a b='" + std::string((50u << 20) / 8 * eighths, 'x') + "'>";
  if (kind == "comment") return "<!--" + std::string((50u << 20) / 8 * eighths, '-');
  if (kind == "formatting") return Repeat("<b><p></b>", 100000 * eighths / 8);
  if (kind == "tables") return Repeat("<table>x<tr>", 100000 * eighths / 8);
  if (kind == "reopened") {
    std::string text = "<p>";
    for (size_t i = 0; i < 400; ++i) text += "<font size=" + std::to_string(i) + ">";
    return text + Repeat("</p><p>x", 20000 * eighths / 8);
  }
  std::string text = "<a";
  for (size_t i = 0; i < 1000000 * eighths / 8; ++i) text += " n" + std::to_string(i);
  return text + ">";
}

void BM_Html_Hurting(benchmark::State& state, const char* kind) {
  const std::string page = Hurting(kind, static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    const HtmlTree tree = ParseHtml(page);
    benchmark::DoNotOptimize(tree.size());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK_CAPTURE(BM_Html_Hurting, nested, "nested")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Html_Hurting, attribute, "attribute")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Html_Hurting, attributes, "attributes")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Html_Hurting, comment, "comment")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Html_Hurting, formatting, "formatting")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Html_Hurting, tables, "tables")->Arg(1)->Arg(8);
BENCHMARK_CAPTURE(BM_Html_Hurting, reopened, "reopened")->Arg(1)->Arg(8);

}  // namespace
}  // namespace crivello::html
