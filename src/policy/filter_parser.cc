// SPDX-License-Identifier: Apache-2.0
// Parses text to a filter: a recursive descent over the grammar
//
//   or   = and { "or" and }          and  = not { "and" not }
//   not  = { "not" } ( "(" or ")" | "true" | "false" | predicate )
//   predicate = name [ "(" [ word { "," word } ] ")" ]
//
// into a tree, which is then emitted twice: as canonical text and as tests with their targets.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "base/ascii.h"
#include "policy/filter.h"
#include "policy/filter_predicates.h"
#include "web/url/idna.h"

namespace crivello::policy {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsNameLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// How many letters to change, drop or add to turn one name into the other.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t corner = row[0]++;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::optional<uint64_t> ParseNumber(std::string_view word) {
  unsigned shift = 0;
  if (!word.empty()) {
    const size_t unit = std::string_view("KMG").find(word.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(unit) + 1);
      word.remove_suffix(1);
    }
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (value > UINT64_MAX >> shift) return std::nullopt;
  return value << shift;
}

std::string FormatNumber(uint64_t value) {
  for (const auto& [shift, unit] : {std::pair(30u, 'G'), std::pair(20u, 'M'), std::pair(10u, 'K')}) {
    if (value != 0 && value % (uint64_t{1} << shift) == 0) return fmt::format("{}{}", value >> shift, unit);
  }
  return std::to_string(value);
}

// A word, quoted if necessary to be read back unchanged.
void AppendWord(std::string_view word, std::string* out) {
  const bool plain = !word.empty() && !IsSpace(word.front()) && !IsSpace(word.back()) &&
                     word.find_first_of("(),\"\\\n\r") == std::string_view::npos;
  out->append(plain ? std::string(word) : DoubleQuoted(word));
}

}  // namespace

class FilterParser {
 public:
  FilterParser(FilterPoint point, std::string_view text) : point_(point), text_(text) {}

  static std::vector<std::string_view> Names(FilterPoint point);

  Result<Filter> Parse() {
    if (text_.size() > Filter::kMaxBytes) {
      return Status::InvalidArgument(
          fmt::format("a filter of {} bytes; {} are the most", text_.size(), Filter::kMaxBytes));
    }
    SkipSpace();
    if (at_ == text_.size()) return Filter();
    CRV_ASSIGN(const NodePtr tree, ParseOr());
    SkipSpace();
    if (at_ < text_.size()) return ErrorAt(at_, "expected \"and\", \"or\" or the end");
    filter_.text_.clear();
    Print(*tree, kOr);
    filter_.start_ = Compile(*tree, Filter::kAccept, Filter::kReject);
    // Tests were compiled from last to first.
    const auto last = static_cast<int32_t>(filter_.tests_.size()) - 1;
    const auto turned = [last](int32_t target) { return target < 0 ? target : last - target; };
    std::reverse(filter_.tests_.begin(), filter_.tests_.end());
    for (Filter::Test& test : filter_.tests_) {
      test.if_true = turned(test.if_true);
      test.if_false = turned(test.if_false);
    }
    filter_.start_ = turned(filter_.start_);
    return std::move(filter_);
  }

 private:
  // In order of increasing precedence.
  enum Kind : uint8_t { kOr, kAnd, kNot, kConstant, kPredicate };
  struct Node;
  using NodePtr = std::unique_ptr<Node>;
  struct Node {
    Kind kind = kConstant;
    bool value = true;              // of a constant
    std::vector<NodePtr> children;  // two or more of kOr and kAnd, one of kNot
    std::string name;
    FilterArguments arguments = FilterArguments::kNone;
    Filter::Test test = {};
  };

  struct Predicate {
    std::string_view name;
    Filter::Op op;
    FilterArguments arguments;
    unsigned points;
    FilterWords words = FilterWords::kAsIs;
  };
  static const Predicate kPredicates[];

