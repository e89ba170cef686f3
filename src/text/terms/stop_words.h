// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <unordered_set>

#include "base/status.h"

namespace crivello::text {

// Words that occur on most pages of a language and carry little meaning: articles, prepositions, pronouns,
// auxiliaries, question words. In lower case with accents. For "de", "en", "es", "fr", "it", "nl", "pt";
// NotFound for others. The words are valid as long as the program runs.
Result<std::unordered_set<std::string_view>> StopWords(std::string_view language);

}  // namespace crivello::text
