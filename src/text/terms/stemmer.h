// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::text {

// Base forms of words: by Snowball's rules for a language, or by a hunspell dictionary.
// One thread at a time.
class WordReducer {
 public:
  virtual ~WordReducer() = default;
  // The base form of a word in lower case, NFC; itself if there is no other.  Good until the next call.
  virtual std::string_view Reduce(std::string_view word) = 0;
  // Whether the base form of a word of ASCII letters begins as the word does, i and y being one (dying, die):
  // for three letters if it has four, for two if it has two.  Only endings are taken off.
  virtual bool keeps_beginnings() const { return false; }
};

// Snowball's stemmer of a language, by its BCP 47 code ("it"; of "it-CH" the first part counts).
// NotFound if it has none.
Result<std::unique_ptr<WordReducer>> MakeStemmer(std::string_view language);
// The codes of the languages that have one.
const std::vector<std::string_view>& StemmedLanguages();

// The first base form that the dictionary NAME.aff, NAME.dic gives ("en_US"), in `folder`.
// Loads the dictionary: tens of milliseconds, tens of megabytes.
Result<std::unique_ptr<WordReducer>> MakeLemmatiser(const std::string& name,
                                                    const std::string& folder = "/usr/share/hunspell");

// "it" of "it-IT", "IT" or "it_IT".
std::string PrimaryLanguage(std::string_view tag);

}  // namespace crivello::text
