// SPDX-License-Identifier: Apache-2.0
#include "search/snippet.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "search/beginnings.h"

namespace crivello::search {
namespace {

constexpr size_t kMaxText = 256 << 10;
constexpr size_t kMaxPassages = 2;
constexpr size_t kShortRoom = 80;
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
    // A single word may come in a better place than its first.
    if (!marks_.empty()) MarkTo(at_ + (one ? 2 * kPiece : at_ / 2));
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

// A paragraph, as far as it is looked at, and what it is.
struct Paragraph {
  size_t begin = 0;
  size_t end = 0;
  bool is_prose = false;  // sentences, as against a synopsis, a table, a list of options
};

constexpr size_t kMaxParagraph = 4096;
constexpr size_t kMinProseWords = 8;
constexpr std::array<std::string_view, 10> kNotices = {"copyright",
                                                       "all rights reserved",
                                                       "permission is granted",
                                                       "licensed under",
                                                       "without warranty",
                                                       "free software",
                                                       "general public license",
                                                       "free documentation",
                                                       "creative commons",
                                                       "(c) "};

// Of rights, which every page of a site repeats.
bool IsNotice(std::string_view paragraph) {
  const std::string lower = ToAsciiLower(paragraph.substr(0, 400));
  const auto said = std::count_if(kNotices.begin(), kNotices.end(), [&](std::string_view notice) {
    return lower.find(notice) != std::string::npos;
  });
  // A page about copyright says the word too, and nothing of the others at its beginning.
  return said >= 2 || lower.starts_with("copyright") || lower.starts_with("(c) ");
}

// Whether a sentence ends before a place; white space follows there, unless the script has none.
bool EndsSentence(std::string_view text, size_t at) {
  // Asked of each byte: most are settled here.
  if (at == 0) return false;
  if ((text[at - 1] & 0x80) != 0 && at >= 3) {
    const std::string_view last = text.substr(at - 3, 3);
    if (last == "。" || last == "！" || last == "？") return true;
  }
  if (at >= text.size() || !IsAsciiSpace(text[at])) return false;
  size_t end = at;
  while (end > 0 && (text[end - 1] == '"' || text[end - 1] == '\'' || text[end - 1] == ')')) end--;
  if (end == 0) return false;
  const char mark = text[end - 1];
  if (mark == '!' || mark == '?') return true;
  if (mark != '.') return false;
  // "e.g. this", "No. 5", "J. Smith": a sentence mostly continues after a short word with a dot.
  size_t word = end - 1;
  while (word > 0 && !IsAsciiSpace(text[word - 1])) word--;
  const std::string_view before = text.substr(word, end - 1 - word);
  const size_t next = text.find_first_not_of(" \t\n", at);
  const bool goes_on = next != std::string_view::npos && text[next] >= 'a' && text[next] <= 'z';
  return !goes_on && (before.size() > 2 || before.empty()) && before.find('.') == std::string_view::npos;
}

Paragraph ParagraphAt(std::string_view text, size_t at) {
  Paragraph paragraph;
  const size_t least = at > kMaxParagraph ? at - kMaxParagraph : 0;
  paragraph.begin = at;
  while (paragraph.begin > least && text[paragraph.begin - 1] != '\n') paragraph.begin--;
  paragraph.end = std::min(text.find('\n', at), std::min(text.size(), at + kMaxParagraph));
  const std::string_view whole = text.substr(paragraph.begin, paragraph.end - paragraph.begin);
  for (size_t i = 0; i < whole.size() && !paragraph.is_prose; i++)
    paragraph.is_prose = EndsSentence(whole, i);
  // One sentence may end the paragraph, where no space follows.
  const bool stops = !whole.empty() && (whole.back() == '.' || whole.back() == '!' || whole.back() == '?');
  if (!paragraph.is_prose && stops) {
    paragraph.is_prose =
        static_cast<size_t>(std::count(whole.begin(), whole.end(), ' ')) + 1 >= kMinProseWords;
  }
  return paragraph;
}

// Paragraphs of a text, in order; each is looked at once.
class Paragraphs {
 public:
  explicit Paragraphs(std::string_view text) : text_(text) {}
  const Paragraph& At(size_t at) {
    if (at < last_.begin || at >= last_.end) last_ = ParagraphAt(text_, at);
    return last_;
  }

