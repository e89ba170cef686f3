// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <unordered_set>

#include "base/status.h"

namespace crivello::text {

// Words that are in most pages of a language and tell little: articles, prepositions, pronouns, auxiliaries.
// In lower case with their accents.  For "de", "en", "es", "fr", "it"; NotFound for others.  The words live
// as long as the program.
Result<std::unordered_set<std::string_view>> StopWords(std::string_view language);

}  // namespace crivello::text
