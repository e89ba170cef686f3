// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "charset/encoding_decode.h"
#include "charset/utf8.h"
#include "search/query/query.h"
#include "search/suggest/typed_word.h"

namespace crivello::search {
namespace {

size_t SpaceAt(std::string_view text) {
  if (!text.empty() && (IsAsciiSpace(text[0]) || text[0] == '\v' || text[0] == '\0')) return 1;
  for (const std::string_view space : {"\u00a0", "\u3000"}) {
    if (text.starts_with(space)) return space.size();
  }
  return 0;
}

class Parser {
 public:
  Parser(std::string_view text, bool strict) : text_(text), strict_(strict) {}

  Query Parse() { return ParseList("", 0); }
  bool truncated() const { return truncated_; }
  const Status& status() const { return status_; }
  std::vector<std::string>& notes() { return notes_; }

 private:
  using Kind = Query::Kind;
  using Occur = Query::Occur;
  enum class Operator : uint8_t { kNone, kAnd, kOr, kNot };

  bool AtEnd() const { return at_ >= text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }
  void Fail(std::string_view what) { FailAt(at_, what); }
  void FailAt(size_t byte, std::string_view what) {
    if (strict_ && status_.ok()) {
      status_ = Status::InvalidArgument(fmt::format("query, column {}: {}", byte + 1, what));
    }
  }
  void SkipSpaces() {
    while (const size_t bytes = SpaceAt(rest())) at_ += bytes;
  }

  // A word ends at a space, a quotation mark, a parenthesis or the end of the text.
  bool EndsWord(size_t at) const {
    if (at >= text_.size()) return true;
    const std::string_view from = text_.substr(at);
    return from[0] == '(' || from[0] == ')' || SpaceAt(from) > 0 || QuoteAt(from) > 0;
  }
  // The word that starts here.  Its cost is its length, so each word is asked for a bounded number of times.
  std::string_view WordHere() const {
    size_t end = at_;
    while (!EndsWord(end)) end += text_[end] == '\\' ? std::min<size_t>(2, text_.size() - end) : 1;
    return text_.substr(at_, end - at_);
  }
  // Looks at no more than the operator's own letters: it is asked at every sign, and a word may be all signs.
  Operator OperatorHere() const {
    const auto is_here = [&](std::string_view name) {
      return rest().starts_with(name) && EndsWord(at_ + name.size());
    };
    if (is_here("AND")) return Operator::kAnd;
    if (is_here("OR")) return Operator::kOr;
    if (is_here("NOT")) return Operator::kNot;
    return Operator::kNone;
  }

  // At the end of a list, or of the text.  Parentheses that nobody opened, or that were too deep, are passed.
  bool AtListEnd(size_t depth) {
    for (SkipSpaces(); !AtEnd(); SkipSpaces()) {
      if (text_[at_] != ')' || (depth > 0 && ignored_ == 0)) break;
      if (ignored_ > 0) {
        ignored_--;
      } else {
        Fail("')' without '('");
      }
      at_++;
    }
    return AtEnd() || text_[at_] == ')';
  }

  // Clauses up to the end or a closing parenthesis, which is left.
  Query ParseList(std::string_view field, size_t depth) {
    std::vector<Query> clauses;
    bool after_or = false;
    bool last_is_not = false;
    size_t filter = kNoFilter;  // the last clause, if it is one and has no OR before it
    while (!AtListEnd(depth)) {
      const Operator op = OperatorHere();
      if (op == Operator::kOr || op == Operator::kAnd) {
        if (clauses.empty() || after_or || op == Operator::kAnd) Fail("operator without a left operand");
        at_ += WordHere().size();
        if (op == Operator::kOr && !clauses.empty()) {
          after_or = true;
          if (last_is_not) Complement(&clauses.back());
          last_is_not = false;
          filter = kNoFilter;
        }
        continue;
      }
      if (filter != kNoFilter) clauses[filter].occur = Occur::kRequired;
      last_is_not = op == Operator::kNot;
      std::optional<Query> clause = ParseChain(field, depth);
      if (!clause) continue;
      if (after_or && last_is_not) {
        Complement(&*clause);
        last_is_not = false;
      }
      const bool filters = !after_or && clause->occur == Occur::kOptional && IsFilter(*clause);
      filter = filters ? clauses.size() : kNoFilter;
      after_or = false;
      clauses.push_back(*std::move(clause));
    }
    if (filter != kNoFilter) clauses[filter].occur = Occur::kRequired;
    if (after_or) Fail("OR without a right operand");
    return Join(std::move(clauses));
  }

  static constexpr size_t kNoFilter = ~size_t{0};
  // NOT beside an OR excludes nothing from the other side: it stands for the documents without.
  static void Complement(Query* clause) {
    if (clause->occur != Occur::kExcluded) return;
    Query complement;
    complement.kind = Kind::kBoolean;
    complement.children.push_back(std::move(*clause));
    *clause = std::move(complement);
  }