  Status ErrorAt(size_t at, const std::string& what) const {
    // The mark is below the character: one column per UTF-8 code point; tabs stay tabs.
    std::string shown, mark;
    size_t column = 1;
    for (size_t i = 0; i < text_.size(); i++) {
      const char c = text_[i] == '\n' || text_[i] == '\r' ? ' ' : text_[i];
      shown.push_back(c);
      if (i >= at || (static_cast<uint8_t>(c) & 0xc0) == 0x80) continue;
      mark.push_back(c == '\t' ? '\t' : ' ');
      column++;
    }
    return Status::InvalidArgument(
        fmt::format("the filter, column {}: {}\n  {}\n  {}^", column, what, shown, mark));
  }

  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) at_++;
  }
  bool Take(char c) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }
  // The name at the current position, without consuming it.
  std::string_view PeekName() {
    SkipSpace();
    size_t end = at_;
    while (end < text_.size() && IsNameLetter(text_[end])) end++;
    return text_.substr(at_, end - at_);
  }
  bool TakeName(std::string_view name) {
    if (PeekName() != name) return false;
    at_ += name.size();
    return true;
  }

  Result<NodePtr> ParseOr() { return ParseList(kOr); }

  // A list of operands with higher precedence, joined by "or" or "and"; a single operand is returned as is.
  Result<NodePtr> ParseList(Kind kind) {
    auto list = std::make_unique<Node>();
    list->kind = kind;
    do {
      CRV_ASSIGN(NodePtr child, kind == kOr ? ParseList(kAnd) : ParseNot());
      // "(a and b) and c" is "a and b and c".
      if (child->kind == kind) {
        std::move(child->children.begin(), child->children.end(), std::back_inserter(list->children));
      } else {
        list->children.push_back(std::move(child));
      }
    } while (TakeName(kind == kOr ? "or" : "and"));
    if (list->children.size() == 1) return std::move(list->children[0]);
    return list;
  }

  Result<NodePtr> ParseNot() {
    bool negated = false;
    while (TakeName("not")) negated = !negated;
    CRV_ASSIGN(NodePtr node, ParseOperand());
    if (!negated) return node;
    if (node->kind == kNot) return std::move(node->children[0]);
    auto result = std::make_unique<Node>();
    result->kind = kNot;
    result->children.push_back(std::move(node));
    return result;
  }

  Result<NodePtr> ParseOperand() {
    SkipSpace();
    const size_t start = at_;
    if (Take('(')) {
      if (nesting_ == Filter::kMaxNesting) return ErrorAt(start, "too many parentheses inside each other");
      nesting_++;
      CRV_ASSIGN(NodePtr inner, ParseOr());
      nesting_--;
      if (!Take(')')) return ErrorAt(at_, "expected \")\"");
      return inner;
    }
    const std::string_view name = PeekName();
    if (name.empty() || name == "and" || name == "or") return ErrorAt(start, "expected a predicate");
    auto node = std::make_unique<Node>();
    if (name == "true" || name == "false") {
      at_ += name.size();
      node->value = name == "true";
      return node;
    }
    CRV_TRY(ParsePredicate(name, node.get()));
    return node;
  }

  Status ParsePredicate(std::string_view name, Node* node);
  Status ParseWord(std::string* word);
  Status ParseNumbers(const std::vector<std::string>& words, const std::vector<size_t>& places, Node* node);
  Status AddWord(const Predicate& predicate, std::string word, size_t place);

  // Appends the text of a node, in parentheses if its precedence is lower than its position allows.
  void Print(Node& node, Kind place) {
    std::string& out = filter_.text_;
    const bool parentheses = node.kind < place;
    if (parentheses) out += "(";
    switch (node.kind) {
      case kOr:
      case kAnd:
        for (size_t i = 0; i < node.children.size(); i++) {
          if (i > 0) out += node.kind == kOr ? " or " : " and ";
          Print(*node.children[i], static_cast<Kind>(node.kind + 1));
        }
        break;
      case kNot:
        out += "not ";
        Print(*node.children[0], kNot);
        break;
      case kConstant:
        out += node.value ? "true" : "false";
        break;
      case kPredicate:
        PrintPredicate(node);
        break;
    }
    if (parentheses) out += ")";
  }

  void PrintPredicate(Node& node) {
    std::string& out = filter_.text_;
    node.test.text_at = static_cast<uint32_t>(out.size());
    out += node.name;
    if (node.arguments == FilterArguments::kNumbers) {
      out += "(" + FormatNumber(node.test.low);
      if (node.test.high != node.test.low) out += ", " + FormatNumber(node.test.high);
      out += ")";
    } else if (node.arguments == FilterArguments::kWords) {
      out += "(";
      for (uint32_t i = node.test.first; i < node.test.last; i++) {
        if (i > node.test.first) out += ", ";
        AppendWord(filter_.words_[i], &out);
      }
      out += ")";
    }
    node.test.text_bytes = static_cast<uint32_t>(out.size()) - node.test.text_at;
  }

  // Compiles a node to tests that lead to the two targets, and returns the first.  Works from last to first,
  // so that targets exist before they are needed.
  int32_t Compile(const Node& node, int32_t if_true, int32_t if_false) {
    switch (node.kind) {
      case kOr:
      case kAnd: {
        int32_t next = node.kind == kAnd ? if_true : if_false;
        for (size_t i = node.children.size(); i-- > 0;) {
          next = node.kind == kAnd ? Compile(*node.children[i], next, if_false)
                                   : Compile(*node.children[i], if_true, next);
        }
        return next;
      }
      case kNot:
        return Compile(*node.children[0], if_false, if_true);
      case kConstant:
        return node.value ? if_true : if_false;
      case kPredicate:
        break;
    }
    filter_.tests_.push_back(node.test);
    filter_.tests_.back().if_true = if_true;
    filter_.tests_.back().if_false = if_false;
    return static_cast<int32_t>(filter_.tests_.size()) - 1;
  }

  const FilterPoint point_;
  const std::string_view text_;
  size_t at_ = 0;
  int nesting_ = 0;
  Filter filter_;
};

