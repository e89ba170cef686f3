// SPDX-License-Identifier: Apache-2.0
#include "web/http/usage_preferences.h"

#include <algorithm>

#include "web/http/structured_dictionary.h"

namespace crivello::web {

UsagePreferences UsagePreferences::Parse(std::string_view text) {
  UsagePreferences preferences;
  const auto members = ParseDictionary(text);
  if (!members) return preferences;
  for (const DictionaryMember& member : *members) {
    if (preferences.statements_.size() == kMaxLabels) break;
    if (member.key.size() > kMaxLabelBytes || (member.token != "y" && member.token != "n")) continue;
    preferences.statements_.push_back({std::string(member.key), member.token == "y"});
  }
  return preferences;
}

void UsagePreferences::Add(const UsagePreferences& others) {
  for (const Statement& other : others.statements_) {
    const auto same = std::find_if(statements_.begin(), statements_.end(),
                                   [&](const Statement& s) { return s.label == other.label; });
    if (same != statements_.end()) {
      same->allow = same->allow && other.allow;
    } else if (statements_.size() < kMaxLabels) {
      statements_.push_back(other);
    }
  }
}

UsagePreference UsagePreferences::Of(std::string_view label) const {
  for (const Statement& statement : statements_) {
    if (statement.label == label)
      return statement.allow ? UsagePreference::kAllow : UsagePreference::kDisallow;
  }
  return UsagePreference::kUnknown;
}

std::string UsagePreferences::ToString() const {
  std::string text;
  for (const Statement& statement : statements_) {
    if (!text.empty()) text += ", ";
    text += statement.label;
    text += statement.allow ? "=y" : "=n";
  }
  return text;
}

}  // namespace crivello::web
