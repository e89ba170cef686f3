// SPDX-License-Identifier: Apache-2.0
#include "web/feed/sitemap.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"
#include "web/feed/feed.h"
#include "web/feed/xml_scanner.h"
#include "web/http/date_parse.h"

namespace crivello::web {
namespace {

using Event = XmlScanner::Event;
using Take = std::function<void(const SitemapEntry&)>;

// Fields other than the address are short.
constexpr size_t kMaxFieldBytes = 128;

ChangeFrequency FrequencyOf(std::string_view text) {
  constexpr std::string_view kNames[] = {"",       "always",  "hourly", "daily",
                                         "weekly", "monthly", "yearly", "never"};
  const std::string name = ToAsciiLower(text);
  for (size_t i = 1; i < std::size(kNames); i++) {
    if (kNames[i] == name) return static_cast<ChangeFrequency>(i);
  }
  return ChangeFrequency::kUnknown;
}

std::optional<float> PriorityOf(std::string_view text) {
  // Digits and one point or comma: "0.5", "1", ".8".
  float value = 0;
  float scale = 0;
  for (const char c : text.substr(0, 16)) {
    if ((c == '.' || c == ',') && scale == 0) {
      scale = 1;
    } else if (c >= '0' && c <= '9') {
      scale /= 10;
      const auto digit = static_cast<float>(c - '0');
      value = scale == 0 ? value * 10 + digit : value + digit * scale;
    } else {
      return std::nullopt;
    }
  }
  return text.empty() ? std::nullopt : std::optional<float>(std::clamp(value, 0.0F, 1.0F));
}

// Counts entries and passes on those within the limit.
class Reporter {
 public:
  Reporter(const SitemapOptions& options, const Take& take, SitemapSummary* summary)
      : options_(options), take_(take), summary_(summary) {}

  void Report(const SitemapEntry& entry) {
    if (entry.loc.empty() || entry.loc.size() > options_.max_loc_bytes) {
      summary_->without_address++;
    } else if (summary_->entries >= options_.max_entries) {
      summary_->over_limit++;
    } else {
      summary_->entries++;
      take_(entry);
    }
  }

 private:
  const SitemapOptions& options_;
  const Take& take_;
  SitemapSummary* summary_;
};

class XmlSitemapReader {
 public:
  XmlSitemapReader(std::string_view utf8, const SitemapOptions& options, Reporter* reporter)
      : options_(options), reporter_(reporter), scanner_(utf8) {}

  // REQUIRES: the root is a urlset or a sitemapindex.
  void Read() {
    for (Event event = scanner_.Next(); event != Event::kDone; event = scanner_.Next()) {
      switch (event) {
        case Event::kStart:
          OnStart();
          break;
        case Event::kText:
          if (field_ != Field::kNone) AppendText();
          break;
        case Event::kEnd:
          OnEnd();
          break;
        case Event::kDone:
          break;
      }
    }
  }

 private:
  enum class Field : uint8_t { kNone, kLoc, kLastmod, kChangefreq, kPriority };

  void OnStart() {
    const std::string name = ToAsciiLower(scanner_.local_name());
    if (name == "url" || name == "sitemap") {
      // An entry inside another: the end tag is missing.
      if (entry_depth_ != 0) Finish();
      entry_depth_ = scanner_.depth();
      prefix_ = scanner_.prefix();
      field_ = Field::kNone;
      return;
    }
    if (entry_depth_ == 0) return;
    if (name == "link" && scanner_.depth() == entry_depth_ + 1) return AddAlternate();
    // Only children with the prefix of their <url> are fields, not <image:loc> or <news:...>.
    if (scanner_.depth() != entry_depth_ + 1 || scanner_.prefix() != prefix_) return;
    field_ = name == "loc"          ? Field::kLoc
             : name == "lastmod"    ? Field::kLastmod
             : name == "changefreq" ? Field::kChangefreq
             : name == "priority"   ? Field::kPriority
                                    : Field::kNone;
    text_.clear();
  }

  void AppendText() {
    const size_t limit = field_ == Field::kLoc ? options_.max_loc_bytes + kMaxFieldBytes : kMaxFieldBytes;
    std::string_view piece = scanner_.text();
    if (text_.empty()) {
      while (!piece.empty() && IsAsciiSpace(piece.front())) piece.remove_prefix(1);
    }
    text_.append(piece.substr(0, limit - std::min(limit, text_.size())));
  }

