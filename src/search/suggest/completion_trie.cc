// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/completion_trie.h"

#include <marisa.h>

#include <algorithm>
#include <exception>
#include <set>

namespace crivello::search {
namespace {

constexpr size_t kNumberBytes = 5;  // a zero, and the number of the text

std::string TrieKey(const CompletionTrie::Key& key) {
  std::string bytes = key.key;
  bytes += '\0';
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(key.text >> shift & 0xff);
  return bytes;
}
uint32_t TextOf(std::string_view trie_key) {
  uint32_t text = 0;
  for (const char c : trie_key.substr(trie_key.size() - kNumberBytes + 1)) {
    text = text << 8 | static_cast<uint8_t>(c);
  }
  return text;
}

}  // namespace

struct CompletionTrie::Trie {
  marisa::Trie trie;
};

CompletionTrie::CompletionTrie() : trie_(std::make_unique<Trie>()) {}
CompletionTrie::~CompletionTrie() = default;
CompletionTrie::CompletionTrie(CompletionTrie&&) noexcept = default;

std::vector<CompletionTrie::Found> CompletionTrie::Best(std::vector<Found> found) {
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.text < b.text;
  });
  std::vector<Found> best;
  std::set<uint32_t> seen;
  for (const Found& one : found) {
    if (best.size() < kMaxCount && seen.insert(one.text).second) best.push_back(one);
  }
  return best;
}

Result<CompletionTrie> CompletionTrie::Build(std::vector<std::string> texts, std::vector<Key> keys) {
  CompletionTrie out;
  out.texts_ = std::move(texts);
  std::vector<std::pair<std::string, Found>> sorted;
  for (const Key& key : keys) sorted.emplace_back(TrieKey(key), Found{key.weight, key.text});
  // A text that has a key twice has it once, with the greater weight.
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.weight > b.second.weight;
  });
  const auto repeated = std::unique(sorted.begin(), sorted.end(),
                                    [](const auto& a, const auto& b) { return a.first == b.first; });
  sorted.erase(repeated, sorted.end());
  try {
    marisa::Keyset keyset;
    for (const auto& [bytes, found] : sorted) keyset.push_back(bytes.data(), bytes.size());
    out.trie_->trie.build(keyset);
    out.weights_.resize(sorted.size());
    for (size_t i = 0; i < sorted.size(); i++) out.weights_[keyset[i].id()] = sorted[i].second.weight;
  } catch (const std::exception& e) {
    return Status::Unavailable(std::string("completions: ") + e.what());
  }
  for (size_t length = 0, more = 1; more > 0; length++) {
    more = 0;
    const auto prefix = [&](size_t i) { return std::string_view(sorted[i].first).substr(0, length); };
    for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      for (end = begin; end < sorted.size() && prefix(end) == prefix(begin); end++) {
      }
      if (end - begin <= kScanned) continue;
      more++;
      std::vector<Found> all;
      for (size_t i = begin; i < end; i++) all.push_back(sorted[i].second);
      out.kept_.emplace(prefix(begin), Best(std::move(all)));
    }
  }
  return out;
}

std::vector<CompletionTrie::Completion> CompletionTrie::Find(std::string_view prefix, size_t count) const {
  std::vector<Found> best;
  if (const auto kept = kept_.find(prefix); kept != kept_.end()) {
    best = kept->second;
  } else if (!weights_.empty()) {
    try {
      marisa::Agent agent;
      agent.set_query(prefix.data(), prefix.size());
      while (trie_->trie.predictive_search(agent)) {
        best.push_back({weights_[agent.key().id()], TextOf({agent.key().ptr(), agent.key().length()})});
      }
    } catch (const std::exception&) {
      return {};  // no memory: nothing to complete with
    }
    best = Best(std::move(best));
  }
  std::vector<Completion> completions;
  for (const Found& one : best) {
    if (completions.size() < count) completions.push_back({texts_[one.text], one.weight});
  }
  return completions;
}

uint64_t CompletionTrie::bytes() const {
  uint64_t bytes = trie_->trie.total_size() + 4 * weights_.size();
  for (const std::string& text : texts_) bytes += sizeof(text) + (text.capacity() > 15 ? text.capacity() : 0);
  return bytes;
}

}  // namespace crivello::search
