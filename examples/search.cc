// SPDX-License-Identifier: Apache-2.0
// search FOLDER WORD...: prints the best ten pages of a collection, with the passages that match.  To build:
//   cmake -S examples -B build/examples && cmake --build build/examples
// If Crivello is not installed in a folder where CMake looks, add -DCMAKE_PREFIX_PATH=FOLDER to the first
// command.
#include <crivello/search.h>

#include <cstdio>
#include <string>

// The text with its highlights in brackets.
static std::string Marked(const std::string& text, const std::vector<crivello::Highlight>& highlights) {
  std::string marked;
  size_t at = 0;
  for (const crivello::Highlight& one : highlights) {
    marked += text.substr(at, one.begin - at) + "[" + text.substr(one.begin, one.end - one.begin) + "]";
    at = one.end;
  }
  return marked + text.substr(at);
}

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: search FOLDER WORD...\n", stderr), 2;
  std::string query;
  for (int i = 2; i < argc; i++) query += std::string(argv[i]) + " ";

  const auto collection = crivello::Collection::Open(argv[1]);
  if (!collection.ok()) {
    std::fprintf(stderr, "%s\n", collection.status().ToString().c_str());
    return 1;
  }
  const auto answer = collection->Search({.query = query});
  if (!answer.ok()) {
    std::fprintf(stderr, "%s\n", answer.status().ToString().c_str());
    return 1;
  }
  for (const crivello::Found& page : answer->results) {
    std::printf("%s\n%s\n  %s\n\n", page.title.c_str(), page.url.c_str(),
                Marked(page.snippet, page.snippet_highlights).c_str());
  }
  std::printf("%zu of %llu\n", answer->results.size(), static_cast<unsigned long long>(answer->total));
}
