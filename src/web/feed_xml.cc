// SPDX-License-Identifier: Apache-2.0
// RSS, RDF, Atom and CDF, told apart as little as possible: real feeds mix them.
#include <algorithm>
#include <charconv>
#include <utility>

#include "web/feed_internal.h"
#include "web/xml_scanner.h"

namespace crivello::web::internal {
namespace {

using Event = XmlScanner::Event;

constexpr std::string_view kXmlUri = "http://www.w3.org/XML/1998/namespace";
constexpr std::string_view kRdfUri = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

// What an element's namespace says about it.
enum class Vocabulary : uint8_t {
  kCore,  // the feed's own: none, that of the root, RSS's, an unknown default one
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

struct KnownNamespace {
  std::string_view uri;  // lower case, without '/' or '#' at the end
  Vocabulary vocabulary;
};
constexpr KnownNamespace kNamespaces[] = {
    {"http://www.w3.org/2005/atom", Vocabulary::kAtom},
    {"http://purl.org/atom/ns", Vocabulary::kAtom},
    {"http://purl.org/dc/elements/1.1", Vocabulary::kDublinCore},
    {"http://purl.org/dc/elements/1.0", Vocabulary::kDublinCore},
    {"http://purl.org/dc/terms", Vocabulary::kDcTerms},
    {"http://purl.org/rss/1.0/modules/content", Vocabulary::kContent},
    {"http://purl.org/rss/1.0/modules/syndication", Vocabulary::kSyndication},
    {"http://www.itunes.com/dtds/podcast-1.0.dtd", Vocabulary::kItunes},
    {"http://search.yahoo.com/mrss", Vocabulary::kMedia},
    {"http://www.w3.org/1999/xhtml", Vocabulary::kXhtml},
    {"http://www.w3.org/1999/02/22-rdf-syntax-ns", Vocabulary::kRdf},
    {"http://rssnamespace.org/feedburner/ext/1.0", Vocabulary::kFeedburner},
    {"http://purl.org/rss/1.0", Vocabulary::kCore},
    {"http://purl.org/net/rss1.1", Vocabulary::kCore},
    {"http://my.netscape.com/rdf/simple/0.9", Vocabulary::kCore},
    {"http://channel.netscape.com/rdf/simple/0.9", Vocabulary::kCore},
    {"http://backend.userland.com/rss2", Vocabulary::kCore},
    {"http://backend.userland.com/rss", Vocabulary::kCore},
    {"http://blogs.law.harvard.edu/tech/rss", Vocabulary::kCore},
    {"http://www.w3.org/2000/svg", Vocabulary::kForeign},
    {"http://www.w3.org/1998/math/mathml", Vocabulary::kForeign},
};

// How much a field's present value is worth; a new one takes its place only with more.
using Rank = int;

class XmlFeedReader {
 public:
  XmlFeedReader(std::string_view utf8, const FeedOptions& options)
      : options_(options), scanner_(utf8, {.lookup_entity = options.lookup_entity}) {}

  Result<Feed> Read() {
    if (!FindRoot()) return Status::Corruption("no feed: no <rss>, <rdf:RDF>, <feed> or <channel> in it");
    while (true) {
      const Event event = std::exchange(replay_, false) ? Event::kStart : scanner_.Next();
      if (event == Event::kDone) break;
      if (event == Event::kStart) OnStart();
      if (event == Event::kEnd) OnEnd();
    }
    FinishItem();
    ChooseFeedLinks(&feed_);
    if (feed_.language.empty()) feed_.language = options_.language;
    return std::move(feed_);
  }

 private:
  // xml:base and xml:lang, as they hold within the element at `depth`.
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