  void OnEnd() {
    if (entry_depth_ == 0) return;
    if (scanner_.depth() <= entry_depth_) {
      Finish();
      return;
    }
    if (field_ == Field::kNone || scanner_.depth() != entry_depth_ + 1) return;
    const std::string_view text = TrimAsciiSpace(text_);
    switch (std::exchange(field_, Field::kNone)) {
      case Field::kLoc:
        if (entry_.loc.empty() && !scanner_.cut_off()) entry_.loc = text;
        break;
      case Field::kLastmod:
        entry_.lastmod_seconds = ParseDate(text);
        break;
      case Field::kChangefreq:
        entry_.change_frequency = FrequencyOf(text);
        break;
      case Field::kPriority:
        entry_.priority = PriorityOf(text);
        break;
      case Field::kNone:
        break;
    }
  }

  void AddAlternate() {
    if (ToAsciiLower(scanner_.Attribute("rel").value_or("")) != "alternate") return;
    const auto href = scanner_.Attribute("href");
    if (!href || entry_.alternates.size() >= options_.max_alternates) return;
    const std::string language = scanner_.Attribute("hreflang").value_or("");
    entry_.alternates.push_back(
        {.hreflang = std::string(TrimAsciiSpace(language)), .href = std::string(TrimAsciiSpace(*href))});
  }

  void Finish() {
    reporter_->Report(entry_);
    entry_.loc.clear();
    entry_.lastmod_seconds.reset();
    entry_.change_frequency = ChangeFrequency::kUnknown;
    entry_.priority.reset();
    entry_.alternates.clear();
    entry_depth_ = 0;
    field_ = Field::kNone;
  }

  const SitemapOptions& options_;
  Reporter* reporter_;
  XmlScanner scanner_;
  SitemapEntry entry_;
  size_t entry_depth_ = 0;  // 0 between entries
  std::string_view prefix_;
  Field field_ = Field::kNone;
  std::string text_;
};

bool IsAddress(std::string_view line) {
  const std::string scheme = ToAsciiLower(line.substr(0, 8));
  if (!scheme.starts_with("http://") && !scheme.starts_with("https://")) return false;
  return std::none_of(line.begin(), line.end(),
                      [](char c) { return IsAsciiSpace(c) || c == '<' || c == '>' || c == '"'; });
}

void ReadText(std::string_view text, Reporter* reporter) {
  const char newline = text.find('\n') == std::string_view::npos ? '\r' : '\n';
  SitemapEntry entry;
  while (!text.empty()) {
    const size_t end = std::min(text.size(), text.find(newline));
    const std::string_view line = TrimAsciiSpace(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.empty()) continue;
    entry.loc = IsAddress(line) ? line : std::string_view();
    reporter->Report(entry);
  }
}

// The local name of the first element, lower case; "" if there is none.
std::string RootName(std::string_view utf8) {
  XmlScanner scanner(utf8);
  for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
    if (event == Event::kStart) return ToAsciiLower(scanner.local_name());
  }
  return {};
}

}  // namespace

std::string_view SitemapKindName(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::kUrlSet:
      return "urlset";
    case SitemapKind::kIndex:
      return "index";
    case SitemapKind::kText:
      return "text";
    case SitemapKind::kFeed:
      return "feed";
  }
  return "";
}

Result<SitemapSummary> ReadSitemap(std::string_view utf8, const SitemapOptions& options, const Take& take) {
  SitemapSummary summary;
  if (utf8.size() > options.max_bytes) {
    summary.bytes_unread = utf8.size() - options.max_bytes;
    utf8 = utf8.substr(0, options.max_bytes);
  }
  if (utf8.starts_with("\xEF\xBB\xBF")) utf8.remove_prefix(3);
  while (!utf8.empty() && IsAsciiSpace(utf8.front())) utf8.remove_prefix(1);
  Reporter reporter(options, take, &summary);

  if (!utf8.starts_with("<") && !utf8.starts_with("{")) {
    summary.kind = SitemapKind::kText;
    ReadText(utf8, &reporter);
    if (summary.entries == 0) return Status::Corruption("not a sitemap: neither XML nor lines of URLs");
    return summary;
  }
  const std::string root = utf8.starts_with("<") ? RootName(utf8) : "";
  if (root == "urlset" || root == "sitemapindex") {
    summary.kind = root == "urlset" ? SitemapKind::kUrlSet : SitemapKind::kIndex;
    XmlSitemapReader(utf8, options, &reporter).Read();
    return summary;
  }
  summary.kind = SitemapKind::kFeed;
  auto feed = ParseFeed(utf8, {.max_items = static_cast<size_t>(options.max_entries)});
  if (!feed.ok())
    return Status::Corruption("not a sitemap: found none of <urlset>, <sitemapindex> and a feed");
  for (const FeedItem& item : feed->items) {
    SitemapEntry entry;
    entry.loc = item.link;
    entry.lastmod_seconds = item.updated.seconds ? item.updated.seconds : item.published.seconds;
    reporter.Report(entry);
  }
  summary.over_limit += feed->items_dropped;
  return summary;
}

}  // namespace crivello::web
