// SPDX-License-Identifier: Apache-2.0
#include "index/graph_bisection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>
#include <utility>

namespace crivello::index {
namespace {

constexpr size_t kLeaf = 16;
constexpr int kRounds = 20;

// log2(x), most often of few.
class Logarithms {
 public:
  Logarithms() {
    for (size_t i = 1; i < few_.size(); i++) few_[i] = std::log2(static_cast<float>(i));
  }
  float operator()(uint32_t x) const { return x < few_.size() ? few_[x] : std::log2(static_cast<float>(x)); }

 private:
  std::array<float, 4096> few_ = {};
};

}  // namespace

// Bisects ranges of the order, in place.  Ranges that do not meet are independent of one another.
class DocumentGraph::Bisector {
 public:
  Bisector(const DocumentGraph& graph, std::span<DocId> order) : terms_(graph.terms_), order_(order) {
    uint64_t postings = 0;
    for (const uint32_t degree : graph.degrees_)
      starts_.push_back(std::exchange(postings, postings + degree));
    term_of_.resize(postings);
    ends_ = starts_;
    uint64_t at = 0;
    for (uint32_t term = 0; term < terms_; term++) {
      for (; at < graph.ends_[term]; at++) term_of_[ends_[graph.docs_[at]]++] = term;
    }
  }

  void Run(size_t begin, size_t end, unsigned threads) {
    Scratch scratch(terms_);
    Run(begin, end, threads, &scratch);
  }

 private:
  // What is known of a term in the range at hand; all zero outside of Bisect().
  struct TermState {
    uint32_t left = 0;  // documents in the left half
    uint32_t right = 0;
    uint32_t round = 0;  // of the gains
    float to_right = 0;  // what is gained if one of them moves there
    float to_left = 0;
  };
  struct Scratch {
    explicit Scratch(uint32_t terms) : states(terms) {}
    std::vector<TermState> states;
    // Documents of each half, by what is gained if they move.
    std::vector<std::pair<float, uint32_t>> left, right;
  };

  std::span<uint32_t> TermsOf(DocId doc) {
    return std::span(term_of_).subspan(starts_[doc], ends_[doc] - starts_[doc]);
  }

  void Run(size_t begin, size_t end, unsigned threads, Scratch* scratch) {
    if (end - begin <= kLeaf) {
      std::sort(order_.data() + begin, order_.data() + end);
      return;
    }
    const size_t middle = begin + (end - begin) / 2;
    Bisect(begin, middle, end, threads, scratch);
    if (threads <= 1) {
      Run(begin, middle, 1, scratch);
      Run(middle, end, 1, scratch);
      return;
    }
    const std::jthread other([this, begin, middle, threads] { Run(begin, middle, threads / 2); });
    Run(middle, end, threads - threads / 2, scratch);
  }

  // Exchanges documents of the halves [begin, middle) and [middle, end).
  void Bisect(size_t begin, size_t middle, size_t end, unsigned threads, Scratch* scratch) {
    std::vector<TermState>& states = scratch->states;
    for (size_t i = begin; i < middle; i++) {
      for (const uint32_t term : TermsOf(order_[i])) states[term].left++;
    }
    for (size_t i = middle; i < end; i++) {
      for (const uint32_t term : TermsOf(order_[i])) states[term].right++;
    }
    for (size_t i = begin; i < end; i++) Thin(order_[i], static_cast<uint32_t>(end - begin), &states);
    for (int round = 1; round <= kRounds; round++) {
      if (!Exchange({begin, middle, end, static_cast<uint32_t>(round)}, threads, scratch)) break;
    }
    for (size_t i = begin; i < end; i++) {
      for (const uint32_t term : TermsOf(order_[i])) states[term] = TermState();
    }
  }

  // Drops the terms that no other document of the range has, or all have: neither here nor in its parts do
  // they say where the document belongs.  Deep down these are most.
  void Thin(DocId doc, uint32_t size, std::vector<TermState>* states) {
    uint64_t end = starts_[doc];
    for (const uint32_t term : TermsOf(doc)) {
      TermState& state = (*states)[term];
      const uint32_t total = state.left + state.right;
      if (1 < total && total < size) {
        term_of_[end++] = term;
      } else {
        state = TermState();  // so that the others that have it drop it as well
      }
    }
    ends_[doc] = end;
  }

