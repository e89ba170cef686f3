// SPDX-License-Identifier: Apache-2.0
#include "web/page/links.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"

namespace crivello::web {
namespace {

// Reads from the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}
  bool done() const { return text_.empty(); }
  char front() const { return text_.front(); }
  std::string_view rest() const { return text_; }
  void Skip() { text_.remove_prefix(1); }
  bool SkipLower(char lower) {
    if (done() || AsciiLower(front()) != lower) return false;
    Skip();
    return true;
  }
  template <typename Wanted>
  std::string_view Take(Wanted wanted) {
    size_t n = 0;
    while (n < text_.size() && wanted(text_[n])) ++n;
    const std::string_view taken = text_.substr(0, n);
    text_.remove_prefix(n);
    return taken;
  }
  void SkipSpace() { Take(IsAsciiSpace); }

 private:
  std::string_view text_;
};

// Adds one descriptor to an image candidate; false if it is invalid.
bool AddDescriptor(std::string_view descriptor, bool* has_height, ImageCandidate* candidate) {
  const char unit = descriptor.back();
  const std::string_view number = descriptor.substr(0, descriptor.size() - 1);
  const bool digits = !number.empty() && std::all_of(number.begin(), number.end(), IsAsciiDigit);
  if (unit == 'w' || unit == 'h') {
    uint32_t value = 0;
    if (!digits || std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc() ||
        value == 0) {
      return false;
    }
    if (unit == 'h') return !std::exchange(*has_height, true) && candidate->density == 0;
    if (candidate->width != 0 || candidate->density != 0) return false;
    candidate->width = value;
    return true;
  }
  if (unit != 'x' || candidate->width != 0 || candidate->density != 0 || *has_height) return false;
  // HTML's floating-point numbers have no '+' sign and no "inf", and need a digit after the point.
  const std::string_view unsigned_part = number.substr(!number.empty() && number[0] == '-' ? 1 : 0);
  if (unsigned_part.empty() || unsigned_part.back() == '.' ||
      !(IsAsciiDigit(unsigned_part[0]) || unsigned_part[0] == '.')) {
    return false;
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), candidate->density);
  return error == std::errc() && end == number.data() + number.size() && !(candidate->density < 0);
}

bool AddDescriptors(const std::vector<std::string_view>& descriptors, ImageCandidate* candidate) {
  bool has_height = false;
  bool has_density = false;
  for (const std::string_view descriptor : descriptors) {
    if (has_density || !AddDescriptor(descriptor, &has_height, candidate)) return false;
    has_density = descriptor.back() == 'x';
  }
  if (has_height && candidate->width == 0) return false;
  if (candidate->width == 0 && !has_density) candidate->density = 1;
  return true;
}

// Takes the descriptors up to the ',' that ends the candidate, ignoring commas in parentheses.
std::vector<std::string_view> TakeDescriptors(Cursor* cursor) {
  std::vector<std::string_view> descriptors;
  bool in_parentheses = false;
  const char* begin = nullptr;
  const auto flush = [&](const char* end) {
    if (begin != nullptr) descriptors.emplace_back(begin, static_cast<size_t>(end - begin));
    begin = nullptr;
  };
  for (; !cursor->done(); cursor->Skip()) {
    const char c = cursor->front();
    const char* at = cursor->rest().data();
    if (!in_parentheses && (IsAsciiSpace(c) || c == ',')) {
      flush(at);
      if (c == ',') {
        cursor->Skip();
        return descriptors;
      }
      continue;
    }
    if (c == '(') in_parentheses = true;
    if (c == ')') in_parentheses = false;
    if (begin == nullptr) begin = at;
  }
  flush(cursor->rest().data());
  return descriptors;
}

}  // namespace

std::string_view LinkKindName(LinkKind kind) {
  constexpr std::string_view kNames[] = {"anchor", "area",         "link", "iframe", "frame",
                                         "image",  "image-source", "form", "refresh"};
  return kNames[static_cast<size_t>(kind)];
}

