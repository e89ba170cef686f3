// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "collection/collection.h"
#include "dedup/discovery/discovery.h"
#include "dedup/shingles/similarity.h"
#include "store/table.h"

namespace crivello::jobs {

// A page whose text can be compared: the newest version of a row, if it is a 2xx response with words.
struct ComparedPage {
  std::string_view key;  // of its row
  store::VersionTime time = 0;
  const store::FetchCell& fetch;
  collection::Tablet& tablet;
};

// Visits the pages of all tablets in key order, so that the order does not depend on the tablets.  Skips rows
// that `excluded` accepts; it may be empty.  Unavailable once `stop` is requested.
Status ForEachComparedPage(collection::Collection& store,
                           const std::function<bool(std::string_view)>& excluded, const std::stop_token& stop,
                           const std::function<Status(const ComparedPage&)>& visit);

// The name of a page in the lists of fingerprinted pages: its row key, a space, which no key contains, and
// the digest of the fingerprinted text.  So a page whose text changed has another name, and one that was
// fetched again with the same text does not.
std::string NameOfPage(std::string_view row_key, uint64_t text_digest);
// Corruption if it is not such a name.
struct PageName {
  std::string_view row_key;
  uint64_t text_digest = 0;
};
Result<PageName> ParsePageName(std::string_view name);

// The words of the page's current text; empty if its text has changed, or if it has none.
Result<dedup::WordBag> WordsOfPage(collection::Collection& store, const PageName& page);

// Compares pages by WordShare(), reading their texts from the rows; caches the most recently used bags in
// bounded memory.  Thread-safe.
class PageVerifier final : public dedup::PairVerifier {
 public:
  // `name_of` returns a document's PageName as a string; thread-safe.  The collection must outlive this.
  PageVerifier(collection::Collection& store, std::function<std::string(uint32_t)> name_of,
               uint64_t memory_bytes)
      : store_(store), name_of_(std::move(name_of)), memory_bytes_(memory_bytes) {}

  // 0 if the text of one of them has changed.
  Result<double> Similarity(uint32_t a, uint32_t b) override;
  // With a text that does not belong to a page.
  Result<double> SimilarityTo(const dedup::WordBag& text, uint32_t document);

 private:
  using Bag = std::shared_ptr<const dedup::WordBag>;
  struct Kept {
    uint32_t document;
    Bag bag;
  };
  Result<Bag> BagOf(uint32_t document) CRV_EXCLUDES(mu_);
  static uint64_t BytesOf(const dedup::WordBag& bag) {
    return bag.entries().size() * sizeof(dedup::WordBag::Entry) + 128;
  }

  collection::Collection& store_;
  const std::function<std::string(uint32_t)> name_of_;
  const uint64_t memory_bytes_;
  Mutex mu_;
  std::list<Kept> kept_ CRV_GUARDED_BY(mu_);  // the most recently used one in front
  std::unordered_map<uint32_t, std::list<Kept>::iterator> places_ CRV_GUARDED_BY(mu_);
  uint64_t kept_bytes_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::jobs
