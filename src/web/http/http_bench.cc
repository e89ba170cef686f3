// SPDX-License-Identifier: Apache-2.0
// Parsing heads, and decoding gzip bodies compared with zlib.
#include <benchmark/benchmark.h>
#include <zlib.h>

#include <string>

#include "web/http/decompress.h"
#include "web/http/http_date.h"
#include "web/http/http_message.h"

namespace crivello::web {
namespace {

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nDate: Sun, 15 Nov 2026 09:12:40 GMT\r\nServer: Apache/2.4.57 (Debian)\r\n"
    "Last-Modified: Tue, 03 Nov 2026 17:20:11 GMT\r\nETag: \"2aa6-5f3b8a5c2d0c0-gzip\"\r\nAccept-Ranges: "
    "bytes\r\n"
    "Vary: Accept-Encoding\r\nContent-Encoding: gzip\r\nCache-Control: max-age=3600, public\r\n"
    "Content-Length: 3498\r\nKeep-Alive: timeout=5, max=100\r\nConnection: Keep-Alive\r\n"
    "Content-Type: text/html; charset=utf-8\r\n\r\n";

void BM_HttpHead(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ParseHttpResponse(kHead).status);
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kHead.size()));
}
BENCHMARK(BM_HttpHead);

void BM_HttpDate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ParseHttpDate("Sun, 15 Nov 2026 09:12:40 GMT", 0));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HttpDate);

// Pseudo-random words in paragraphs: compresses about fourfold, like real pages.
std::string Page(size_t bytes) {
  std::string page;
  uint32_t state = 1;
  while (page.size() < bytes) {
    page += "<p class=\"item\">";
    for (int i = 0; i < 12; i++) {
      state = state * 1664525 + 1013904223;
      page += "word" + std::to_string(state >> 20) + (i % 4 == 3 ? ", " : " ");
    }
    page += "</p>\n";
  }
  return page;
}

std::string Gzip(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void GunzipOurs(benchmark::State& state) {
  const std::string page = Page(static_cast<size_t>(state.range(0)));
  const std::string bytes = Gzip(page);
  for (auto _ : state) benchmark::DoNotOptimize(Decompress(bytes, ContentCoding::kGzip).body.data());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK(GunzipOurs)->Name("BM_Gunzip/ours")->Arg(10000)->Arg(100000)->Arg(1000000);

void GunzipStreaming(benchmark::State& state) {
  const std::string page = Page(static_cast<size_t>(state.range(0)));
  const std::string bytes = Gzip(page);
  for (auto _ : state) {
    Decompressor decompressor(ContentCoding::kGzip);
    size_t size = 0;
    decompressor.Feed(bytes, [&](std::string_view piece) { size += piece.size(); });
    benchmark::DoNotOptimize(size);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK(GunzipStreaming)->Name("BM_Gunzip/streaming")->Arg(10000)->Arg(100000)->Arg(1000000);

void GunzipZlib(benchmark::State& state) {
  const std::string page = Page(static_cast<size_t>(state.range(0)));
  const std::string bytes = Gzip(page);
  std::string out(page.size() + 64, '\0');
  for (auto _ : state) {
    z_stream stream = {};
    inflateInit2(&stream, 31);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    benchmark::DoNotOptimize(inflate(&stream, Z_FINISH));
    inflateEnd(&stream);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK(GunzipZlib)->Name("BM_Gunzip/zlib")->Arg(10000)->Arg(100000)->Arg(1000000);

}  // namespace
}  // namespace crivello::web
