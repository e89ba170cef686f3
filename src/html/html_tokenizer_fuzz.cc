// SPDX-License-Identifier: Apache-2.0
// The tokenizer gives the same tokens for the whole input and for pieces of it, and respects its limits.
#include <cstdint>
#include <cstdlib>

#include "html/html_test_support.h"

namespace crivello::html {
namespace {

std::vector<std::string> Read(std::string_view text, TokenizerLimits limits, Random* random) {
  using Content = HtmlTokenizer::Content;
  TokenLog log;
  HtmlTokenizer tokenizer(&log, limits);
  log.on_start = [&](const TagToken& tag) {
    if (tag.attributes.size() > limits.max_attributes || tag.name.size() > limits.max_name_bytes)
      std::abort();
    if (tag.tag == Tag::kScript) tokenizer.SetContent(Content::kScript);
    if (tag.tag == Tag::kStyle) tokenizer.SetContent(Content::kRawtext);
    if (tag.tag == Tag::kTitle) tokenizer.SetContent(Content::kRcdata);
    if (tag.tag == Tag::kPlaintext) tokenizer.SetContent(Content::kPlaintext);
    tokenizer.set_cdata_allowed(tag.tag == Tag::kSvg);
  };
  if (random == nullptr) {
    tokenizer.Feed(text);
  } else {
    InPieces(text, *random, 1 + random->Below(16), [&](std::string_view piece) { tokenizer.Feed(piece); });
  }
  tokenizer.Finish();
  log.lines.push_back("cut " + std::to_string(tokenizer.counts().cut) + " dropped " +
                      std::to_string(tokenizer.counts().dropped_attributes) + " duplicate " +
                      std::to_string(tokenizer.counts().duplicate_attributes));
  return log.lines;
}

}  // namespace
}  // namespace crivello::html

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::html;
  if (size > 1 << 16) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TokenizerLimits small = {
      .max_attributes = 3, .max_name_bytes = 8, .max_tag_bytes = 24, .max_comment_bytes = 16};
  for (const TokenizerLimits& limits : {TokenizerLimits{}, small}) {
    const auto whole = Read(text, limits, nullptr);
    for (uint64_t seed = 0; seed < 2; ++seed) {
      SeededRandom random(seed + size);
      if (Read(text, limits, &random) != whole) std::abort();
    }
  }
  return 0;
}
