// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "web/url/url.h"

namespace crivello::policy {

// The filter language.  It decides which pages a crawl wants, at five points of a page's way:
//
//   host_ends_with(.it) and not path_ends_with(.zip) and status(200) and language(it) and length(200, 1M)
//
// Predicates are combined with `not`, `and`, `or` (in order of decreasing precedence) and parentheses; `true`
// and `false` are constants.  Arguments are bare words, or "quoted" with \" and \\ if they contain a comma, a
// parenthesis, a quote or spaces at an end.  Several words are alternatives.  One number means that number,
// two an inclusive range; K, M and G mean 1024 and its powers.
//
//   at every point
//     host(a.it, b.it)         the host is one of these
//     host_ends_with(.it)      its name ends with this
//     domain(unimi.it)         it is this domain, or below it
//     scheme(https)  port(443, 444)
//     path_starts_with(/a/)  path_contains(/cgi/)
//     path_ends_with(.zip)     ignoring letter case
//     url_like(*://*/wiki/*)   the whole URL; * matches anything, even nothing; others match themselves
//     query                    the URL has a query
//     parameter(sid)           the query has a parameter of this name
//     depth(0, 5)              links from a seed
//     url_length(0, 256)       in bytes
//     segments(0, 10)          of the path
//   schedule only
//     same_host  same_domain   as the page that links to it (registrable domain)
//   parse, follow, store: about the response
//     status(200, 299)  type(text/html, image/*)  length(200, 1M)   of the body, decoded
//   follow, store: about the page
//     language(it, en)         en includes en-GB; no match if the language is unknown
//     text_length(64, 1M)      bytes of text
//     duplicate                the text has been seen before
//
// A filter is parsed for a point; it is an error to use a predicate whose value is not known at that point.
// Parsing compiles it to tests with two jump targets each, so evaluation takes no memory and no recursion,
// and time linear in the filter and the URL, whatever both are (there are no regular expressions because
// those of the standard library are not linear).
//
// The numbers of these points are stored on disk, in the ledger (docs/formats/ledger.md): never renumber or
// reuse one; a new point takes the next number.
enum class FilterPoint : uint8_t {
  kSchedule = 0,  // a link was found: should its URL be queued?
  kFetch = 1,     // a URL is at the head of its queue: should it be fetched?
  kParse = 2,     // a response has arrived: should text and links be extracted?
  kFollow = 3,    // a page was parsed: should its links be followed?
  kStore = 4,     // should it be archived?
};
constexpr size_t kFilterPoints = 5;
std::string_view FilterPointName(FilterPoint point);

// The properties that a filter tests.  Those that are unknown at its point are not used.
struct FilterInput {
  const web::Url* url = nullptr;  // canonical; never null
  const web::Url* from =
      nullptr;  // at schedule: the page that links to it; null for a seed, as no page links to it
  uint32_t depth = 0;
  int status = 0;
  std::string_view type = {};  // "text/html", in lower case
  uint64_t length = 0;
  std::string_view language = {};
  uint64_t text_length = 0;
  bool duplicate = false;
};

// A value; immutable; any number of threads may use it.
class Filter {
 public:
  static constexpr size_t kMaxBytes = 1 << 16;
  static constexpr int kMaxNesting = 100;

  // Accepts everything.
  Filter() = default;
  // The empty text accepts everything.  InvalidArgument says what is wrong and at which column, followed by
  // the text and a mark below that column on separate lines.
  static Result<Filter> Parse(FilterPoint point, std::string_view text);
  // The names of the predicates available at a point, for help.
  static std::vector<std::string_view> PredicateNames(FilterPoint point);

  bool Accepts(const FilterInput& input) const { return Judge(input).accepted; }
  // Includes the test that decided: "path_ends_with(.zip)".  A view into the filter.
  struct Verdict {
    bool accepted = true;
    std::string_view because = {};
  };
  Verdict Judge(const FilterInput& input) const;

  // The canonical form, which parses to an equal filter.
  const std::string& text() const { return text_; }
  bool accepts_all() const { return tests_.empty() && start_ == kAccept; }

 private:
  friend class FilterParser;

  enum class Op : uint8_t;
  // A test of the program, with the jump targets for true and false.
  struct Test {
    Op op;
    uint32_t first = 0, last = 0;  // words of the filter
    uint64_t low = 0, high = 0;    // a range of numbers
    uint32_t text_at = 0, text_bytes = 0;
    int32_t if_true = 0, if_false = 0;
  };
  static constexpr int32_t kAccept = -1;
  static constexpr int32_t kReject = -2;

  bool Holds(const Test& test, const FilterInput& input) const;
  template <typename Matches>
  bool AnyWord(const Test& test, Matches matches) const {
    for (uint32_t i = test.first; i < test.last; i++) {
      if (matches(std::string_view(words_[i]))) return true;
    }
    return false;
  }

  std::string text_ = "true";
  std::vector<Test> tests_;
  std::vector<std::string> words_;
  int32_t start_ = kAccept;
};

// One filter for each point.
struct Filters {
  std::array<Filter, kFilterPoints> at = {};
  const Filter& operator[](FilterPoint point) const { return at[static_cast<size_t>(point)]; }

  // Parses the value of an option: "POINT=EXPRESSION".  Several for one point are joined by `and`.
  Status Add(std::string_view option);
};

// Whether the whole text matches `pattern`, in which * matches anything, even nothing.  Linear.
bool IsLike(std::string_view pattern, std::string_view text);

}  // namespace crivello::policy
