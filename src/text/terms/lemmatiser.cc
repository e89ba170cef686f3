// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <hunspell/hunspell.hxx>

#include "charset/encoding.h"
#include "charset/encoding_decode.h"
#include "charset/encoding_encode.h"
#include "text/terms/stemmer.h"

namespace crivello::text {
namespace {

// hunspell's time and memory grow steeply with the length of a word.
constexpr size_t kMaxWordBytes = 100;

class Lemmatiser final : public WordReducer {
 public:
  Lemmatiser(const std::string& affixes, const std::string& words)
      : hunspell_(affixes.c_str(), words.c_str()),
        encoding_(
            charset::EncodingForLabel(hunspell_.get_dict_encoding()).value_or(charset::Encoding::kUtf8)) {}

  std::string_view Reduce(std::string_view word) override {
    if (word.size() > kMaxWordBytes) return word;
    word_.clear();
    // A character missing in the dictionary's encoding gives a non-word, which has no base form.
    charset::AppendEncodedQuery(word, encoding_, &word_);
    const std::vector<std::string> bases = hunspell_.stem(word_);
    if (bases.empty()) return word;
    base_ = charset::DecodeToUtf8(bases.front(), encoding_).text();
    return base_;
  }

 private:
  Hunspell hunspell_;
  const charset::Encoding encoding_;
  std::string word_;
  std::string base_;
};

}  // namespace

Result<std::unique_ptr<WordReducer>> MakeLemmatiser(const std::string& name, const std::string& folder) {
  // The name becomes part of a path, so it must not have '/' or '.'; the description's parser is stricter.
  for (const char c : name) {
    if (c == '/' || c == '.' || c == '\0') return Status::InvalidArgument("invalid dictionary name: " + name);
  }
  const std::string affixes = folder + "/" + name + ".aff";
  const std::string words = folder + "/" + name + ".dic";
  for (const std::string& path : {affixes, words}) {
    if (::access(path.c_str(), R_OK) != 0) {
      return Status::NotFound(fmt::format(
          "cannot find dictionary '{}': {} is missing; install its hunspell-* package", name, path));
    }
  }
  return std::unique_ptr<WordReducer>(std::make_unique<Lemmatiser>(affixes, words));
}

}  // namespace crivello::text