  struct Round {
    size_t begin;
    size_t middle;
    size_t end;
    uint32_t number;
  };

  // What the documents of a term gain by moving, if they lie in their half by chance: differences of the bits
  // that the gaps take.
  void FindGains(const Round& round, TermState* state) const {
    const float log_left = log2_(static_cast<uint32_t>(round.middle - round.begin));
    const float log_right = log2_(static_cast<uint32_t>(round.end - round.middle));
    const auto cost = [&](uint32_t left, uint32_t right) {
      return static_cast<float>(left) * (log_left - log2_(left + 1)) +
             static_cast<float>(right) * (log_right - log2_(right + 1));
    };
    const float now = cost(state->left, state->right);
    if (state->left > 0) state->to_right = now - cost(state->left - 1, state->right + 1);
    if (state->right > 0) state->to_left = now - cost(state->left + 1, state->right - 1);
    state->round = round.number;
  }

  // Documents [begin, end) of the order by what is gained if they move, the most first.
  void Rank(const Round& round, size_t begin, size_t end, std::vector<TermState>* states,
            std::vector<std::pair<float, uint32_t>>* ranked) {
    const auto direction = begin < round.middle ? &TermState::to_right : &TermState::to_left;
    ranked->clear();
    for (size_t i = begin; i < end; i++) {
      float gain = 0;
      for (const uint32_t term : TermsOf(order_[i])) {
        TermState& state = (*states)[term];
        if (state.round != round.number) FindGains(round, &state);
        gain += state.*direction;
      }
      ranked->emplace_back(-gain, static_cast<uint32_t>(i));
    }
    std::ranges::sort(*ranked);
  }

  // One round; whether any were exchanged.
  bool Exchange(const Round& round, unsigned threads, Scratch* scratch) {
    std::vector<TermState>& states = scratch->states;
    const auto rank_left = [&] { Rank(round, round.begin, round.middle, &states, &scratch->left); };
    const auto rank_right = [&] { Rank(round, round.middle, round.end, &states, &scratch->right); };
    if (threads > 1) {
      // With all gains found before, they are only read.
      for (TermState& state : states) FindGains(round, &state);
      const std::jthread other(rank_left);
      rank_right();
    } else {
      rank_left();
      rank_right();
    }
    size_t exchanged = 0;
    const size_t most = std::min(scratch->left.size(), scratch->right.size());
    while (exchanged < most && scratch->left[exchanged].first + scratch->right[exchanged].first < 0) {
      DocId& left = order_[scratch->left[exchanged].second];
      DocId& right = order_[scratch->right[exchanged].second];
      for (const uint32_t term : TermsOf(left)) {
        states[term].left--;
        states[term].right++;
      }
      for (const uint32_t term : TermsOf(right)) {
        states[term].right--;
        states[term].left++;
      }
      std::swap(left, right);
      exchanged++;
    }
    return exchanged > 0;
  }

  const uint32_t terms_;
  std::span<DocId> order_;
  std::vector<uint32_t> term_of_;  // terms of the documents, one after the other
  std::vector<uint64_t> starts_;   // of each document
  std::vector<uint64_t> ends_;     // those that still matter
  const Logarithms log2_;
};

void DocumentGraph::AddTerm(std::span<const DocId> docs) {
  docs_.insert(docs_.end(), docs.begin(), docs.end());
  ends_.push_back(docs_.size());
  terms_++;
  for (const DocId doc : docs) degrees_[doc]++;
}

std::vector<DocId> DocumentGraph::Bisect(unsigned threads) && {
  std::vector<DocId> order(degrees_.size());
  for (DocId i = 0; i < order.size(); i++) order[i] = i;
  Bisector bisector(*this, order);
  docs_ = {};
  bisector.Run(0, order.size(), threads);
  return order;
}

}  // namespace crivello::index
