// SPDX-License-Identifier: Apache-2.0
#include "search/snippet.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "search/beginnings.h"

namespace crivello::search {
namespace {

constexpr size_t kMaxText = 256 << 10;
constexpr size_t kMaxPassages = 2;
constexpr std::string_view kEllipsis = " … ";

// An occurrence of a word of the query.
struct Mark {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t term = 0;
};

std::string_view Cut(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (text[bytes] & 0xc0) == 0x80) bytes--;
  return text.substr(0, bytes);
}

// Finds the words of a query in a text, from its beginning as far as wanted.
class Marker {
 public:
  Marker(std::string_view text, std::span<const std::string> terms, std::string_view language,
         text::Analyser& analyser)
      : text_(text),
        terms_(terms),
        language_(language),
        analyser_(analyser),
        beginnings_(terms, analyser.KeepsBeginnings(language)) {}

  std::vector<Mark> MarkAll() {
    if (!terms_.empty()) MarkTo(text_.size());
    return std::move(marks_);
  }
  std::vector<Mark> MarkUntilSeen(std::vector<std::span<const std::string>> words) {
    awaited_ = std::move(words);
    const bool one = awaited_.size() == 1;
    while (!awaited_.empty() && at_ < text_.size()) MarkTo(at_ + kPiece);
    if (!one && !marks_.empty()) MarkTo(at_ + at_ / 2);
    return std::move(marks_);
  }

 private:
  static constexpr size_t kPiece = 1024;

  // To a place or the next space after it: no word is cut in two, but where words have no spaces.
  void MarkTo(size_t end) {
    end = std::min(end, text_.size());
    const size_t most = std::min(end + kPiece, text_.size());
    while (end < most && !IsAsciiSpace(text_[end])) end++;
    while (end < text_.size() && (text_[end] & 0xc0) == 0x80) end++;
    const size_t begin = at_;
    beginnings_.ForEachStretch(text_.substr(begin, end - begin), [&](size_t from, size_t to) {
      at_ = begin + from;
      analyser_.ForEachTerm(text_.substr(at_, to - from), {.language = language_},
                            [this](const text::Term& term) { Add(term); });
    });
    at_ = end;
  }
  void Add(const text::Term& term) {
    const auto found = std::lower_bound(terms_.begin(), terms_.end(), term.text);
    if (found == terms_.end() || *found != term.text) return;
    std::erase_if(awaited_, [&](const auto& forms) {
      return std::binary_search(forms.begin(), forms.end(), term.text);
    });
    const auto at = static_cast<uint32_t>(at_);
    const Mark mark = {at + term.begin, at + term.end, static_cast<uint32_t>(found - terms_.begin())};
    // Readings of one word are one mark: the longest.
    if (!marks_.empty() && mark.begin < marks_.back().end) {
      marks_.back().end = std::max(marks_.back().end, mark.end);
      return;
    }
    marks_.push_back(mark);
  }

  std::string_view text_;
  std::span<const std::string> terms_;
  std::string_view language_;
  text::Analyser& analyser_;
  Beginnings beginnings_;
  size_t at_ = 0;
  std::vector<std::span<const std::string>> awaited_;
  std::vector<Mark> marks_;
};

// The marks [first, last) that fit into `bytes` and have the most terms that are new, then the most marks.
struct Passage {
  size_t first = 0;
  size_t last = 0;
  size_t score = 0;
};
Passage BestPassage(std::span<const Mark> marks, size_t bytes, const std::set<uint32_t>& shown) {
  Passage best;
  std::vector<size_t> counts(1 +
                             std::max_element(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
                               return a.term < b.term;
                             })->term);
  size_t distinct = 0;
  size_t first = 0;
  for (size_t last = 0; last < marks.size(); last++) {
    if (counts[marks[last].term]++ == 0 && !shown.contains(marks[last].term)) distinct++;
    while (marks[last].end - marks[first].begin > bytes && first < last) {
      if (--counts[marks[first].term] == 0 && !shown.contains(marks[first].term)) distinct--;
      first++;
    }
    const size_t score = distinct * 1000 + std::min<size_t>(last - first + 1, 20);
    if (distinct > 0 && score > best.score) best = {first, last + 1, score};
  }
  return best;
}

bool IsSentenceEnd(std::string_view text, size_t at) {
  if (text[at] == '\n') return true;
  if (!IsAsciiSpace(text[at])) return false;
  return at > 0 && (text[at - 1] == '.' || text[at - 1] == '!' || text[at - 1] == '?');
}

