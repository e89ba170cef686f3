// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

enum class UsagePreference : uint8_t { kUnknown, kAllow, kDisallow };

// How a publisher wants machines to use a page, by category of use: "train-ai=n, search=y". A response states
// it in Content-Usage fields, a robots.txt in lines of that name (draft-ietf-aipref-attach-05). The
// categories "train-ai" and "search" are those of draft-ietf-aipref-vocab in August 2026; other labels are
// kept too.
//
// A value. Statements from several sources are joined: a use is disallowed if any of them disallows it.
class UsagePreferences {
 public:
  static constexpr size_t kMaxLabels = 32;
  static constexpr size_t kMaxLabelBytes = 64;

  // Parses a dictionary (structured_dictionary.h): its members with the token y or n as value, in order, up
  // to kMaxLabels. Empty if the text is not a dictionary.
  static UsagePreferences Parse(std::string_view text);

  void Add(const UsagePreferences& others);

  UsagePreference Of(std::string_view label) const;
  bool empty() const { return statements_.empty(); }
  // Parse() of the result gives the same preferences.
  std::string ToString() const;

  friend bool operator==(const UsagePreferences&, const UsagePreferences&) = default;

 private:
  struct Statement {
    std::string label;
    bool allow;
    friend bool operator==(const Statement&, const Statement&) = default;
  };
  std::vector<Statement> statements_;  // each label at most once
};

}  // namespace crivello::web
