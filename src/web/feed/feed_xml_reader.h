// SPDX-License-Identifier: Apache-2.0
// The reader of feeds in XML; for feed_xml*.cc only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "web/feed/feed_internal.h"
#include "web/feed/xml_scanner.h"

namespace crivello::web::internal {

// The vocabulary that an element belongs to, by its namespace.
enum class Vocabulary : uint8_t {
  kCore,  // the feed's own: no namespace, the root's, RSS's, or an unknown default one
  kAtom,
  kDublinCore,
  kDcTerms,
  kContent,
  kSyndication,
  kItunes,
  kMedia,
  kXhtml,
  kFeedburner,
  kRdf,
  kForeign,
};

// The priority of a field's present value; only a value of higher rank replaces it.
using Rank = int;

// Reads one feed, once. A single loop visits the elements; an element that has a value is read to its end at
// once.
class XmlFeedReader {
 public:
  XmlFeedReader(std::string_view utf8, const FeedOptions& options) : options_(options), scanner_(utf8) {}

  Result<Feed> Read();

 private:
  // The values of xml:base and xml:lang within the element at `depth`.
  struct Scope {
    size_t depth;
    std::string base;
    std::string language;
  };
  struct FieldRanks {
    Rank title = -1;
    Rank text = -1;  // description, summary
    Rank content = -1;
    Rank published = -1;
    Rank updated = -1;
    Rank id = -1;
    Rank language = -1;
  };

  bool FindRoot();
  void OpenDocument(FeedFormat format, std::string_view version);
  void OnStart();
  void OnEnd();
  void EnterScope();
  void LeaveScopes(size_t depth);
  Vocabulary Classify(std::string_view prefix, std::string_view uri);
  bool StartsItem() const;
  void BeginItem();
  void FinishItem();

  bool FeedElement();
  bool ItemElement();
  bool CommonElement();
  bool ScheduleElement();

  // Each of these consumes the current element up to its end.
  std::string ReadInner(bool escape_text, bool* has_children);
  std::string ReadString();
  // Resolved against the element's own base.
  std::string ReadUrl();
  FeedText ReadFeedText(bool typed, bool force_xhtml);
  void ReadPerson();
  void ReadLink();
  void ReadCategory();
  void ReadKeywords();
  void ReadEnclosure();
  void SkipElement() { ignore_depth_ = scanner_.self_closing() ? 0 : scanner_.depth(); }

  void SetText(FeedText* field, Rank* held, Rank rank, FeedText value);
  void SetDate(FeedDate* field, Rank* held, Rank rank, const FeedDate& value);
  void AddLink(FeedLink link);
  void AddCategory(FeedCategory category);

  const std::string& base() const { return scopes_.back().base; }
  std::string Resolve(std::string_view reference) const { return ResolveLink(base(), reference); }
  std::vector<FeedLink>& links() { return in_item_ ? item_.links : feed_.links; }
  bool Full(size_t size) const { return size >= options_.max_list; }
  bool IsAtom() const { return feed_.format == FeedFormat::kAtom || vocabulary_ == Vocabulary::kAtom; }

  const FeedOptions& options_;
  XmlScanner scanner_;
  Feed feed_;
  FeedItem item_;
  bool in_item_ = false;
  size_t item_depth_ = 0;
  FieldRanks feed_ranks_;
  FieldRanks item_ranks_;
  std::vector<Scope> scopes_;
  std::string_view root_uri_;
  // These describe the current element.
  Vocabulary vocabulary_ = Vocabulary::kCore;
  std::string name_;
  // While greater than 0, elements below this depth are skipped.
  size_t ignore_depth_ = 0;
  // The start that the scanner has just returned must be processed again.
  bool replay_ = false;
  std::string_view last_uri_;
  std::string_view last_prefix_;
  Vocabulary last_vocabulary_ = Vocabulary::kCore;
};

}  // namespace crivello::web::internal
