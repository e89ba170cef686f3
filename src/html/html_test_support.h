// SPDX-License-Identifier: Apache-2.0
// Shared by the tests and fuzzers of the HTML parts; included only by _test.cc, _bench.cc and _fuzz.cc
// files.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "html/html_tokenizer.h"

namespace crivello::html {

// Writes each token as a line; adjacent texts share one line.
class TokenLog : public TokenSink {
 public:
  void OnText(std::string_view text) override {
    if (lines.empty() || !lines.back().starts_with("text ")) lines.push_back("text ");
    lines.back() += text;
  }
  void OnStartTag(const TagToken& tag) override {
    std::string line = "start " + std::string(tag.name);
    for (const Attribute& attribute : tag.attributes) {
      line += " [" + std::string(attribute.name) + "]=[" + std::string(attribute.value) + "]";
    }
    if (tag.self_closing) line += " /";
    lines.push_back(line);
    if (on_start) on_start(tag);
  }
  void OnEndTag(const TagToken& tag) override { lines.push_back("end " + std::string(tag.name)); }
  void OnComment(std::string_view data) override { lines.push_back("comment " + std::string(data)); }
  void OnDoctype(const DoctypeToken& token) override {
    const auto part = [](bool has, std::string_view text) {
      return has ? " [" + std::string(text) + "]" : std::string(" none");
    };
    lines.push_back("doctype" + part(token.has_name, token.name) +
                    part(token.has_public_id, token.public_id) + part(token.has_system_id, token.system_id) +
                    (token.force_quirks ? " quirks" : ""));
  }
  void OnProcessingInstruction(std::string_view target, std::string_view data) override {
    lines.push_back("instruction " + std::string(target) + " [" + std::string(data) + "]");
  }

  std::vector<std::string> lines;
  std::function<void(const TagToken&)> on_start;
};

// Calls `feed` with the pieces of `text`, split at random positions.
template <typename Feed>
void InPieces(std::string_view text, Random& random, size_t max_piece, Feed feed) {
  while (!text.empty()) {
    const size_t size = std::min<size_t>(text.size(), 1 + random.Below(max_piece));
    // A copy of exactly that size, so that asan detects a read outside the piece.
    const std::vector<char> piece(text.begin(), text.begin() + static_cast<ptrdiff_t>(size));
    feed(std::string_view(piece.data(), piece.size()));
    text.remove_prefix(size);
  }
}

}  // namespace crivello::html
