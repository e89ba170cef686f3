// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "text/terms/analyser_description.h"

namespace crivello::text {

// The forms of one word that are to be the same term: case, compatibility forms, accents.
//
// In this order, each as the description says: Unicode's full case folding (ß is ss; by fold:tr, I is ı and İ
// is i), compatibility forms (NFKC, and the digits of every script as 0 to 9), then marks removed.  Always:
// canonical composition (NFC), characters that are not seen (soft hyphen, joiners) dropped, typographic
// apostrophes made '.
//
// Accents are marks of Latin, Greek, Hebrew and Arabic letters (so Arabic's short vowels, and alef with hamza
// or madda is alef), and Latin letters with a stroke or ligatures that Unicode does not decompose (ø æ ł). In
// Cyrillic ё is е and stress marks go, but й, ї and ў are letters; marks of other scripts are letters or
// vowels.
//
// Words of characters that stand alone are mapped by a table, character by character; others by ICU.  No
// allocation.  One thread at a time; the tables are shared.
class Folder {
 public:
  // What is kept of a word, in bytes of its input; the rest is cut off.
  static constexpr size_t kMaxInputBytes = 510;

  explicit Folder(const AnalyserDescription& description);
  ~Folder();
  Folder(Folder&&) noexcept;
  Folder& operator=(Folder&&) noexcept;

  struct Forms {
    std::string_view folded;  // with its accents: what stemmers know
    std::string_view bare;    // without, if the description has that step; else the same
  };
  // Good until the next call.  The word may be any bytes; bytes that are no UTF-8 become U+FFFD.
  Forms Fold(std::string_view word);
  // By ICU alone: what the tables are made of, and judged by.
  Forms FoldByIcu(std::string_view word);
  // The accents step alone, on a folded text (a stem).  Good until the next call.
  std::string_view RemoveAccents(std::string_view folded);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::text
