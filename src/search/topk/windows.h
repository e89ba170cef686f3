// SPDX-License-Identifier: Apache-2.0
// Where words stand near one another in a document, given the positions of each: pure functions, linear in
// the positions (by a logarithm more for unordered windows).
//
// A window is an interval of positions; only minimal ones count, which contain no other: so each stands for a
// place, and no place counts twice.  (Clarke, Cormack, Burkowski: An algebra for structured text search,
// 1995; Boldi, Vigna: Efficient optimally lazy algorithms for minimal-interval semantics, 2006.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::search {

using PositionList = std::span<const uint32_t>;

// Phrases, word by word: a phrase begins at p if word i stands at p + offset i, for all i.  So the lists are
// renumbered, and intersected.  The first word gives the places where one may begin; each other keeps those
// at which it stands.
void BeginPhrase(PositionList word, uint32_t offset, std::vector<uint32_t>* starts);
void ContinuePhrase(PositionList word, uint32_t offset, std::vector<uint32_t>* starts);

// The starts of the minimal intervals of at most `width` positions that have all words in this order, each
// at a position of its own.
void FindOrderedWindows(std::span<const PositionList> words, uint32_t width, std::vector<uint32_t>* out);

// The same in any order.  Two words may share a position.
void FindUnorderedWindows(std::span<const PositionList> words, uint32_t width, std::vector<uint32_t>* out);

}  // namespace crivello::search
