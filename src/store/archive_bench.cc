// SPDX-License-Identifier: Apache-2.0
// The cost of archiving a page: making the records (compression outside any lock), compared with libdeflate
// alone on the same bytes; appending them; a row of the table. Pages of 12 KB, like those of random-web.
#include <benchmark/benchmark.h>
#include <libdeflate.h>

#include <cstdlib>
#include <filesystem>

#include "base/test_support.h"
#include "store/archive.h"
#include "store/table.h"

namespace crivello::store {
namespace {

std::string MakePage() {
  SeededRandom random(1);
  std::vector<std::string> words(3000);
  for (std::string& word : words) {
    for (uint64_t n = 2 + random.Below(8); n > 0; n--) word += static_cast<char>('a' + random.Below(26));
  }
  std::string page = "<!DOCTYPE html><html><head><title>Page</title></head><body>\n";
  for (int i = 0; page.size() < 12'000; i++) {
    // The words of a language differ widely in frequency.
    const double u = random.Unit();
    page += words[static_cast<size_t>(u * u * u * 3000)] + " ";
    if (i % 60 == 0) page += "</p>\n<p><a href=\"/p/" + std::to_string(random.Below(1000)) + "\">link</a> ";
  }
  return page;
}

Capture PageCapture(const std::string& page) {
  return {.url = "http://h123.rw.test:9090/p/456",
          .date = 1'577'934'245,
          .ip = "127.1.2.3",
          .request_head =
              "GET /p/456 HTTP/1.1\r\nHost: h123.rw.test:9090\r\nUser-Agent: crivello/0.1 "
              "(+mailto:a@b.example)\r\n"
              "Accept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
          .response_head =
              "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 12000\r\n\r\n",
          .body = page,
          .truncated = {},
          .metadata = {{"via", "http://h99.rw.test:9090/p/1"}, {"hopsFromSeed", "5"}, {"fetchTimeMs", "12"}}};
}

void BM_Archive_Encode_ours(benchmark::State& state) {
  const std::string page = MakePage();
  Capture capture = PageCapture(page);
  if (state.range(0) == 0) {
    capture.request_head = {};
    capture.metadata.clear();
  }
  CaptureEncoder encoder;
  EncodedCapture out;
  for (auto _ : state) {
    const Status status = encoder.Encode(capture, Sha1Of(capture.body), nullptr, &out);
    if (!status.ok()) std::abort();
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["stored_bytes"] = static_cast<double>(out.bytes.size());
}

void BM_Archive_Encode_libdeflate(benchmark::State& state) {
  const std::string page = MakePage();
  libdeflate_compressor* const codec = libdeflate_alloc_compressor(1);
  std::string out(page.size() * 2, '\0');
  size_t size = 0;
  for (auto _ : state) {
    size = libdeflate_gzip_compress(codec, page.data(), page.size(), out.data(), out.size());
    benchmark::DoNotOptimize(size);
  }
  libdeflate_free_compressor(codec);
  state.SetItemsProcessed(state.iterations());
  state.counters["stored_bytes"] = static_cast<double>(size);
}

void BM_Archive_Append_ours(benchmark::State& state) {
  const TemporaryFolder folder;
  const std::string page = MakePage();
  CaptureEncoder encoder;
  EncodedCapture out;
  if (!encoder.Encode(PageCapture(page), Sha1Of(page), nullptr, &out).ok()) std::abort();
  ArchiveOptions options;
  options.directory = folder / "archive";
  options.rotate_bytes = 64 << 20;
  auto archive = Archive::Open(options);
  uint64_t n = 0;
  for (auto _ : state) {
    if (!(*archive)->Append(out).ok()) std::abort();
    if (++n % 100 == 0 && !(*archive)->Sync().ok()) std::abort();
    if (n % 50'000 == 0) {  // the folder is in memory
      state.PauseTiming();
      archive = Status::Unavailable("");
      std::filesystem::remove_all(folder / "archive");
      archive = Archive::Open(options);
      state.ResumeTiming();
    }
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_Table_Put_ours(benchmark::State& state) {
  const TemporaryFolder folder;
  kv::DatabaseOptions options = {.families = {}, .memory_bytes = 64 << 20};
  const TableFamilies families = TableFamilies::AddTo(&options.families);
  const auto database = kv::Database::Open(folder / "db", options);
  if (!database.ok()) std::abort();
  const Table table(**database, families);
  std::string text;
  const std::string page = MakePage();
  EncodeTextCell(
      {.charset = "utf-8", .title = "Page", .blocks = {{.text = std::string_view(page).substr(0, 6000)}}},
      &text);
  LinkCellBuilder links;
  for (int i = 0; i < 20; i++)
    links.Add("http://h1.rw.test:9090/p/" + std::to_string(i * 37), "link", 0, false);
  FetchCell fetch;
  fetch.status = 200;
  fetch.content_type = "text/html";
  fetch.record = {.file = 1, .offset = 1 << 28, .length = 5000};
  uint64_t n = 0;
  kv::Batch batch;
  for (auto _ : state) {
    const std::string key =
        "test,rw,h" + std::to_string(n * 7919 % 20'000) + ")http:9090/p/" + std::to_string(n);
    const bool seen = table.Newest(key)->has_value();
    if (seen ||
        !table
             .Put(
                 key,
                 {.time = static_cast<VersionTime>(n), .fetch = &fetch, .text = text, .links = links.bytes()},
                 &batch)
             .ok())
      std::abort();
    if (++n % 100 == 0) {
      if (!(*database)->Write(batch, {.sync = true}).ok()) std::abort();
      batch.Clear();
    }
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(BM_Archive_Encode_ours)->Arg(0)->Arg(1);
BENCHMARK(BM_Archive_Encode_libdeflate);
BENCHMARK(BM_Archive_Append_ours)->MeasureProcessCPUTime();
BENCHMARK(BM_Table_Put_ours)->Iterations(50'000)->MeasureProcessCPUTime();

}  // namespace
}  // namespace crivello::store