// From a place back to where a sentence or at least a word begins, by at most `room` bytes.
size_t StartBefore(std::string_view text, size_t at, size_t room) {
  const size_t least = at > room ? at - room : 0;
  size_t word = at;
  for (size_t i = at; i > least; i--) {
    if (IsSentenceEnd(text, i - 1)) return i;
    if (IsAsciiSpace(text[i - 1])) word = i;
  }
  return least == 0 ? 0 : word;
}
// And on to where a word ends.
size_t EndAfter(std::string_view text, size_t at, size_t room) {
  const size_t most = std::min(text.size(), at + room);
  if (most == text.size()) return most;
  for (size_t i = most; i > at; i--) {
    if (IsAsciiSpace(text[i])) return i;
  }
  size_t end = most;  // no spaces: a script without
  while (end > at && (text[end] & 0xc0) == 0x80) end--;
  return end;
}

// Appends bytes [begin, end) of the text, white space as single spaces, and its marks.
void Append(std::string_view text, size_t begin, size_t end, std::span<const Mark> marks,
            HighlightedText* out) {
  size_t next = 0;
  while (next < marks.size() && marks[next].begin < begin) next++;
  for (size_t i = begin; i < end; i++) {
    if (next < marks.size() && marks[next].begin == i && marks[next].end <= end) {
      const auto at = static_cast<uint32_t>(out->text.size());
      out->text.append(text.substr(i, marks[next].end - i));
      out->highlights.push_back({at, static_cast<uint32_t>(out->text.size())});
      i = marks[next].end - 1;
      while (next < marks.size() && marks[next].begin <= i) next++;
      continue;
    }
    if (!IsAsciiSpace(text[i])) {
      out->text += text[i];
    } else if (!out->text.empty() && !out->text.ends_with(' ')) {
      out->text += ' ';
    }
  }
  while (out->text.ends_with(' ')) out->text.pop_back();
}

}  // namespace

HighlightedText MakeSnippet(std::string_view text, std::span<const std::string> terms,
                            const SnippetOptions& options, text::Analyser& analyser) {
  text = Cut(text, kMaxText);
  Marker marker(text, terms, options.language, analyser);
  const std::vector<Mark> marks =
      options.words == nullptr ? marker.MarkAll() : marker.MarkUntilSeen(*options.words);
  HighlightedText out;
  if (marks.empty()) {
    const size_t end = EndAfter(text, 0, options.bytes);
    Append(text, 0, end, marks, &out);
    if (end < text.size()) out.text += kEllipsis.substr(0, kEllipsis.size() - 1);
    return out;
  }
  struct Range {
    size_t begin = 0;
    size_t end = 0;
  };
  std::vector<Range> ranges;
  std::set<uint32_t> shown;
  size_t left = options.bytes;
  while (ranges.size() < kMaxPassages && left > options.bytes / 4) {
    const Passage passage = BestPassage(marks, left, shown);
    if (passage.score == 0) break;
    const size_t first = marks[passage.first].begin;
    const size_t last = marks[passage.last - 1].end;
    const size_t width = last - first;
    // Another may follow: this one then takes no more than half of what is there.
    const size_t wanted = std::max(width, ranges.empty() ? options.bytes / 2 : left);
    const size_t room = wanted - width;
    const size_t begin = StartBefore(text, first, room / 2);
    const size_t end = EndAfter(text, last, room - std::min(room, first - begin));
    for (size_t i = passage.first; i < passage.last; i++) shown.insert(marks[i].term);
    left -= std::min(left, end - begin);
    ranges.push_back({begin, end});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  // A single one takes all the room there is.
  if (ranges.size() == 1 && left > 0) ranges[0].end = EndAfter(text, ranges[0].end, left);
  if (ranges.size() == 2 && ranges[1].begin <= ranges[0].end) {
    ranges[0].end = std::max(ranges[0].end, ranges[1].end);
    ranges.pop_back();
  }
  for (const Range& range : ranges) {
    if (range.begin > 0) out.text += out.text.empty() ? kEllipsis.substr(1) : kEllipsis;
    Append(text, range.begin, range.end, marks, &out);
  }
  if (ranges.back().end < text.size()) out.text += kEllipsis.substr(0, kEllipsis.size() - 1);
  return out;
}

HighlightedText MarkWords(std::string_view text, std::span<const std::string> terms,
                          std::string_view language, text::Analyser& analyser) {
  text = Cut(text, kMaxText);
  HighlightedText out;
  Append(text, 0, text.size(), Marker(text, terms, language, analyser).MarkAll(), &out);
  return out;
}

}  // namespace crivello::search
