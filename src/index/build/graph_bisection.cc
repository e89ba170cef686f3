// SPDX-License-Identifier: Apache-2.0
#include "index/build/graph_bisection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>
#include <utility>

namespace crivello::index {
namespace {

constexpr size_t kLeaf = 16;
constexpr int kRounds = 20;

// log2(x), mostly of small numbers.
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

// Bisects ranges of the order, in place.  Disjoint ranges are independent.
class DocumentGraph::Bisector {
 public:
  Bisector(const DocumentGraph& graph, std::span<DocId> order) : order_(order) {
    uint64_t postings = 0;
    for (const uint32_t degree : graph.degrees_)
      starts_.push_back(std::exchange(postings, postings + degree));
    term_of_.resize(postings);
    ends_ = starts_;
    uint64_t at = 0;
    for (uint32_t term = 0; term < graph.ends_.size(); term++) {
      for (; at < graph.ends_[term]; at++) term_of_[ends_[graph.docs_[at]]++] = term;
    }
  }

  // The terms of the documents in the range are below `terms`.
  struct Range {
    size_t begin = 0;
    size_t end = 0;
    size_t terms = 0;
    size_t middle() const { return begin + (end - begin) / 2; }
  };
  void Run(const Range& range, unsigned threads) {
    Scratch scratch;
    Run(range, threads, &scratch);
  }

 private:
  // Data of the current range, by term; kept to reuse the memory.
  struct Scratch {
    std::vector<uint32_t> left, right;     // documents in each half
    std::vector<uint32_t> number;          // the new number of the term
    std::vector<float> to_right, to_left;  // the gain if a document with the term moves there
    // Documents of each half by the gain of moving them, the greatest first.
    std::vector<std::pair<float, uint32_t>> left_ranks, right_ranks;
  };
  static constexpr uint32_t kDropped = ~uint32_t{0};

  std::span<uint32_t> TermsOf(DocId doc) {
    return std::span(term_of_).subspan(starts_[doc], ends_[doc] - starts_[doc]);
  }

  void Run(Range range, unsigned threads, Scratch* scratch) {
    if (range.end - range.begin <= kLeaf) {
      std::sort(order_.data() + range.begin, order_.data() + range.end);
      return;
    }
    range.terms = Count(range, scratch);
    for (int round = 0; round < kRounds && Exchange(range, threads, scratch); round++) {
    }
    const Range left = {range.begin, range.middle(), range.terms};
    const Range right = {range.middle(), range.end, range.terms};
    if (threads > 1) {
      const std::jthread other([this, left, threads] { Run(left, threads / 2); });
      Run(right, threads - threads / 2, scratch);
    } else {
      Run(left, 1, scratch);
      Run(right, 1, scratch);
    }
  }

  // Counts the documents of each term in the halves.  Drops terms that one document of the range has, or all
  // have: neither here nor in the parts of the range do they say where a document belongs, and in small
  // ranges they are the majority.  Renumbers the others without gaps, so that their data are close together;
  // returns how many there are.
  size_t Count(const Range& range, Scratch* scratch) {
    scratch->left.assign(range.terms, 0);
    scratch->right.assign(range.terms, 0);
    scratch->number.assign(range.terms, kDropped);
    for (size_t i = range.begin; i < range.end; i++) {
      std::vector<uint32_t>& counts = i < range.middle() ? scratch->left : scratch->right;
      for (const uint32_t term : TermsOf(order_[i])) counts[term]++;
    }
    uint32_t terms = 0;
    for (size_t term = 0; term < range.terms; term++) {
      const uint32_t documents = scratch->left[term] + scratch->right[term];
      if (documents <= 1 || documents == range.end - range.begin) continue;
      scratch->left[terms] = scratch->left[term];
      scratch->right[terms] = scratch->right[term];
      scratch->number[term] = terms++;
    }
    for (size_t i = range.begin; i < range.end; i++) {
      uint64_t end = starts_[order_[i]];
      for (const uint32_t term : TermsOf(order_[i])) {
        if (scratch->number[term] != kDropped) term_of_[end++] = scratch->number[term];
      }
      ends_[order_[i]] = end;
    }
    return terms;
  }

