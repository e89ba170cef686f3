// SPDX-License-Identifier: Apache-2.0
#include "bits/word_set.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

namespace crivello::bits {
namespace {

// The shortest word not comparable with any word of `sorted`, lexicographically first among equals.
std::optional<std::string> FirstMissing(std::span<const std::string> sorted) {
  std::deque<std::string> nodes = {""};  // prefixes of words, by length and then by order
  while (!nodes.empty()) {
    const std::string node = std::move(nodes.front());
    nodes.pop_front();
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), node);
    if (first == sorted.end() || !first->starts_with(node)) return node;
    if (*first == node) continue;  // a word: everything below it is comparable with it
    nodes.push_back(node + '0');
    nodes.push_back(node + '1');
  }
  return std::nullopt;
}

// The rest of one reading after the other is used up, and how it was reached.
struct Dangling {
  bool other_is_ahead = false;  // the reading whose last word the suffix belongs to
  std::string before;           // the previous suffix; empty at the start
  std::string word;             // the word that was added to the shorter reading
};

}  // namespace

Result<WordSet> WordSet::Of(std::vector<std::string> words) {
  if (words.empty()) return Status::InvalidArgument("a code needs at least one word");
  if (words.size() > kMaxWords) {
    return Status::InvalidArgument("the code has " + std::to_string(words.size()) +
                                   " words, but the limit is " + std::to_string(kMaxWords));
  }
  WordSet set;
  for (const std::string& word : words) {
    if (word.find_first_not_of("01") != std::string::npos) {
      return Status::InvalidArgument("invalid codeword '" + word + "': expected characters 0 and 1");
    }
    if (word.size() > kMaxKraftLength) {
      return Status::InvalidArgument("codeword '" + word + "' has " + std::to_string(word.size()) +
                                     " bits, but the limit is " + std::to_string(kMaxKraftLength));
    }
    set.sum_.Add(static_cast<unsigned>(word.size()));
  }
  std::vector<std::string> sorted = words;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    return Status::InvalidArgument("codeword '" + *twice + "' is given twice");
  }
  // In lexicographic order, if a word is a prefix of any other word, it is a prefix of the next one.
  for (size_t i = 1; i < sorted.size() && !set.prefix_; i++) {
    if (sorted[i].starts_with(sorted[i - 1])) set.prefix_ = Prefix{sorted[i - 1], sorted[i]};
  }
  set.missing_ = FirstMissing(sorted);
  set.words_ = std::move(words);
  return set;
}

std::optional<WordSet::Ambiguity> WordSet::FindAmbiguity() const {
  if (std::find(words_.begin(), words_.end(), "") != words_.end()) return Ambiguity{"", {}, {""}};
  // Breadth-first search over the suffixes, keeping the first path to each.
  struct Start {
    std::string behind, ahead;
  };
  std::map<std::string, Start, std::less<>> starts;
  std::map<std::string, Dangling, std::less<>> seen;
  std::deque<std::string> queue;
  for (const std::string& shorter : words_) {
    for (const std::string& longer : words_) {
      if (longer.size() <= shorter.size() || !longer.starts_with(shorter)) continue;
      const std::string suffix = longer.substr(shorter.size());
      if (!seen.emplace(suffix, Dangling{.other_is_ahead = true, .before = "", .word = ""}).second) continue;
      starts[suffix] = {shorter, longer};
      queue.push_back(suffix);
    }
  }
  const auto ambiguity = [&](std::string suffix) {
    // Backwards: the added words, each with the reading that was shorter then.
    std::vector<std::pair<bool, std::string>> added;  // (to `other`, word)
    bool other_is_behind = !seen.at(suffix).other_is_ahead;
    added.emplace_back(other_is_behind, suffix);
    while (!starts.contains(suffix)) {
      const Dangling& step = seen.at(suffix);
      const Dangling& before = seen.at(step.before);
      added.emplace_back(!before.other_is_ahead, step.word);
      suffix = step.before;
    }
    Ambiguity found;
    found.one.push_back(starts.at(suffix).behind);
    found.other.push_back(starts.at(suffix).ahead);
    for (auto it = added.rbegin(); it != added.rend(); ++it)
      (it->first ? found.other : found.one).push_back(it->second);
    for (const std::string& word : found.one) found.text += word;
    return found;
  };
  while (!queue.empty()) {
    const std::string suffix = std::move(queue.front());
    queue.pop_front();
    const bool other_is_ahead = seen.at(suffix).other_is_ahead;
    for (const std::string& word : words_) {
      if (word == suffix) return ambiguity(suffix);
      Dangling next = {.other_is_ahead = other_is_ahead, .before = suffix, .word = word};
      std::string rest;
      if (suffix.starts_with(word)) {
        rest = suffix.substr(word.size());
      } else if (word.starts_with(suffix)) {
        rest = word.substr(suffix.size());
        next.other_is_ahead = !other_is_ahead;
      } else {
        continue;
      }
      if (seen.emplace(rest, std::move(next)).second) queue.push_back(rest);
    }
  }
  return std::nullopt;
}

}  // namespace crivello::bits
