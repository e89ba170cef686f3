// SPDX-License-Identifier: Apache-2.0
// Speed of the page scanner on the pages of $CRIVELLO_PAGES.  bytes_per_second is of HTML.
#include <benchmark/benchmark.h>

#include <string>

#include "html/bench_pages.h"
#include "web/page/page_scan.h"

namespace crivello::web {
namespace {

void BM_Html_PageScan(benchmark::State& state) {
  const auto& pages = html::BenchPages();
  if (pages.empty()) {
    state.SkipWithError("no pages: set CRIVELLO_PAGES to a folder of .html files");
    return;
  }
  size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  PageScanner scanner;
  size_t links = 0;
  for (auto _ : state) {
    for (const std::string& page : pages) {
      scanner.Feed(page);
      const Page result = scanner.Finish();
      links += result.links.size();
      benchmark::DoNotOptimize(result.text.data());
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
  state.counters["links"] =
      benchmark::Counter(static_cast<double>(links), benchmark::Counter::kAvgIterations);
}
BENCHMARK(BM_Html_PageScan);

}  // namespace
}  // namespace crivello::web