  // Each consumes the current element up to its end.
  std::string ReadInner(bool escape_text, bool* has_children);
  std::string ReadString();
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
  std::string Resolve(std::string_view reference) const {
    const std::string clean = CleanUrl(reference);
    return clean.empty() ? clean : options_.resolve(base(), clean);
  }
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
  // Of the current element.
  Vocabulary vocabulary_ = Vocabulary::kCore;
  std::string name_;
  // While above 0, elements below this depth are passed over.
  size_t ignore_depth_ = 0;
  // The start just read by the scanner has still to be looked at.
  bool replay_ = false;
  std::string_view last_uri_;
  std::string_view last_prefix_;
  Vocabulary last_vocabulary_ = Vocabulary::kCore;
};

bool XmlFeedReader::FindRoot() {
  scopes_.push_back({.depth = 0, .base = options_.base_url, .language = options_.language});
  for (Event event = scanner_.Next(); event != Event::kDone; event = scanner_.Next()) {
    if (event != Event::kStart) continue;
    const std::string name = AsciiLower(scanner_.local_name());
    const std::string version = scanner_.Attribute("version").value_or("");
    root_uri_ = scanner_.namespace_uri();
    if (name == "rss") {
      OpenDocument(FeedFormat::kRss, version);
      return true;
    }
    if (name == "rdf") {
      root_uri_ = {};
      OpenDocument(FeedFormat::kRdf, version);
      return true;
    }
    if (name == "feed" || name == "entry") {
      const bool old = root_uri_.starts_with("http://purl.org/atom/ns") || version == "0.3";
      OpenDocument(FeedFormat::kAtom, old ? "0.3" : "1.0");
      if (name == "entry") replay_ = true;
      return true;
    }
    if (name == "channel") {
      // CDF is written in capitals and says everything in attributes; RSS that lost its root does neither.
      const bool cdf =
          scanner_.local_name() == "CHANNEL" || scanner_.Attribute("href") || scanner_.Attribute("lastmod");
      OpenDocument(cdf ? FeedFormat::kCdf : FeedFormat::kRss, "");
      replay_ = true;
      return true;
    }
    if (name == "html" || name == "urlset" || name == "sitemapindex") return false;
  }
  return false;
}

void XmlFeedReader::OpenDocument(FeedFormat format, std::string_view version) {
  feed_.format = format;
  feed_.version = version;
  EnterScope();
  if (const auto language = scanner_.Attribute("lang", kXmlUri)) {
    feed_.language = scopes_.back().language;
    feed_ranks_.language = 0;
  }
}

Vocabulary XmlFeedReader::Classify(std::string_view prefix, std::string_view uri) {
  if (uri.empty()) return prefix.empty() ? Vocabulary::kCore : Vocabulary::kForeign;
  if (uri == root_uri_) return Vocabulary::kCore;
  if (uri.data() == last_uri_.data() && uri.size() == last_uri_.size() && prefix == last_prefix_)
    return last_vocabulary_;
  last_uri_ = uri;
  last_prefix_ = prefix;
  std::string key = AsciiLower(uri.substr(0, 128));
  while (!key.empty() && (key.back() == '/' || key.back() == '#')) key.pop_back();
  if (key.starts_with("https:")) key.erase(4, 1);
  last_vocabulary_ = prefix.empty() ? Vocabulary::kCore : Vocabulary::kForeign;
  for (const KnownNamespace& known : kNamespaces) {
    if (known.uri == key) last_vocabulary_ = known.vocabulary;
  }
  return last_vocabulary_;
}

void XmlFeedReader::EnterScope() {
  auto base = scanner_.Attribute("base", kXmlUri);
  if (!base && feed_.format == FeedFormat::kCdf) base = scanner_.Attribute("base");
  const auto language = scanner_.Attribute("lang", kXmlUri);
  if (!base && !language) return;
  Scope scope = scopes_.back();
  scope.depth = scanner_.depth();
  if (base) scope.base = Resolve(*base);
  if (language) {
    scope.language = TrimSpaces(*language);
    std::replace(scope.language.begin(), scope.language.end(), '_', '-');
  }
  scopes_.push_back(std::move(scope));
}

// Of the elements at `depth` and below; the outermost scope, of depth 0, stays.
void XmlFeedReader::LeaveScopes(size_t depth) {
  while (scopes_.back().depth >= depth && scopes_.size() > 1) scopes_.pop_back();
}

bool XmlFeedReader::StartsItem() const {
  return vocabulary_ == Vocabulary::kCore && (name_ == "item" || name_ == "entry");
}

void XmlFeedReader::OnStart() {
  LeaveScopes(scanner_.depth());
  name_ = AsciiLower(scanner_.local_name());
  vocabulary_ = Classify(scanner_.prefix(), scanner_.namespace_uri());
  if (StartsItem()) {
    EnterScope();
    BeginItem();
    return;
  }
  if (ignore_depth_ != 0) return;
  EnterScope();
  const bool known = (in_item_ ? ItemElement() : FeedElement()) || CommonElement();
  if (!known) SkipElement();
}

void XmlFeedReader::OnEnd() {
  const size_t depth = scanner_.depth();
  LeaveScopes(depth);
  if (depth <= ignore_depth_) ignore_depth_ = 0;
  if (in_item_ && depth <= item_depth_) FinishItem();
}

void XmlFeedReader::BeginItem() {
  FinishItem();
  ignore_depth_ = 0;
  if (feed_.items.size() >= options_.max_items) {
    feed_.items_dropped++;
    SkipElement();
    return;
  }
  in_item_ = true;
  item_depth_ = scanner_.depth();
  item_ = {};
  item_ranks_ = {};
  item_.base = base();
  item_.language = scopes_.back().language;
  if (auto about = scanner_.Attribute("about", kRdfUri)) {
    item_.id = TrimSpaces(*about);
    item_ranks_.id = 0;
  }
  if (feed_.format == FeedFormat::kCdf) {
    if (const auto href = scanner_.Attribute("href")) AddLink({.href = Resolve(*href), .rel = "alternate"});
    if (const auto date = scanner_.Attribute("lastmod")) item_.updated = MakeDate(*date);
  }
}

void XmlFeedReader::FinishItem() {
  if (!in_item_) return;
  in_item_ = false;
  ChooseItemLink(&item_);
  // RDF's rdf:about is the page, if nothing else is.
  if (item_.link.empty() && feed_.format == FeedFormat::kRdf && item_.id.starts_with("http"))
    item_.link = item_.id;
  feed_.items.push_back(std::move(item_));
}

bool XmlFeedReader::FeedElement() {
  FieldRanks& ranks = feed_ranks_;
  switch (vocabulary_) {
    case Vocabulary::kCore:
      if (name_ == "channel") {
        if (const auto language = scanner_.Attribute("lang", kXmlUri); language && ranks.language < 0) {
          feed_.language = scopes_.back().language;
          ranks.language = 0;
        }
        if (feed_.format == FeedFormat::kCdf) {
          if (const auto href = scanner_.Attribute("href"))
            AddLink({.href = Resolve(*href), .rel = "alternate"});
          if (const auto date = scanner_.Attribute("lastmod")) feed_.updated = MakeDate(*date);
        }
        return true;
      }
      if (name_ == "items" || name_ == "skiphours" || name_ == "skipdays" || name_ == "rss" ||
          name_ == "feed") {
        return true;
      }
      if (name_ == "description" || name_ == "subtitle" || name_ == "tagline" || name_ == "abstract") {
        SetText(&feed_.description, &ranks.text, 3, ReadFeedText(IsAtom(), false));
        return true;
      }
      if (name_ == "language") {
        if (std::string language = ReadString(); !language.empty()) {
          std::replace(language.begin(), language.end(), '_', '-');
          feed_.language = std::move(language);
          ranks.language = 2;
        }
        return true;
      }
      if (name_ == "id") {
        feed_.id = Resolve(ReadString());
        return true;
      }
      if (name_ == "managingeditor" || name_ == "webmaster") {
        ReadPerson();
        return true;
      }
      if (name_ == "lastbuilddate") {
        SetDate(&feed_.updated, &ranks.updated, 3, MakeDate(ReadString()));
        return true;
      }
      return ScheduleElement();
    case Vocabulary::kSyndication:
      return ScheduleElement();
    case Vocabulary::kDublinCore:
      if (name_ == "language") {
        std::string language = ReadString();
        if (ranks.language < 1 && !language.empty()) {
          feed_.language = std::move(language);
          ranks.language = 1;
        }
        return true;
      }
      if (name_ == "description") {
        SetText(&feed_.description, &ranks.text, 2, ReadFeedText(false, false));
        return true;
      }
      return false;
    case Vocabulary::kAtom:
      if (name_ == "subtitle") {
        SetText(&feed_.description, &ranks.text, 2, ReadFeedText(true, false));
        return true;
      }
      return false;
    case Vocabulary::kItunes:
      if (name_ == "summary" || name_ == "subtitle") {
        SetText(&feed_.description, &ranks.text, name_ == "summary" ? 1 : 0, ReadFeedText(false, false));
        return true;
      }
      return false;
    default:
      return false;
  }
}

// ttl, sy: and what to skip.
bool XmlFeedReader::ScheduleElement() {
  const auto number = [](std::string_view text) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional<uint32_t>(value) : std::nullopt;
  };
  if (name_ == "ttl") {
    feed_.ttl_minutes = number(ReadString());
  } else if (name_ == "hour") {
    if (const auto hour = number(ReadString()); hour && *hour <= 24) feed_.skip_hours.set(*hour % 24);
  } else if (name_ == "day") {
    constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
    const std::string day = AsciiLower(ReadString());
    for (size_t i = 0; i < std::size(kDays); i++) {
      if (day.starts_with(kDays[i])) feed_.skip_days.set(i);
    }
  } else if (name_ == "updateperiod") {
    constexpr std::pair<std::string_view, uint32_t> kPeriods[] = {
        {"hourly", 3600}, {"daily", 86400}, {"weekly", 604800}, {"monthly", 2592000}, {"yearly", 31536000}};
    const std::string period = AsciiLower(ReadString());
    for (const auto& [name, seconds] : kPeriods) {
      if (period == name) feed_.update_period_s = seconds;
    }
  } else if (name_ == "updatefrequency") {
    if (const auto frequency = number(ReadString()); frequency && *frequency > 0)
      feed_.update_frequency = *frequency;
  } else if (name_ == "updatebase") {
    feed_.update_base = MakeDate(ReadString());
  } else {
    return false;
  }
  return true;
}

bool XmlFeedReader::ItemElement() {
  FieldRanks& ranks = item_ranks_;
  switch (vocabulary_) {
    case Vocabulary::kCore:
      if (name_ == "description" || name_ == "abstract") {
        SetText(&item_.summary, &ranks.text, 4, ReadFeedText(false, false));
      } else if (name_ == "summary") {
        // Beside a description, some mean the longer text by it.
        FeedText text = ReadFeedText(IsAtom(), false);
        if (ranks.text >= 4) {
          SetText(&item_.content, &ranks.content, 1, std::move(text));
        } else {
          SetText(&item_.summary, &ranks.text, 3, std::move(text));
        }
      } else if (name_ == "content") {
        SetText(&item_.content, &ranks.content, IsAtom() ? 3 : 1, ReadFeedText(true, false));
      } else if (name_ == "fullitem" || name_ == "body") {
        SetText(&item_.content, &ranks.content, 1, ReadFeedText(false, false));
      } else if (name_ == "guid" || name_ == "id") {
        const std::string permalink = AsciiLower(scanner_.Attribute("ispermalink").value_or("true"));
        const bool is_guid = name_ == "guid";
        std::string id = CleanUrl(ReadString());
        if (ranks.id >= 2 || id.empty()) return true;
        ranks.id = 2;
        item_.id_is_permalink = is_guid && TrimSpaces(permalink) != "false" &&
                                (id.starts_with("http") || scopes_.back().depth > 0);
        item_.id = is_guid && !item_.id_is_permalink ? std::move(id) : Resolve(id);
      } else if (name_ == "enclosure") {
        ReadEnclosure();
      } else if (name_ == "comments") {
        item_.comments = Resolve(ReadString());
      } else {
        return false;
      }
      return true;
    case Vocabulary::kContent:
      if (name_ != "encoded") return false;
      SetText(&item_.content, &ranks.content, 4, ReadFeedText(false, false));
      return true;
    case Vocabulary::kXhtml:
      if (name_ != "body" && name_ != "div") return false;
      SetText(&item_.content, &ranks.content, 2, ReadFeedText(false, true));
      return true;
    case Vocabulary::kAtom:
      if (name_ == "content") {
        SetText(&item_.content, &ranks.content, 2, ReadFeedText(true, false));
      } else if (name_ == "summary") {
        SetText(&item_.summary, &ranks.text, 2, ReadFeedText(true, false));
      } else if (name_ == "id") {
        std::string id = ReadString();
        if (ranks.id < 1 && !id.empty()) item_.id = std::move(id), ranks.id = 1;
      } else {
        return false;
      }
      return true;
    case Vocabulary::kDublinCore:
      if (name_ == "description") {
        SetText(&item_.summary, &ranks.text, 2, ReadFeedText(false, false));
      } else if (name_ == "identifier") {
        std::string id = ReadString();
        if (ranks.id < 1 && !id.empty()) item_.id = std::move(id), ranks.id = 1;
      } else if (name_ == "language") {
        item_.language = ReadString();
      } else {
        return false;
      }
      return true;
    case Vocabulary::kItunes:
      if (name_ != "summary" && name_ != "subtitle") return false;
      SetText(&item_.summary, &ranks.text, name_ == "summary" ? 1 : 0, ReadFeedText(false, false));
      return true;
    case Vocabulary::kMedia:
      if (name_ == "group") return true;
      if (name_ != "description") return false;
      SetText(&item_.summary, &ranks.text, 0, ReadFeedText(false, false));
      return true;
    case Vocabulary::kFeedburner:
      if (name_ != "origlink") return false;
      // Where feedburner's own link leads in the end.
      AddLink({.href = Resolve(ReadString()), .rel = "original"});
      return true;
    default:
      return false;
  }
}

// What a feed and an item have alike.
bool XmlFeedReader::CommonElement() {
  FieldRanks& ranks = in_item_ ? item_ranks_ : feed_ranks_;
  FeedText& title = in_item_ ? item_.title : feed_.title;
  FeedDate& published = in_item_ ? item_.published : feed_.published;
  FeedDate& updated = in_item_ ? item_.updated : feed_.updated;
  const bool core = vocabulary_ == Vocabulary::kCore;
  const bool atom = vocabulary_ == Vocabulary::kAtom;
  const bool terms = vocabulary_ == Vocabulary::kDcTerms;
  const bool dublin = vocabulary_ == Vocabulary::kDublinCore;
  const Rank rank = core ? 3 : 2;
  if ((core || atom) && name_ == "link") {
    ReadLink();
  } else if (name_ == "title" &&
             (core || atom || dublin || (vocabulary_ == Vocabulary::kMedia && in_item_))) {
    const Rank title_rank = vocabulary_ == Vocabulary::kMedia ? 0 : dublin ? 1 : rank;
    SetText(&title, &ranks.title, title_rank, ReadFeedText(IsAtom(), false));
  } else if ((core || atom || terms) && (name_ == "pubdate" || name_ == "published" || name_ == "issued")) {
    SetDate(&published, &ranks.published, name_ == "issued" ? 2 : rank, MakeDate(ReadString()));
  } else if ((core || atom || terms) && (name_ == "updated" || name_ == "modified")) {
    SetDate(&updated, &ranks.updated, rank, MakeDate(ReadString()));
  } else if ((core || atom || terms) && name_ == "created") {
    SetDate(&published, &ranks.published, 1, MakeDate(ReadString()));
  } else if ((dublin || terms || core) && name_ == "date") {
    // Dublin Core does not say the date of what.
    const FeedDate date = MakeDate(ReadString());
    SetDate(&updated, &ranks.updated, 1, date);
    SetDate(&published, &ranks.published, 0, date);
  } else if ((core || atom || vocabulary_ == Vocabulary::kItunes || dublin) &&
             (name_ == "author" || (dublin && name_ == "creator"))) {
    ReadPerson();
  } else if ((core || atom) && name_ == "category") {
    ReadCategory();
  } else if (dublin && name_ == "subject") {
    ReadCategory();
  } else if (vocabulary_ == Vocabulary::kMedia && name_ == "category") {
    ReadCategory();
  } else if (vocabulary_ == Vocabulary::kItunes && name_ == "category") {
    // Nested ones say it more closely; they come as elements of their own.
    AddCategory({.term = scanner_.Attribute("text").value_or(""), .scheme = "http://www.itunes.com/"});
  } else if (vocabulary_ == Vocabulary::kItunes && name_ == "keywords") {
    ReadKeywords();
  } else {
    return false;
  }
  return true;
}

// The text and markup within the current element.  Tags are kept as written, without the prefix of XHTML's.
std::string XmlFeedReader::ReadInner(bool escape_text, bool* has_children) {
  const size_t depth = scanner_.depth();
  std::string out;
  bool cut = false;
  const auto append = [&](std::string_view piece) {
    const size_t room = options_.max_text_bytes - std::min(out.size(), options_.max_text_bytes);
    if (piece.size() > room) {
      cut = true;
      piece = piece.substr(0, room);
      while (!piece.empty() && (piece.back() & 0x80) != 0) piece.remove_suffix(1);  // not within a character
    }
    out.append(piece);
  };
  const auto append_name = [&] {
    const bool keep_prefix = Classify(scanner_.prefix(), scanner_.namespace_uri()) != Vocabulary::kXhtml;
    if (keep_prefix && !scanner_.prefix().empty()) {
      append(scanner_.prefix());
      append(":");
    }
    append(scanner_.local_name());
  };
  while (true) {
    const Event event = scanner_.Next();
    if (event == Event::kDone) break;
    if (event == Event::kText) {
      if (!escape_text) {
        append(scanner_.text());
        continue;
      }
      std::string_view text = scanner_.text();
      for (size_t i; !text.empty(); text.remove_prefix(i)) {
        i = std::min(text.size(), text.find_first_of("<>&"));
        append(text.substr(0, i));
        if (i == text.size()) continue;
        append(text[i] == '<' ? "&lt;" : text[i] == '>' ? "&gt;" : "&amp;");
        i++;
      }
    } else if (event == Event::kStart) {
      name_ = AsciiLower(scanner_.local_name());
      vocabulary_ = Classify(scanner_.prefix(), scanner_.namespace_uri());
      // An item within a title or description: its end tag was forgotten.
      if (StartsItem() && !escape_text) {
        replay_ = true;
        break;
      }
      *has_children = true;
      append("<");
      append_name();
      append(scanner_.tag_rest());
      if (!scanner_.tag_rest().ends_with(">")) append(">");
    } else {
      if (scanner_.depth() <= depth) break;
      if (scanner_.self_closing()) continue;
      append("</");
      append_name();
      append(">");
    }
  }
  if (cut) feed_.texts_cut++;
  LeaveScopes(depth);
  return out;
}

std::string XmlFeedReader::ReadString() {
  bool has_children = false;
  const std::string text = ReadInner(false, &has_children);
  return std::string(TrimSpaces(text));
}

// Removes the <div> that is all there is.
std::string_view WithoutDiv(std::string_view xhtml) {
  if (!xhtml.starts_with("<div") || !xhtml.ends_with("</div>")) return xhtml;
  if (xhtml.size() > 4 && xhtml[4] != '>' && !IsFeedSpace(xhtml[4])) return xhtml;
  // Only if the first is closed by the last: no other may stand open to the left of the end.
  size_t open = 0;
  for (size_t at = 0; at < xhtml.size();) {
    at = std::min(xhtml.find("<div", at), xhtml.find("</div", at));
    if (at == std::string_view::npos) break;
    open += xhtml[at + 1] == '/' ? size_t(-1) : 1;
    if (open == 0 && at + 6 < xhtml.size()) return xhtml;
    at += 4;
  }
  const size_t inner = xhtml.find('>');
  return TrimSpaces(xhtml.substr(inner + 1, xhtml.size() - 6 - inner - 1));
}

FeedText XmlFeedReader::ReadFeedText(bool typed, bool force_xhtml) {
  FeedText text;
  text.base = base();
  text.language = scopes_.back().language;
  const std::string type =
      force_xhtml ? "xhtml" : AsciiLower(TrimSpaces(scanner_.Attribute("type").value_or("")));
  const std::string mode = AsciiLower(scanner_.Attribute("mode").value_or(""));
  if (const auto src = scanner_.Attribute("src"); src && typed) text.src = Resolve(*src);
  const bool html = type == "html" || type == "text/html";
  const bool xhtml = type == "xhtml" || type == "application/xhtml+xml";
  const bool plain = type == "text" || type == "text/plain" || type.empty();
  const bool xml = type.ends_with("/xml") || type.ends_with("+xml");
  bool has_children = false;
  const std::string inner = ReadInner((xhtml || (xml && typed)) && mode != "escaped", &has_children);
  text.value = TrimSpaces(inner);
  if (xhtml) {
    text.type = FeedText::Type::kXhtml;
    text.value = std::string(WithoutDiv(text.value));
  } else if (html || has_children) {
    text.type = FeedText::Type::kHtml;
  } else if (!typed) {
    text.type = LooksLikeMarkup(text.value) ? FeedText::Type::kHtml : FeedText::Type::kText;
  } else if (!plain && !type.starts_with("text/")) {
    text.type = FeedText::Type::kOther;
  }
  const bool binary = text.type == FeedText::Type::kOther && !xml && typed;
  if ((mode == "base64" || binary) && DecodeBase64Text(text.value, &text.value)) {
    text.value = std::string(TrimSpaces(text.value));
    if (text.type != FeedText::Type::kXhtml && LooksLikeMarkup(text.value)) text.type = FeedText::Type::kHtml;
  }
  return text;
}

// A text, as RSS has it, or name, email and uri, as Atom does.
void XmlFeedReader::ReadPerson() {
  const size_t depth = scanner_.depth();
  const bool weak = vocabulary_ == Vocabulary::kItunes || name_ == "webmaster";
  FeedPerson person;
  std::string text;
  for (Event event = scanner_.Next(); event != Event::kDone; event = scanner_.Next()) {
    if (event == Event::kEnd && scanner_.depth() <= depth) break;
    if (event == Event::kText && text.size() < 1024) text.append(scanner_.text());
    if (event != Event::kStart) continue;
    EnterScope();
    const std::string name = AsciiLower(scanner_.local_name());
    if (name == "name") {
      person.name = ReadString();
    } else if (name == "email") {
      person.email = ReadString();
    } else if (name == "uri" || name == "url" || name == "homepage") {
      const std::string scope_base = base();
      const std::string uri = CleanUrl(ReadString());
      person.uri = uri.empty() ? uri : options_.resolve(scope_base, uri);
    }
    if (replay_) break;
  }
  LeaveScopes(depth);
  if (person.name.empty() && person.email.empty() && person.uri.empty()) person = ParsePerson(text);
  auto& authors = in_item_ ? item_.authors : feed_.authors;
  if (person.name.empty() && person.email.empty() && person.uri.empty()) return;
  if (Full(authors.size()) || (weak && !authors.empty())) return;
  authors.push_back(std::move(person));
}

void XmlFeedReader::ReadLink() {
  FeedLink link;
  link.href = Resolve(scanner_.Attribute("href").value_or(""));
  link.rel = AsciiLower(TrimSpaces(scanner_.Attribute("rel").value_or("")));
  constexpr std::string_view kRegistry = "http://www.iana.org/assignments/relation/";
  if (link.rel.starts_with(kRegistry)) link.rel.erase(0, kRegistry.size());
  if (link.rel.empty()) link.rel = "alternate";
  link.type = AsciiLower(TrimSpaces(scanner_.Attribute("type").value_or("")));
  link.hreflang = scanner_.Attribute("hreflang").value_or("");
  link.title = scanner_.Attribute("title").value_or("");
  if (link.rel == "enclosure" && in_item_) {
    AddLink(std::move(link));
    ReadEnclosure();
    return;
  }
  const std::string scope_base = base();
  const std::string text = CleanUrl(ReadString());
  if (link.href.empty() && !text.empty()) link.href = options_.resolve(scope_base, text);
  AddLink(std::move(link));
}

void XmlFeedReader::AddLink(FeedLink link) {
  if (!link.href.empty() && !Full(links().size())) links().push_back(std::move(link));
}

void XmlFeedReader::ReadCategory() {
  FeedCategory category;
  category.term = TrimSpaces(scanner_.Attribute("term").value_or(""));
  category.scheme =
      TrimSpaces(scanner_.Attribute("scheme").value_or(scanner_.Attribute("domain").value_or("")));
  category.label = TrimSpaces(scanner_.Attribute("label").value_or(""));
  if (category.scheme.empty() && vocabulary_ == Vocabulary::kMedia) {
    category.scheme = "http://search.yahoo.com/mrss/category_schema";
  }
  const std::string text = ReadString();
  if (category.term.empty()) category.term = text;
  AddCategory(std::move(category));
}

void XmlFeedReader::ReadKeywords() {
  const std::string keywords = ReadString();
  for (std::string_view rest = keywords; !rest.empty();) {
    const size_t comma = std::min(rest.size(), rest.find(','));
    AddCategory({.term = std::string(TrimSpaces(rest.substr(0, comma)))});
    rest.remove_prefix(std::min(rest.size(), comma + 1));
  }
}

void XmlFeedReader::AddCategory(FeedCategory category) {
  auto& categories = in_item_ ? item_.categories : feed_.categories;
  if (category.term.empty() && category.label.empty() && category.scheme.empty()) return;
  if (!Full(categories.size())) categories.push_back(std::move(category));
}

// RSS's <enclosure url=...> and Atom's <link rel="enclosure" href=...>.
void XmlFeedReader::ReadEnclosure() {
  FeedEnclosure enclosure;
  const auto url = scanner_.Attribute("url");
  enclosure.url = Resolve(url ? *url : scanner_.Attribute("href").value_or(""));
  enclosure.type = TrimSpaces(scanner_.Attribute("type").value_or(""));
  const std::string length = scanner_.Attribute("length").value_or("");
  const std::string_view digits = TrimSpaces(length);
  uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  if (error == std::errc() && end == digits.data() + digits.size()) enclosure.length_bytes = bytes;
  ReadString();
  if (!enclosure.url.empty() && !Full(item_.enclosures.size()))
    item_.enclosures.push_back(std::move(enclosure));
}

void XmlFeedReader::SetText(FeedText* field, Rank* held, Rank rank, FeedText value) {
  if ((value.empty() && value.src.empty()) || rank <= *held) return;
  *field = std::move(value);
  *held = rank;
}

void XmlFeedReader::SetDate(FeedDate* field, Rank* held, Rank rank, const FeedDate& value) {
  if (value.text.empty() || rank <= *held) return;
  *field = value;
  *held = rank;
}

}  // namespace

Result<Feed> ParseXmlFeed(std::string_view utf8, const FeedOptions& options) {
  return XmlFeedReader(utf8, options).Read();
}

}  // namespace crivello::web::internal