 private:
  std::string_view text_;
  Paragraph last_;
};

// The marks [first, last) that fit into `bytes` and say most: by the terms that are new, then by whether they
// are part of a sentence, how near each other they are, and how many there are.  Notices of rights come last.
struct Passage {
  size_t first = 0;
  size_t last = 0;
  double score = 0;
};
Passage BestPassageBut(const Paragraph& notice, std::string_view text, std::span<const Mark> marks,
                       size_t bytes, const std::set<uint32_t>& shown) {
  Passage best;
  std::vector<size_t> counts(1 +
                             std::max_element(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
                               return a.term < b.term;
                             })->term);
  size_t distinct = 0;
  size_t first = 0;
  Paragraphs paragraphs(text);
  const auto leave = [&] {
    if (--counts[marks[first].term] == 0 && !shown.contains(marks[first].term)) distinct--;
    first++;
  };
  for (size_t last = 0; last < marks.size(); last++) {
    if (counts[marks[last].term]++ == 0 && !shown.contains(marks[last].term)) distinct++;
    while (marks[last].end - marks[first].begin > bytes && first < last) leave();
    // What is there once more further on only makes the passage wider.
    while (first < last && counts[marks[first].term] > 1 &&
           marks[last].end - marks[first].begin > bytes / 2) {
      leave();
    }
    if (distinct == 0) continue;
    const Paragraph& paragraph = paragraphs.At(marks[first].begin);
    const double width =
        static_cast<double>(marks[last].end - marks[first].begin) / static_cast<double>(bytes);
    const bool is_notice = paragraph.begin == notice.begin && notice.end > notice.begin;
    const double score = (is_notice ? 1 : 1000) * static_cast<double>(distinct) +
                         (paragraph.is_prose ? 300 : 0) +
                         (distinct > 1 ? 200 * (1 - std::min(width, 1.0)) : 0) +
                         static_cast<double>(std::min<size_t>(last - first + 1, 20));
    if (score > best.score) best = {first, last + 1, score};
  }
  return best;
}

Passage BestPassage(std::string_view text, std::span<const Mark> marks, size_t bytes,
                    const std::set<uint32_t>& shown) {
  const Passage best = BestPassageBut({}, text, marks, bytes, shown);
  if (best.score == 0) return best;
  // Only what would be shown is looked at for whether it is a notice.
  const Paragraph paragraph = ParagraphAt(text, marks[best.first].begin);
  if (!IsNotice(text.substr(paragraph.begin, paragraph.end - paragraph.begin))) return best;
  return BestPassageBut(paragraph, text, marks, bytes, shown);
}

// From a place back to where its sentence begins, if that is within `room` bytes; else to where a word does.
size_t StartBefore(std::string_view text, size_t at, size_t room) {
  const size_t least = at > room ? at - room : 0;
  size_t word = at;
  for (size_t i = at; i > least; i--) {
    if (text[i - 1] == '\n') return i;
    if (i < at && EndsSentence(text, i)) return IsAsciiSpace(text[i]) ? i + 1 : i;
    if (IsAsciiSpace(text[i - 1])) word = i;
  }
  return least == 0 ? 0 : word;
}
// On to where the last sentence ends that fits into `room` bytes, or to the end of its paragraph; if not one
// does, to where a word ends.
size_t EndAfter(std::string_view text, size_t at, size_t room) {
  const size_t most = std::min(text.size(), at + room);
  size_t sentence = 0;
  for (size_t i = at; i <= most; i++) {
    if (i == text.size() || text[i] == '\n' || EndsSentence(text, i)) sentence = i;
  }
  // Half an answer in whole sentences is better than one that breaks off; a few words are not.
  if (sentence > at + room / 3 || sentence == text.size() || (sentence > 0 && room < kShortRoom))
    return sentence;
  if (most == text.size()) return most;
  for (size_t i = most; i > at; i--) {
    if (IsAsciiSpace(text[i])) return i;
  }
  size_t end = most;  // no spaces: a script without
  while (end > at && (text[end] & 0xc0) == 0x80) end--;
  return end;
}

// Whether nothing is missing before, or behind, what is shown from or to there.
bool BeginsSentence(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return at == 0 || text[at - 1] == '\n' || EndsSentence(text, at);
}
bool IsSentenceEnd(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t') && !EndsSentence(text, at)) at++;
  return at >= text.size() || text[at] == '\n' || EndsSentence(text, at);
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

// Where a text that has none of the words is shown from: its first sentences.
size_t FirstProse(std::string_view text) {
  constexpr size_t kLookedAt = 2000;
  for (size_t at = 0; at < std::min(text.size(), kLookedAt);) {
    const Paragraph paragraph = ParagraphAt(text, at);
    const bool is_notice = IsNotice(text.substr(paragraph.begin, paragraph.end - paragraph.begin));
    if (paragraph.is_prose && !is_notice) return at;
    at = paragraph.end + 1;
  }
  return 0;
}

// Forms of one word are one term: the first of its forms.
void MarkByWords(std::span<const std::string> terms, const std::vector<std::span<const std::string>>& words,
                 std::vector<Mark>* marks) {
  std::vector<uint32_t> first(terms.size());
  for (uint32_t i = 0; i < terms.size(); i++) {
    first[i] = i;
    for (const auto& forms : words) {
      if (!std::binary_search(forms.begin(), forms.end(), terms[i])) continue;
      const auto least = std::lower_bound(terms.begin(), terms.end(), forms.front());
      if (least != terms.end()) first[i] = static_cast<uint32_t>(least - terms.begin());
      break;
    }
  }
  for (Mark& mark : *marks) mark.term = first[mark.term];
}

bool HasOthers(std::span<const Mark> marks, const std::set<uint32_t>& shown) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](const Mark& mark) { return !shown.contains(mark.term); });
}

}  // namespace

