// SPDX-License-Identifier: Apache-2.0
// RSS, RDF, Atom and CDF, distinguished as little as possible, because real feeds mix them.
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "web/feed/feed_xml_reader.h"

namespace crivello::web::internal {
namespace {

using Event = XmlScanner::Event;

constexpr std::string_view kXmlUri = "http://www.w3.org/XML/1998/namespace";
constexpr std::string_view kRdfUri = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

// Every text gets a copy of its base and language, so long ones would multiply; they are treated as
// missing.
constexpr size_t kMaxBaseBytes = 1024;
constexpr size_t kMaxLanguageBytes = 64;

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

}  // namespace

Result<Feed> XmlFeedReader::Read() {
  if (!FindRoot())
    return Status::Corruption("not a feed: found none of <rss>, <rdf:RDF>, <feed> and <channel>");
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

bool XmlFeedReader::FindRoot() {
  scopes_.push_back({.depth = 0,
                     .base = options_.base_url.size() <= kMaxBaseBytes ? options_.base_url : "",
                     .language = options_.language});
  for (Event event = scanner_.Next(); event != Event::kDone; event = scanner_.Next()) {
    if (event != Event::kStart) continue;
    const std::string name = ToAsciiLower(scanner_.local_name());
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
      // CDF has upper-case names and puts everything into attributes; RSS without its root does neither.
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
  std::string key = ToAsciiLower(uri.substr(0, 128));
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
  if (base && base->size() <= kMaxBaseBytes) {
    std::string resolved = Resolve(*base);
    if (resolved.size() <= kMaxBaseBytes) scope.base = std::move(resolved);
  }
  if (language && language->size() <= kMaxLanguageBytes) {
    scope.language = TrimAsciiSpace(*language);
    std::replace(scope.language.begin(), scope.language.end(), '_', '-');
  }
  scopes_.push_back(std::move(scope));
}

// Leaves the scopes at `depth` and deeper; the outermost scope, of depth 0, stays.
void XmlFeedReader::LeaveScopes(size_t depth) {
  while (scopes_.back().depth >= depth && scopes_.size() > 1) scopes_.pop_back();
}

bool XmlFeedReader::StartsItem() const {
  return vocabulary_ == Vocabulary::kCore && (name_ == "item" || name_ == "entry");
}

void XmlFeedReader::OnStart() {
  LeaveScopes(scanner_.depth());
  name_ = ToAsciiLower(scanner_.local_name());
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
    item_.id = TrimAsciiSpace(*about);
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
  // Without another link, RDF's rdf:about is the page.
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
        feed_.id = ReadUrl();
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

// Handles ttl, sy:* and skipHours, skipDays.
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
    const std::string day = ToAsciiLower(ReadString());
    for (size_t i = 0; i < std::size(kDays); i++) {
      if (day.starts_with(kDays[i])) feed_.skip_days.set(i);
    }
  } else if (name_ == "updateperiod") {
    constexpr std::pair<std::string_view, uint32_t> kPeriods[] = {
        {"hourly", 3600}, {"daily", 86400}, {"weekly", 604800}, {"monthly", 2592000}, {"yearly", 31536000}};
    const std::string period = ToAsciiLower(ReadString());
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
        // Some feeds have the longer text here, beside a description.
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
        const std::string said = ToAsciiLower(scanner_.Attribute("ispermalink").value_or("true"));
        const bool is_guid = name_ == "guid";
        std::string id = is_guid ? ReadString() : ReadUrl();
        if (ranks.id >= 2 || id.empty()) return true;
        ranks.id = 2;
        item_.id_is_permalink = is_guid && TrimAsciiSpace(said) != "false" && id.starts_with("http");
        item_.id = std::move(id);
      } else if (name_ == "enclosure") {
        ReadEnclosure();
      } else if (name_ == "comments") {
        item_.comments = ReadUrl();
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
      // The target of feedburner's own link.
      AddLink({.href = ReadUrl(), .rel = "original"});
      return true;
    default:
      return false;
  }
}

// Handles the elements that feeds and items share.
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
    // Dublin Core does not say which date it is.
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
    // Nested categories are more specific; they arrive as elements of their own.
    AddCategory({.term = scanner_.Attribute("text").value_or(""), .scheme = "http://www.itunes.com/"});
  } else if (vocabulary_ == Vocabulary::kItunes && name_ == "keywords") {
    ReadKeywords();
  } else {
    return false;
  }
  return true;
}

Result<Feed> ParseXmlFeed(std::string_view utf8, const FeedOptions& options) {
  return XmlFeedReader(utf8, options).Read();
}

}  // namespace crivello::web::internal