bool HasWord(std::string_view list, std::string_view word) {
  Cursor cursor(list);
  for (;;) {
    cursor.SkipSpace();
    if (cursor.done()) return false;
    if (EqualsIgnoringCase(cursor.Take([](char c) { return !IsAsciiSpace(c); }), word)) return true;
  }
}

bool Link::HasRel(std::string_view word) const { return HasWord(rel, word); }

bool Link::nofollow() const { return HasRel("nofollow") || HasRel("ugc") || HasRel("sponsored"); }

bool Link::IsFeed() const {
  if (kind != LinkKind::kLink) return false;
  if (HasRel("feed")) return true;
  const std::string_view media = TrimAsciiSpace(type.substr(0, type.find(';')));
  return HasRel("alternate") && (EqualsIgnoringCase(media, "application/rss+xml") ||
                                 EqualsIgnoringCase(media, "application/atom+xml") ||
                                 EqualsIgnoringCase(media, "application/rdf+xml") ||
                                 EqualsIgnoringCase(media, "application/feed+json"));
}

std::optional<Refresh> ParseRefresh(std::string_view content) {
  Cursor cursor(content);
  cursor.SkipSpace();
  const std::string_view digits = cursor.Take(IsAsciiDigit);
  if (digits.empty() && (cursor.done() || cursor.front() != '.')) return std::nullopt;
  Refresh refresh;
  for (const char digit : digits) {
    const uint64_t next = uint64_t{refresh.seconds} * 10 + static_cast<uint64_t>(digit - '0');
    refresh.seconds = static_cast<uint32_t>(std::min<uint64_t>(next, 0x7FFFFFFF));
  }
  cursor.Take([](char c) { return IsAsciiDigit(c) || c == '.'; });
  if (cursor.done()) return refresh;
  if (cursor.front() != ';' && cursor.front() != ',' && !IsAsciiSpace(cursor.front())) return std::nullopt;
  cursor.SkipSpace();
  if (!cursor.done() && (cursor.front() == ';' || cursor.front() == ',')) cursor.Skip();
  cursor.SkipSpace();
  if (cursor.done()) return refresh;

  // "url=" is optional; if it is incomplete, its letters are part of the URL.
  refresh.url = cursor.rest();
  if (cursor.SkipLower('u') && cursor.SkipLower('r') && cursor.SkipLower('l')) {
    cursor.SkipSpace();
    if (cursor.SkipLower('=')) {
      cursor.SkipSpace();
      refresh.url = cursor.rest();
    }
  }
  // Both kinds of quotes are recognised, but only a closed pair ends the URL early.
  if (!refresh.url.empty() && (refresh.url[0] == '"' || refresh.url[0] == '\'')) {
    const char quote = refresh.url[0];
    refresh.url.remove_prefix(1);
    refresh.url = refresh.url.substr(0, refresh.url.find(quote));
  }
  refresh.url = TrimAsciiSpace(refresh.url);
  return refresh;
}

std::vector<ImageCandidate> ParseSrcset(std::string_view srcset) {
  std::vector<ImageCandidate> candidates;
  Cursor cursor(srcset);
  for (;;) {
    cursor.Take([](char c) { return IsAsciiSpace(c) || c == ','; });
    if (cursor.done()) return candidates;
    ImageCandidate candidate;
    candidate.url = cursor.Take([](char c) { return !IsAsciiSpace(c); });
    std::vector<std::string_view> descriptors;
    if (candidate.url.back() == ',') {
      while (!candidate.url.empty() && candidate.url.back() == ',') candidate.url.remove_suffix(1);
    } else {
      cursor.SkipSpace();
      descriptors = TakeDescriptors(&cursor);
    }
    if (AddDescriptors(descriptors, &candidate)) candidates.push_back(candidate);
  }
}

}  // namespace crivello::web
