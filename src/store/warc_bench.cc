// SPDX-License-Identifier: Apache-2.0
// Reading and writing archives of pages, compared with the codecs alone. Bytes are those of the content.
//
// The pages: those of $CRIVELLO_PAGES, or pages of 20 KB assembled from the texts below /usr/share.
#include <benchmark/benchmark.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "html/bench_pages.h"
#include "store/warc_reader.h"
#include "store/warc_writer.h"

namespace crivello::store {
namespace {

constexpr size_t kPageBytes = 20'000;
constexpr size_t kTextBytes = 16 << 20;
constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nDate: Thu, 02 Jan 2020 03:04:05 GMT\r\nServer: Apache\r\n"
    "Content-Type: text/html; charset=utf-8\r\n\r\n";

class MemoryFile final : public AppendFile {
 public:
  Status Append(Bytes bytes) override {
    text.append(AsText(bytes));
    return Status::Ok();
  }
  Status Sync() override { return Status::Ok(); }
  std::string text;
};

std::vector<std::string> TextFiles(const char* folder) {
  std::vector<std::string> files;
  std::error_code error;
  constexpr auto kOptions = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator it(folder, kOptions, error), end; it != end;
       it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    std::ifstream in(it->path(), std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!text.empty() && text.find('\0') == std::string::npos) files.push_back(std::move(text));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> MakePages() {
  if (!html::BenchPages().empty()) return html::BenchPages();
  std::string text;
  for (const char* folder : {"/usr/share/common-licenses", "/usr/share/doc", "/usr/share/perl"}) {
    for (const std::string& file : TextFiles(folder)) {
      if (text.size() + file.size() < kTextBytes) text += file;
    }
  }
  std::vector<std::string> pages;
  std::string page;
  for (size_t at = 0, line = 0; at < text.size(); line++) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (page.empty()) {
      page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Page " +
             std::to_string(pages.size()) + "</title></head>\n<body class=\"page\"><div id=\"content\">\n";
    }
    page.append(line % 6 == 0 ? "<p class=\"text\">" : "").append(text, at, end - at);
    if (line % 12 == 11)
      page += " <a href=\"/wiki/" + std::to_string(line * 7919 % 10007) + ".html\">more</a></p>";
    page += '\n';
    at = end + 1;
    if (page.size() >= kPageBytes) {
      pages.push_back(page + "</div></body></html>\n");
      page.clear();
    }
  }
  return pages;
}

const std::vector<std::string>& Pages() {
  static const std::vector<std::string> pages = MakePages();
  return pages;
}

int64_t PageBytes() {
  size_t bytes = 0;
  for (const std::string& page : Pages()) bytes += kHead.size() + page.size();
  return static_cast<int64_t>(bytes);
}

void WritePages(WarcWriter* writer) {
  for (const std::string& page : Pages()) {
    const auto location = writer->Append({.type = WarcType::kResponse,
                                          .target_uri = "http://example.org/",
                                          .date = 1577934245,
                                          .content_type = "application/http; msgtype=response",
                                          .head = kHead,
                                          .body = page});
    if (!location.ok()) std::abort();
  }
}

std::string MakeArchive(WarcCompression compression, int level) {
  MemoryFile file;
  SeededRandom random(1);
  WarcWriter writer(file, 0, {.compression = compression, .level = level}, random);
  WritePages(&writer);
  return file.text;
}

void Read(benchmark::State& state, const std::string& archive) {
  if (Pages().empty()) return state.SkipWithError("no pages");
  uint64_t bytes = 0;
  for (auto _ : state) {
    WarcReader reader(archive);
    while (const auto record = reader.Next()) bytes += record->block.size();
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}

void BM_WarcRead_Gzip1_ours(benchmark::State& state) { Read(state, MakeArchive(WarcCompression::kGzip, 1)); }
void BM_WarcRead_Gzip6_ours(benchmark::State& state) { Read(state, MakeArchive(WarcCompression::kGzip, 6)); }
void BM_WarcRead_Zstd_ours(benchmark::State& state) { Read(state, MakeArchive(WarcCompression::kZstd, 3)); }
void BM_WarcRead_Plain_ours(benchmark::State& state) { Read(state, MakeArchive(WarcCompression::kNone, 0)); }

// Only inflates, into one buffer that is large enough.
void BM_WarcRead_Gzip_zlib(benchmark::State& state) {
  if (Pages().empty()) return state.SkipWithError("no pages");
  std::string archive = MakeArchive(WarcCompression::kGzip, static_cast<int>(state.range(0)));
  std::string out(4 << 20, '\0');
  z_stream stream = {};
  inflateInit2(&stream, 15 + 16);
  for (auto _ : state) {
    stream.next_in = reinterpret_cast<Bytef*>(archive.data());
    stream.avail_in = static_cast<uInt>(archive.size());
    while (stream.avail_in > 0) {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      if (inflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
      inflateReset(&stream);
    }
  }
  inflateEnd(&stream);
  state.SetBytesProcessed(PageBytes() * state.iterations());
}

void BM_WarcWrite_Gzip1_ours(benchmark::State& state) {
  if (Pages().empty()) return state.SkipWithError("no pages");
  uint64_t stored = 0;
  MemoryFile file;
  for (auto _ : state) {
    file.text.clear();
    SeededRandom random(1);
    WarcWriter writer(file, 0, {}, random);
    WritePages(&writer);
    stored = writer.size();
  }
  state.SetBytesProcessed(PageBytes() * state.iterations());
  state.counters["ratio"] = static_cast<double>(PageBytes()) / static_cast<double>(stored);
}

// Only deflates: no head, no digests, no file.
void BM_WarcWrite_Gzip1_zlib(benchmark::State& state) {
  if (Pages().empty()) return state.SkipWithError("no pages");
  z_stream stream = {};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(16 << 20, '\0');
  uint64_t stored = 0;
  for (auto _ : state) {
    stored = 0;
    for (const std::string& page : Pages()) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(page.data()));
      stream.avail_in = static_cast<uInt>(page.size());
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
      stored += stream.total_out;
      deflateReset(&stream);
    }
  }
  deflateEnd(&stream);
  state.SetBytesProcessed(PageBytes() * state.iterations());
  state.counters["ratio"] = static_cast<double>(PageBytes()) / static_cast<double>(stored);
}

BENCHMARK(BM_WarcRead_Gzip1_ours)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WarcRead_Gzip6_ours)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WarcRead_Gzip_zlib)->Arg(1)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WarcRead_Zstd_ours)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WarcRead_Plain_ours)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WarcWrite_Gzip1_ours)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WarcWrite_Gzip1_zlib)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crivello::store