HighlightedText MakeSnippet(std::string_view text, std::span<const std::string> terms,
                            const SnippetOptions& options, text::Analyser& analyser) {
  text = Cut(text, kMaxText);
  Marker marker(text, terms, options.language, analyser);
  std::vector<Mark> marks =
      options.words == nullptr ? marker.MarkAll() : marker.MarkUntilSeen(*options.words);
  if (options.words != nullptr) MarkByWords(terms, *options.words, &marks);
  HighlightedText out;
  if (marks.empty()) {
    const size_t begin = FirstProse(text);
    const size_t end = EndAfter(text, begin, options.bytes);
    Append(text, begin, end, marks, &out);
    if (!IsSentenceEnd(text, end)) out.text += kEllipsis.substr(0, kEllipsis.size() - 1);
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
    const Passage passage = BestPassage(text, marks, left, shown);
    if (passage.score == 0) break;
    const size_t first = marks[passage.first].begin;
    const size_t last = marks[passage.last - 1].end;
    const size_t width = last - first;
    for (size_t i = passage.first; i < passage.last; i++) shown.insert(marks[i].term);
    // Another follows if it has something to add: this one then takes no more than half of what is there.
    const bool alone = ranges.empty() && !HasOthers(marks, shown);
    const size_t wanted = std::max(width, ranges.empty() && !alone ? options.bytes / 2 : left);
    const size_t room = wanted - width;
    const size_t begin = StartBefore(text, first, alone ? room * 2 / 3 : room / 2);
    const size_t end = EndAfter(text, last, room - std::min(room, first - begin));
    left -= std::min(left, end - begin);
    ranges.push_back({begin, end});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  if (ranges.size() == 2 && ranges[1].begin <= ranges[0].end) {
    ranges[0].end = std::max(ranges[0].end, ranges[1].end);
    ranges.pop_back();
  }
  for (const Range& range : ranges) {
    // Between passages something is always left out; before the first only if it begins in mid-sentence.
    if (!out.text.empty()) {
      out.text += kEllipsis;
    } else if (!BeginsSentence(text, range.begin)) {
      out.text += kEllipsis.substr(1);
    }
    Append(text, range.begin, range.end, marks, &out);
  }
  if (!IsSentenceEnd(text, ranges.back().end)) out.text += kEllipsis.substr(0, kEllipsis.size() - 1);
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
