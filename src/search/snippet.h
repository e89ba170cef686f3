// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/searcher.h"
#include "text/terms/analyser.h"

namespace crivello::search {

struct SnippetOptions {
  size_t bytes = 240;              // of the text shown, about
  std::string_view language = {};  // of the text, for its stems
  // The words of the query that the text has, each by its forms, sorted, if that is known: when all have been
  // seen, only half as much again is looked at, in which they may stand closer together.
  const std::vector<std::span<const std::string>>* words = nullptr;
};

// The passages of a text that show best why it was found, with the words of the query in them marked: up to
// two, each the one that has the most distinct words of those not shown yet, in sentences rather than lists,
// near each other, and not in a notice of rights; its first sentences if it has none.  Passages are whole
// sentences where these fit.
// The text is analysed as it was for the index, so a word is found by its stem, in any language.  `terms` are
// sorted.  Looks at no more than the first 256 KB: some 3 ms.
HighlightedText MakeSnippet(std::string_view text, std::span<const std::string> terms,
                            const SnippetOptions& options, text::Analyser& analyser);

// All of a text, with the words marked.
HighlightedText MarkWords(std::string_view text, std::span<const std::string> terms,
                          std::string_view language, text::Analyser& analyser);

}  // namespace crivello::search