  // The gain if a document of a term moves to the other half: the difference in bits of the term's gaps,
  // assuming that its documents are spread evenly over their half.
  void FindGains(const Range& range, Scratch* scratch) const {
    const float log_left = log2_(static_cast<uint32_t>(range.middle() - range.begin));
    const float log_right = log2_(static_cast<uint32_t>(range.end - range.middle()));
    const auto cost = [&](uint32_t left, uint32_t right) {
      return static_cast<float>(left) * (log_left - log2_(left + 1)) +
             static_cast<float>(right) * (log_right - log2_(right + 1));
    };
    scratch->to_right.resize(range.terms);
    scratch->to_left.resize(range.terms);
    for (size_t term = 0; term < range.terms; term++) {
      const uint32_t left = scratch->left[term];
      const uint32_t right = scratch->right[term];
      const float now = cost(left, right);
      scratch->to_right[term] = left > 0 ? now - cost(left - 1, right + 1) : 0;
      scratch->to_left[term] = right > 0 ? now - cost(left + 1, right - 1) : 0;
    }
  }

  void Rank(size_t begin, size_t end, std::span<const float> gains,
            std::vector<std::pair<float, uint32_t>>* ranks) {
    ranks->clear();
    for (size_t i = begin; i < end; i++) {
      const std::span<const uint32_t> terms = TermsOf(order_[i]);
      std::array<float, 4> sums = {};  // independent sums, so that additions do not wait for each other
      size_t at = 0;
      for (; at + 4 <= terms.size(); at += 4) {
        for (size_t j = 0; j < 4; j++) sums[j] += gains[terms[at + j]];
      }
      for (; at < terms.size(); at++) sums[0] += gains[terms[at]];
      ranks->emplace_back(-(sums[0] + sums[1] + sums[2] + sums[3]), static_cast<uint32_t>(i));
    }
    std::ranges::sort(*ranks);
  }

  // One round; returns whether any documents were exchanged.
  bool Exchange(const Range& range, unsigned threads, Scratch* scratch) {
    FindGains(range, scratch);
    const auto rank_left = [&] {
      Rank(range.begin, range.middle(), scratch->to_right, &scratch->left_ranks);
    };
    if (threads > 1) {
      const std::jthread other(rank_left);
      Rank(range.middle(), range.end, scratch->to_left, &scratch->right_ranks);
    } else {
      rank_left();
      Rank(range.middle(), range.end, scratch->to_left, &scratch->right_ranks);
    }
    const auto& left_ranks = scratch->left_ranks;
    const auto& right_ranks = scratch->right_ranks;
    size_t exchanged = 0;
    for (; exchanged < left_ranks.size(); exchanged++) {
      if (left_ranks[exchanged].first + right_ranks[exchanged].first >= 0) break;
      DocId& left = order_[left_ranks[exchanged].second];
      DocId& right = order_[right_ranks[exchanged].second];
      for (const uint32_t term : TermsOf(left)) {
        scratch->left[term]--;
        scratch->right[term]++;
      }
      for (const uint32_t term : TermsOf(right)) {
        scratch->right[term]--;
        scratch->left[term]++;
      }
      std::swap(left, right);
    }
    return exchanged > 0;
  }

  std::span<DocId> order_;
  std::vector<uint32_t> term_of_;  // terms of the documents, concatenated
  std::vector<uint64_t> starts_;   // of each document
  std::vector<uint64_t> ends_;     // end of the terms that still matter in the current range
  const Logarithms log2_;
};

void DocumentGraph::AddTerm(std::span<const DocId> docs) {
  docs_.insert(docs_.end(), docs.begin(), docs.end());
  ends_.push_back(docs_.size());
  for (const DocId doc : docs) degrees_[doc]++;
}

std::vector<DocId> DocumentGraph::Bisect(unsigned threads) && {
  std::vector<DocId> order(degrees_.size());
  for (DocId i = 0; i < order.size(); i++) order[i] = i;
  Bisector bisector(*this, order);
  docs_ = {};
  bisector.Run({0, order.size(), ends_.size()}, threads);
  return order;
}

}  // namespace crivello::index
