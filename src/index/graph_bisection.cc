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
    starts_.reserve(graph.degrees_.size() + 1);
    starts_.push_back(0);
    for (const uint32_t degree : graph.degrees_) starts_.push_back(starts_.back() + degree);
    term_of_.resize(starts_.back());
    std::vector<uint64_t> ends(starts_.begin(), starts_.end() - 1);
    uint64_t at = 0;
    for (uint32_t term = 0; term < terms_; term++) {
      for (; at < graph.ends_[term]; at++) term_of_[ends[graph.docs_[at]]++] = term;
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

  std::span<const uint32_t> TermsOf(DocId doc) const {
    return std::span(term_of_).subspan(starts_[doc], starts_[doc + 1] - starts_[doc]);
  }

  void Run(size_t begin, size_t end, unsigned threads, Scratch* scratch) {
    if (end - begin <= kLeaf) {
      std::sort(order_.data() + begin, order_.data() + end);
      return;
    }
    const size_t middle = begin + (end - begin) / 2;
    Bisect(begin, middle, end, scratch);
    if (threads <= 1) {
      Run(begin, middle, 1, scratch);
      Run(middle, end, 1, scratch);
      return;
    }
    const std::jthread other([this, begin, middle, threads] { Run(begin, middle, threads / 2); });
    Run(middle, end, threads - threads / 2, scratch);
  }

  // Exchanges documents of the halves [begin, middle) and [middle, end).
  void Bisect(size_t begin, size_t middle, size_t end, Scratch* scratch) {
    std::vector<TermState>& states = scratch->states;
    for (size_t i = begin; i < middle; i++) {
      for (const uint32_t term : TermsOf(order_[i])) states[term].left++;
    }
    for (size_t i = middle; i < end; i++) {
      for (const uint32_t term : TermsOf(order_[i])) states[term].right++;
    }
    for (int round = 1; round <= kRounds; round++) {
      if (!Exchange(begin, middle, end, static_cast<uint32_t>(round), scratch)) break;
    }
    for (size_t i = begin; i < end; i++) {
      for (const uint32_t term : TermsOf(order_[i])) states[term] = TermState();
    }
  }

  // One round; whether any were exchanged.
  bool Exchange(size_t begin, size_t middle, size_t end, uint32_t round, Scratch* scratch) {
    std::vector<TermState>& states = scratch->states;
    const float log_left = std::log2(static_cast<float>(middle - begin));
    const float log_right = std::log2(static_cast<float>(end - middle));
    // The bits that documents of a term in a half take, if they lie there by chance.
    const auto cost = [&](uint32_t left, uint32_t right) {
      return static_cast<float>(left) * (log_left - log2_(left + 1)) +
             static_cast<float>(right) * (log_right - log2_(right + 1));
    };
    const auto gain = [&](DocId doc, float TermState::*direction) {
      float sum = 0;
      for (const uint32_t term : TermsOf(doc)) {
        TermState& state = states[term];
        if (state.round != round) {
          state.round = round;
          const float now = cost(state.left, state.right);
          if (state.left > 0) state.to_right = now - cost(state.left - 1, state.right + 1);
          if (state.right > 0) state.to_left = now - cost(state.left + 1, state.right - 1);
        }
        sum += state.*direction;
      }
      return sum;
    };
    scratch->left.clear();
    scratch->right.clear();
    for (size_t i = begin; i < middle; i++) {
      scratch->left.emplace_back(-gain(order_[i], &TermState::to_right), static_cast<uint32_t>(i));
    }
    for (size_t i = middle; i < end; i++) {
      scratch->right.emplace_back(-gain(order_[i], &TermState::to_left), static_cast<uint32_t>(i));
    }
    std::ranges::sort(scratch->left);
    std::ranges::sort(scratch->right);
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
  std::vector<uint64_t> starts_;   // of the documents
  std::vector<uint32_t> term_of_;  // terms of the documents, one after the other
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