  // a AND b AND NOT c
  std::optional<Query> ParseChain(std::string_view field, size_t depth) {
    std::optional<Query> first = ParseUnary(field, depth);
    if (AtListEnd(depth) || OperatorHere() != Operator::kAnd) return first;
    std::vector<Query> all;
    if (first) all.push_back(*std::move(first));
    while (!AtListEnd(depth) && OperatorHere() == Operator::kAnd) {
      at_ += WordHere().size();
      if (AtListEnd(depth)) Fail("AND without a right operand");
      if (AtListEnd(depth) || OperatorHere() == Operator::kAnd || OperatorHere() == Operator::kOr) continue;
      if (std::optional<Query> next = ParseUnary(field, depth)) all.push_back(*std::move(next));
    }
    for (Query& clause : all) {
      if (clause.occur == Occur::kOptional) clause.occur = Occur::kRequired;
    }
    return Join(std::move(all));
  }

  std::optional<Query> ParseUnary(std::string_view field, size_t depth) {
    Occur occur = Occur::kOptional;
    while (!AtListEnd(depth)) {
      if (OperatorHere() == Operator::kNot) {
        at_ += WordHere().size();
        occur = Occur::kExcluded;
      } else if (text_[at_] == '+' || text_[at_] == '-') {
        occur = text_[at_] == '+' ? Occur::kRequired : Occur::kExcluded;
        at_++;
        if (AtEnd() || SpaceAt(rest()) > 0) {  // a sign alone is none
          Fail("sign without a word after it");
          return std::nullopt;
        }
      } else {
        Query primary = ParsePrimary(field, depth);
        if (primary.kind == Kind::kNothing) return std::nullopt;
        primary.occur = occur;
        return primary;
      }
    }
    Fail("NOT without an operand");
    return std::nullopt;
  }

  Query ParsePrimary(std::string_view field, size_t depth) {
    if (text_[at_] == '(') return ParseGroup(field, depth);
    if (QuoteAt(rest()) > 0) return ParsePhrase(field);
    const size_t start = at_;
    const std::string_view word = WordHere();
    at_ += word.size();
    if (word.ends_with(':') && !AtEnd() && (text_[at_] == '(' || QuoteAt(rest()) > 0)) {
      const std::string_view named = CanonicalField(ToAsciiLower(word.substr(0, word.size() - 1)));
      if (!named.empty()) return ParsePrimary(named, depth);
    }
    TypedWord typed = ReadTypedWord(word, field);
    if (!typed.complaint.empty()) FailAt(start, typed.complaint);
    if (typed.is_bad_filter) NoteBadFilter(word);
    return Leaf(std::move(typed.leaf));
  }

  Query ParseGroup(std::string_view field, size_t depth) {
    const size_t start = at_++;
    if (depth >= kMaxQueryDepth) {
      FailAt(start, fmt::format("parentheses nested more than {} deep", kMaxQueryDepth));
      truncated_ = true;
      ignored_++;
      return {};
    }
    Query group = ParseList(field, depth + 1);
    if (AtEnd()) {
      FailAt(start, "'(' without ')'");
    } else {
      at_++;
    }
    ReadBoost(&group);
    return group;
  }

  Query ParsePhrase(std::string_view field) {
    const size_t start = at_;
    at_ += QuoteAt(rest());
    Query phrase;
    phrase.kind = Kind::kPhrase;
    phrase.field = field;
    while (!AtEnd() && QuoteAt(rest()) == 0) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) at_++;
      phrase.text += text_[at_++];
    }
    if (AtEnd()) {
      FailAt(start, "missing closing quotation mark");
    } else {
      at_ += QuoteAt(rest());
    }
    ReadWindow(&phrase);
    ReadBoost(&phrase);
    const std::string_view text = TrimAsciiSpace(phrase.text);
    if (text.empty()) return {};
    phrase.text = std::string(text);
    if (IsFilterField(field)) {  // quoted so that it may have any character
      Query filter = ReadFilter(field, phrase.text);
      filter.boost = phrase.boost;
      if (filter.kind == Kind::kNothing) {
        FailAt(start, fmt::format("invalid value '{}' for {}:", phrase.text, field));
        NoteBadFilter(fmt::format("{}:\"{}\"", field, phrase.text));
      }
      return Leaf(std::move(filter));
    }
    return Leaf(std::move(phrase));
  }

  void NoteBadFilter(std::string_view filter) {
    constexpr size_t kMostNotes = 3;
    if (notes_.size() >= kMostNotes) return;
    const std::string_view reason = filter.ends_with(':')
                                        ? "it has no value; there is no space behind the colon"
                                        : "a date is 2020, 2020-05, 2020-05-03, 2019..2020 or >2020";
    notes_.push_back(
        fmt::format("{} is not a filter: {}; it was not used as one", charset::CutUtf8(filter, 100), reason));
  }