const FilterParser::Predicate FilterParser::kPredicates[] = {
    {"host", Filter::Op::kHost, FilterArguments::kWords, kEveryPoint, FilterWords::kHost},
    {"host_ends_with", Filter::Op::kHostEndsWith, FilterArguments::kWords, kEveryPoint, FilterWords::kLower},
    {"domain", Filter::Op::kDomain, FilterArguments::kWords, kEveryPoint, FilterWords::kHost},
    {"scheme", Filter::Op::kScheme, FilterArguments::kWords, kEveryPoint, FilterWords::kLower},
    {"port", Filter::Op::kPort, FilterArguments::kNumbers, kEveryPoint},
    {"path_starts_with", Filter::Op::kPathStartsWith, FilterArguments::kWords, kEveryPoint},
    {"path_contains", Filter::Op::kPathContains, FilterArguments::kWords, kEveryPoint},
    {"path_ends_with", Filter::Op::kPathEndsWith, FilterArguments::kWords, kEveryPoint, FilterWords::kLower},
    {"url_like", Filter::Op::kUrlLike, FilterArguments::kWords, kEveryPoint},
    {"surt", Filter::Op::kSurt, FilterArguments::kWords, kEveryPoint},
    {"query", Filter::Op::kQuery, FilterArguments::kNone, kEveryPoint},
    {"parameter", Filter::Op::kParameter, FilterArguments::kWords, kEveryPoint},
    {"depth", Filter::Op::kDepth, FilterArguments::kNumbers, kEveryPoint},
    {"url_length", Filter::Op::kUrlLength, FilterArguments::kNumbers, kEveryPoint},
    {"segments", Filter::Op::kSegments, FilterArguments::kNumbers, kEveryPoint},
    {"same_host", Filter::Op::kSameHost, FilterArguments::kNone, PointBit(FilterPoint::kSchedule)},
    {"same_domain", Filter::Op::kSameDomain, FilterArguments::kNone, PointBit(FilterPoint::kSchedule)},
    {"status", Filter::Op::kStatus, FilterArguments::kNumbers, kAnswered},
    {"type", Filter::Op::kType, FilterArguments::kWords, kAnswered, FilterWords::kLower},
    {"length", Filter::Op::kLength, FilterArguments::kNumbers, kAnswered},
    {"language", Filter::Op::kLanguage, FilterArguments::kWords, kPageRead, FilterWords::kLower},
    {"text_length", Filter::Op::kTextLength, FilterArguments::kNumbers, kPageRead},
    {"duplicate", Filter::Op::kDuplicate, FilterArguments::kNone, kPageRead},
};

std::vector<std::string_view> FilterParser::Names(FilterPoint point) {
  std::vector<std::string_view> names;
  for (const Predicate& predicate : kPredicates) {
    if ((predicate.points & PointBit(point)) != 0) names.push_back(predicate.name);
  }
  return names;
}

