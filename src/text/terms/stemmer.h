// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::text {

// Reduces words to base forms: by Snowball's rules for a language, or with a hunspell dictionary. One thread
// at a time.
class WordReducer {
 public:
  virtual ~WordReducer() = default;
  // The base form of a word in lower case, NFC; or the word itself. Valid until the next call.
  virtual std::string_view Reduce(std::string_view word) = 0;
  // Whether the base form of a word of ASCII letters begins like the word, with i equal to y (dying, die): in
  // three letters if the base form has four or more, else in two. Only endings are removed.
  virtual bool keeps_beginnings() const { return false; }
};

// Snowball's stemmer for a language, given by its BCP 47 code ("it"; only the first part of "it-CH" counts).
// NotFound if there is none.
Result<std::unique_ptr<WordReducer>> MakeStemmer(std::string_view language);
// The codes of the languages that have a stemmer.
const std::vector<std::string_view>& StemmedLanguages();

// Returns the first base form in the dictionary NAME.aff, NAME.dic ("en_US") in `folder`. Loads the
// dictionary: tens of milliseconds, tens of megabytes.
Result<std::unique_ptr<WordReducer>> MakeLemmatiser(const std::string& name,
                                                    const std::string& folder = "/usr/share/hunspell");

// "it" for "it-IT", "IT" or "it_IT".
std::string PrimaryLanguage(std::string_view tag);

}  // namespace crivello::text
