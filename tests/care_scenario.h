// SPDX-License-Identifier: Apache-2.0
// A collection of a few pages, imported from an archive, and a search of every byte of its files.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "crawl_scenario.h"
#include "store/warc_encoder.h"

namespace crivello {

// Words that occur in one page each, and whose beginning and end are unique, so that neither front coding nor
// stemming hides them.
constexpr std::string_view kSecret = "xqjzkwvbnp";
constexpr std::string_view kKept = "qzwxkjyvgb";

inline std::string Inflated(std::string_view bytes) {
  z_stream stream = {};
  std::string text;
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return text;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  char buffer[1 << 15];
  for (int code = Z_OK; code == Z_OK;) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  return text;
}
inline std::string Decompressed(std::string_view bytes) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                        ZSTD_freeDStream);
  std::string text;
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  std::string buffer(1 << 17, '\0');
  for (size_t left = 1; left != 0 && in.pos < in.size;) {
    ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left)) break;
    text.append(buffer.data(), out.pos);
  }
  return text;
}

inline bool Holds(std::string_view bytes, std::string_view word) {
  if (bytes.find(word) != std::string_view::npos) return true;
  constexpr std::string_view kGzip("\x1f\x8b\x08", 3), kZstd("\x28\xb5\x2f\xfd", 4);
  for (size_t at = 0; (at = bytes.find(kGzip, at)) != std::string_view::npos; ++at) {
    if (Inflated(bytes.substr(at)).find(word) != std::string::npos) return true;
  }
  for (size_t at = 0; (at = bytes.find(kZstd, at)) != std::string_view::npos; ++at) {
    if (Decompressed(bytes.substr(at)).find(word) != std::string::npos) return true;
  }
  return false;
}

// The files below a folder that contain the word: directly, or in any gzip member or zstd frame that begins
// anywhere in them.
inline std::set<std::string> FilesWith(std::string_view word, const std::filesystem::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (Holds(bytes.str(), word)) {
      found.insert(std::filesystem::relative(entry.path(), folder).string());
    }
  }
  return found;
}

class CareScenario : public CrawlScenario {
 protected:
  std::filesystem::path Collection() const { return folder_ / "collection"; }

  // Imports pages by URL, as responses in an archive; then builds the index.
  void Import(const std::vector<std::pair<std::string, std::string>>& pages) const {
    SeededRandom random(1);
    store::WarcEncoder encoder({}, random);
    std::string archive;
    int64_t date = 1'780'000'000;
    for (const auto& [url, html] : pages) {
      ASSERT_TRUE(encoder
                      .Append({.type = store::WarcType::kResponse,
                               .target_uri = url,
                               .date = date++,
                               .content_type = "application/http; msgtype=response",
                               .head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n",
                               .body = html},
                              &archive)
                      .ok());
    }
    std::ofstream(folder_ / "pages.warc.gz", std::ios::binary) << archive;
    ASSERT_EQ(Run({"import", folder_ / "pages.warc.gz", "--quiet"}), 0) << Text("out") << Text("err");
    ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
  }

  // The number of moments at which a program is killed: a few, or $CRIVELLO_KILLS.
  static int Kills() {
    const char* kills = std::getenv("CRIVELLO_KILLS");
    return kills == nullptr ? 6 : std::atoi(kills);
  }
  // Whether to kill it an i-th time, given how many kills have interrupted its work: on a busy machine, a few
  // may all come too early or too late.
  static bool MoreKills(int i, int cut) { return i < Kills() || (cut == 0 && i < 20 * Kills()); }
  // Starts the program, and kills it at a random moment in the i-th of Kills() parts of the time that it
  // takes to complete; after the last part, in the first again.
  void RunAndKill(const std::vector<std::string>& arguments, Duration whole, int i, Random& random) const {
    const auto part = static_cast<uint64_t>(whole / std::chrono::microseconds(1) / Kills());
    const pid_t child = Start(arguments);
    usleep(static_cast<useconds_t>(static_cast<uint64_t>(i % Kills()) * part + random.Below(part + 1)));
    kill(child, SIGKILL);
    Wait(child);
  }
  // The time it takes to complete.
  Duration TimeOf(const std::vector<std::string>& arguments) const {
    const MonotonicTime start = SystemClock().Now();
    EXPECT_EQ(Run(arguments), 0) << Text("err");
    return SystemClock().Now() - start;
  }

  // The page with the secret, one that it links to, one that links to it, and others.
  static std::vector<std::pair<std::string, std::string>> Pages() {
    const auto page = [](std::string_view title, std::string_view text) {
      std::string html = "<!doctype html><html lang=en><title>" + std::string(title) + "</title><article>";
      for (int i = 0; i < 40; ++i) {
        html += "<p>" + std::string(text) + " Paragraph " + std::to_string(i) +
                " is about sieves, queues and the pages of the web that a crawler meets on its way.</p>";
      }
      return html + "</article>";
    };
    const std::string secret(kSecret), kept(kKept);
    std::vector<std::pair<std::string, std::string>> pages = {
        {"https://one.example/secret",
         page(secret + " title", "The word " + secret + " <a href=/other>the " + secret + " link</a>.")},
        {"https://one.example/other", page("Other", "The word " + kept + " <a href=/secret>a link</a>.")},
        {"https://two.example/", page("Two", "Nothing <a href=https://one.example/secret>of it</a>.")},
    };
    for (int i = 0; i < 30; ++i) {
      pages.emplace_back("https://three.example/" + std::to_string(i),
                         page("Page " + std::to_string(i), "Text number " + std::to_string(i * 7919) + "."));
    }
    return pages;
  }
};

}  // namespace crivello