Status FilterParser::ParsePredicate(std::string_view name, Node* node) {
  const size_t start = at_;
  const auto found = std::find_if(std::begin(kPredicates), std::end(kPredicates),
                                  [name](const Predicate& p) { return p.name == name; });
  if (found == std::end(kPredicates)) {
    std::string what = fmt::format("there is no predicate \"{:.40}\"", name);
    constexpr size_t kNear = 3;
    const auto nearest = std::min_element(
        std::begin(kPredicates), std::end(kPredicates), [name](const Predicate& a, const Predicate& b) {
          return Distance(name.substr(0, 40), a.name) < Distance(name.substr(0, 40), b.name);
        });
    if (Distance(name.substr(0, 40), nearest->name) <= kNear) {
      what += fmt::format("; did you mean \"{}\"?", nearest->name);
    }
    return ErrorAt(start, what);
  }
  if ((found->points & PointBit(point_)) == 0) {
    std::string points;
    for (size_t i = 0; i < kFilterPoints; i++) {
      const auto point = static_cast<FilterPoint>(i);
      if ((found->points & PointBit(point)) == 0) continue;
      points += fmt::format("{}{}", points.empty() ? "" : ", ", FilterPointName(point));
    }
    return ErrorAt(start, fmt::format("\"{}\" is not known at the point {}, only at: {}", name,
                                      FilterPointName(point_), points));
  }
  at_ += name.size();
  node->kind = kPredicate;
  node->name = found->name;
  node->arguments = found->arguments;
  node->test.op = found->op;
  node->test.first = static_cast<uint32_t>(filter_.words_.size());

  std::vector<std::string> words;
  std::vector<size_t> places;
  if (Take('(')) {
    SkipSpace();
    if (found->arguments != FilterArguments::kNone || at_ == text_.size() || text_[at_] != ')') {
      do {
        SkipSpace();
        places.push_back(at_);
        words.emplace_back();
        CRV_TRY(ParseWord(&words.back()));
      } while (Take(','));
    }
    if (!Take(')')) return ErrorAt(at_, "expected \",\" or \")\"");
  }
  if (found->arguments == FilterArguments::kNone) {
    if (!words.empty()) return ErrorAt(places[0], fmt::format("\"{}\" takes nothing", name));
    return Status::Ok();
  }
  if (words.empty()) return ErrorAt(at_, fmt::format("\"{}\" wants something in parentheses", name));
  if (found->arguments == FilterArguments::kNumbers) return ParseNumbers(words, places, node);
  for (size_t i = 0; i < words.size(); i++) CRV_TRY(AddWord(*found, std::move(words[i]), places[i]));
  node->test.last = static_cast<uint32_t>(filter_.words_.size());
  return Status::Ok();
}

Status FilterParser::ParseWord(std::string* word) {
  const size_t start = at_;
  if (Take('"')) {
    for (;;) {
      if (at_ == text_.size()) return ErrorAt(start, "a quote that does not end");
      char c = text_[at_++];
      if (c == '"') return Status::Ok();
      if (c == '\\') {
        if (at_ == text_.size()) return ErrorAt(start, "a quote that does not end");
        c = text_[at_++];
        if (c != '"' && c != '\\') return ErrorAt(at_ - 2, "a backslash must be followed by \\\" or \\\\");
      }
      word->push_back(c);
    }
  }
  while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')') {
    if (text_[at_] == '(' || text_[at_] == '"' || text_[at_] == '\\') {
      return ErrorAt(at_, "this character is allowed only inside quotes");
    }
    word->push_back(text_[at_++]);
  }
  while (!word->empty() && IsSpace(word->back())) word->pop_back();
  if (word->empty()) return ErrorAt(start, "expected a word");
  return Status::Ok();
}

Status FilterParser::ParseNumbers(const std::vector<std::string>& words, const std::vector<size_t>& places,
                                  Node* node) {
  if (words.size() > 2) return ErrorAt(places[2], "one number, or two for a range");
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < words.size(); i++) {
    const auto number = ParseNumber(words[i]);
    if (!number) return ErrorAt(places[i], "expected a number, like 200 or 64K");
    numbers.push_back(*number);
  }
  node->test.low = numbers.front();
  node->test.high = numbers.back();
  if (node->test.low > node->test.high) return ErrorAt(places[1], "the range ends before it starts");
  return Status::Ok();
}

Status FilterParser::AddWord(const Predicate& predicate, std::string word, size_t place) {
  if (predicate.words != FilterWords::kAsIs) {
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const bool ascii =
      std::all_of(word.begin(), word.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
  if (predicate.words == FilterWords::kHost) {
    if (!ascii) {
      std::string converted;
      if (!web::AppendDomainToAscii(word, &converted)) return ErrorAt(place, "not a valid host name");
      word = std::move(converted);
    }
    if (word.empty() || word.find_first_of("/ ") != std::string::npos) {
      return ErrorAt(place, "not a valid host name");
    }
  } else if (!ascii && predicate.op == Filter::Op::kHostEndsWith) {
    return ErrorAt(place, "the end of a host is written in ASCII, as in \"xn--...\"");
  }
  filter_.words_.push_back(std::move(word));
  return Status::Ok();
}

std::vector<std::string_view> Filter::PredicateNames(FilterPoint point) { return FilterParser::Names(point); }

Result<Filter> Filter::Parse(FilterPoint point, std::string_view text) {
  return FilterParser(point, text).Parse();
}

}  // namespace crivello::policy
