// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

enum class UsagePreference : uint8_t { kUnknown, kAllow, kDisallow };

// What a publisher prefers machines to do with a page, by category of use: "train-ai=n, search=y".  A
// response states it in Content-Usage fields, a robots.txt in lines of that name
// (draft-ietf-aipref-attach-05; the categories "train-ai" and "search" are those of
// draft-ietf-aipref-vocab in August 2026, and other labels are kept too).
//
// A value.  Statements of several sources are joined: what one of them disallows is disallowed.
class UsagePreferences {
 public:
  static constexpr size_t kMaxLabels = 32;
  static constexpr size_t kMaxLabelBytes = 64;

  // Of a dictionary (structured_dictionary.h): its members whose value is the token y or n, in their order,
  // up to kMaxLabels.  None if the text is not a dictionary.
  static UsagePreferences Parse(std::string_view text);

  void Add(const UsagePreferences& others);

  UsagePreference Of(std::string_view label) const;
  bool empty() const { return statements_.empty(); }
  // Parse() reads the same from it.
  std::string ToString() const;

  friend bool operator==(const UsagePreferences&, const UsagePreferences&) = default;

 private:
  struct Statement {
    std::string label;
    bool allow;
    friend bool operator==(const Statement&, const Statement&) = default;
  };
  std::vector<Statement> statements_;  // each label once
};

}  // namespace crivello::web
