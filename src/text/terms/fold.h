// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "text/terms/analyser_description.h"

namespace crivello::text {

// Maps the variants of a word to one term: case, compatibility forms, accents.
//
// Steps, in this order, each if the description has it: Unicode's full case folding (ß becomes ss; with
// fold:tr, I becomes ı and İ becomes i), compatibility forms (NFKC, and the digits of every script become 0
// to 9), removal of marks. Always: canonical composition (NFC), invisible characters (soft hyphen, joiners)
// dropped, typographic apostrophes replaced by '.
//
// Accents are the marks of Latin, Greek, Hebrew and Arabic letters (so Arabic's short vowels go, and alef
// with hamza or madda becomes alef), and Latin letters with a stroke or ligatures that Unicode does not
// decompose (ø æ ł). In Cyrillic, ё becomes е and stress marks go, but й, ї and ў are letters. Marks of other
// scripts are letters or vowels.
//
// Words whose characters do not combine are mapped by a table, character by character; other words by ICU. No
// allocation. One thread at a time; the tables are shared.
class Folder {
 public:
  // How many bytes of a word are used; the rest is cut off.
  static constexpr size_t kMaxInputBytes = 510;

  explicit Folder(const AnalyserDescription& description);
  ~Folder();
  Folder(Folder&&) noexcept;
  Folder& operator=(Folder&&) noexcept;

  struct Forms {
    std::string_view folded;  // with accents, as stemmers expect
    std::string_view bare;    // without accents if the description has that step, else the same
  };
  // Valid until the next call. The word may be any bytes; invalid UTF-8 becomes U+FFFD.
  Forms Fold(std::string_view word);
  // Uses ICU alone: the tables are built from this, and tested against it.
  Forms FoldByIcu(std::string_view word);
  // Only the accents step, on folded text (a stem). Valid until the next call.
  std::string_view RemoveAccents(std::string_view folded);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::text