  // ~5 or ~>5 behind a phrase.
  void ReadWindow(Query* phrase) {
    if (!rest().starts_with('~')) return;
    const bool ordered = rest().starts_with("~>");
    const size_t digits = at_ + (ordered ? 2 : 1);
    size_t end = digits;
    uint32_t slop = 0;
    for (; end < text_.size() && IsAsciiDigit(text_[end]); end++) {
      slop = std::min(slop * 10 + static_cast<uint32_t>(text_[end] - '0'), kMaxSlop);
    }
    if (end == digits) return Fail("missing number");
    at_ = end;
    phrase->ordered = ordered;
    phrase->slop = slop;
  }

  // ^2.5 behind a phrase or a group.
  void ReadBoost(Query* query) {
    if (!rest().starts_with('^')) return;
    const std::string_view word = WordHere();
    const std::optional<float> boost = ReadBoostNumber(word.substr(1));
    if (!boost) return Fail("missing number");
    at_ += word.size();
    query->boost = BoundedBoost(query->boost * *boost);
  }

  Query Leaf(Query leaf) {
    if (leaf.kind == Kind::kNothing) return leaf;
    if (++leaves_ > kMaxQueryLeaves) {
      Fail(fmt::format("more than {} words", kMaxQueryLeaves));
      truncated_ = true;
      return {};
    }
    return leaf;
  }

  // A list as simple as can be: a list that is part of one like it is no list of its own.
  static Query Join(std::vector<Query> clauses) {
    Query joined;
    joined.kind = Kind::kBoolean;
    for (Query& clause : clauses) {
      if (clause.kind == Kind::kNothing) continue;
      if (Dissolves(clause)) {
        for (Query& child : clause.children) joined.children.push_back(std::move(child));
      } else {
        joined.children.push_back(std::move(clause));
      }
    }
    if (joined.children.empty()) return {};
    if (joined.children.size() > 1 || joined.children[0].occur == Occur::kExcluded) return joined;
    Query only = std::move(joined.children[0]);
    only.occur = Occur::kOptional;
    return only;
  }
  static bool Dissolves(const Query& clause) {
    if (clause.kind != Kind::kBoolean || clause.boost != 1) return false;
    const auto all = [&](auto is) { return std::all_of(clause.children.begin(), clause.children.end(), is); };
    if (clause.occur == Occur::kOptional)
      return all([](const Query& q) { return q.occur == Occur::kOptional; });
    if (clause.occur == Occur::kExcluded) return false;
    return all([](const Query& q) { return q.occur != Occur::kOptional; }) &&
           clause.children[0].occur == Occur::kRequired;
  }

  const std::string_view text_;
  const bool strict_;
  size_t at_ = 0;
  size_t leaves_ = 0;
  size_t ignored_ = 0;  // parentheses that were too deep and are open
  bool truncated_ = false;
  Status status_;
  std::vector<std::string> notes_;
};

bool HasLetters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return IsAsciiAlnum(c) || (c & 0x80) != 0; });
}

}  // namespace

ParsedQuery ParseQuery(std::string_view text) {
  const charset::DecodedText decoded =
      charset::DecodeToUtf8(text.substr(0, kMaxQueryBytes), charset::Encoding::kUtf8);
  Parser parser(decoded.text(), false);
  ParsedQuery parsed;
  parsed.query = parser.Parse();
  parsed.truncated = parser.truncated() || text.size() > kMaxQueryBytes;
  parsed.notes = std::move(parser.notes());
  // "OR" alone, or "NOT AND": who typed that meant the words.
  if (parsed.query.kind == Query::Kind::kNothing && HasLetters(decoded.text())) {
    parsed.query.kind = Query::Kind::kPhrase;
    parsed.query.text = std::string(TrimAsciiSpace(decoded.text()));
  }
  return parsed;
}

Result<Query> ParseQueryStrictly(std::string_view text) {
  if (text.size() > kMaxQueryBytes) {
    return Status::InvalidArgument(fmt::format("query too long: the limit is {} bytes", kMaxQueryBytes));
  }
  const charset::DecodedText decoded = charset::DecodeToUtf8(text, charset::Encoding::kUtf8);
  if (decoded.replacements() > 0) return Status::InvalidArgument("query: invalid UTF-8");
  Parser parser(decoded.text(), true);
  Query query = parser.Parse();
  if (!parser.status().ok()) return parser.status();
  return query;
}

Query PlainText(std::string_view text) {
  Query query;
  query.kind = Query::Kind::kText;
  query.text = charset::DecodeToUtf8(text.substr(0, kMaxQueryBytes), charset::Encoding::kUtf8).text();
  return query;
}

}  // namespace crivello::search
