// SPDX-License-Identifier: Apache-2.0
#include "text/terms/stemmer.h"

#include <fmt/format.h>
#include <libstemmer.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace crivello::text {
namespace {

class Snowball final : public WordReducer {
 public:
  Snowball(sb_stemmer* stemmer, bool keeps_beginnings)
      : stemmer_(stemmer), keeps_beginnings_(keeps_beginnings) {}
  ~Snowball() override { sb_stemmer_delete(stemmer_); }

  std::string_view Reduce(std::string_view word) override {
    const sb_symbol* stem = sb_stemmer_stem(stemmer_, reinterpret_cast<const sb_symbol*>(word.data()),
                                            static_cast<int>(word.size()));
    if (stem == nullptr) return word;  // out of memory
    return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer_))};
  }
  bool keeps_beginnings() const override { return keeps_beginnings_; }

 private:
  sb_stemmer* const stemmer_;
  const bool keeps_beginnings_;
};

// Verified with Snowball's vocabularies. Other stemmers also remove beginnings or double letters (Finnish),
// or may do so in newer versions (Dutch).
bool KeepsBeginnings(std::string_view code) {
  constexpr std::array<std::string_view, 12> kCodes = {"ca", "da", "de", "en", "es", "fr",
                                                       "hu", "it", "no", "pt", "ro", "sv"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

// Both written forms of Norwegian share one stemmer.
std::string SnowballCode(std::string_view language) {
  const std::string code = PrimaryLanguage(language);
  return code == "nb" || code == "nn" ? "no" : code;
}

}  // namespace

std::string PrimaryLanguage(std::string_view tag) {
  return ToAsciiLower(tag.substr(0, tag.find_first_of("-_")));
}

const std::vector<std::string_view>& StemmedLanguages() {
  static const std::vector<std::string_view> codes = {
      "ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy",
      "id", "it", "lt", "ne", "nl", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi"};
  return codes;
}

Result<std::unique_ptr<WordReducer>> MakeStemmer(std::string_view language) {
  const std::string code = SnowballCode(language);
  const auto& known = StemmedLanguages();
  sb_stemmer* stemmer = nullptr;
  if (std::find(known.begin(), known.end(), code) != known.end()) {
    stemmer = sb_stemmer_new(code.c_str(), "UTF_8");
  }
  if (stemmer == nullptr) {
    return Status::NotFound(
        fmt::format("no stemmer for '{}'; choose one of: {}", language, fmt::join(known, ", ")));
  }
  return std::unique_ptr<WordReducer>(std::make_unique<Snowball>(stemmer, KeepsBeginnings(code)));
}

}  // namespace crivello::text
