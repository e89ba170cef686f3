// SPDX-License-Identifier: Apache-2.0
#include "search/topk/windows.h"

#include <algorithm>

#include "search/topk/indirect_heap.h"

namespace crivello::search {
namespace {

// To the first position not less than p: by doubling steps, for words differ much in how often they occur.
size_t Gallop(PositionList list, size_t from, uint32_t p) {
  size_t step = 1;
  size_t end = from;
  while (end < list.size() && list[end] < p) {
    from = end + 1;
    end += step;
    step *= 2;
  }
  end = std::min(end, list.size());
  return static_cast<size_t>(std::lower_bound(list.begin() + static_cast<ptrdiff_t>(from),
                                              list.begin() + static_cast<ptrdiff_t>(end), p) -
                             list.begin());
}

}  // namespace

void BeginPhrase(PositionList word, uint32_t offset, std::vector<uint32_t>* starts) {
  for (const uint32_t position : word) {
    if (position >= offset) starts->push_back(position - offset);
  }
}

void ContinuePhrase(PositionList word, uint32_t offset, std::vector<uint32_t>* starts) {
  const bool much_longer = word.size() > 16 * starts->size();
  size_t kept = 0;
  size_t at = 0;
  for (const uint32_t start : *starts) {
    const uint32_t wanted = start + offset;
    if (much_longer) {
      at = Gallop(word, at, wanted);
    } else {
      while (at < word.size() && word[at] < wanted) at++;
    }
    if (at == word.size()) break;
    if (word[at] == wanted) (*starts)[kept++] = start;
  }
  starts->resize(kept);
}

void FindOrderedWindows(std::span<const PositionList> words, uint32_t width, std::vector<uint32_t>* out) {
  std::vector<size_t> at(words.size(), 0);
  size_t first = 0;
  while (first < words[0].size()) {
    // The interval of least end that begins here or later.
    uint32_t end = words[0][first];
    for (size_t i = 1; i < words.size(); i++) {
      at[i] = Gallop(words[i], at[i], end + 1);
      if (at[i] == words[i].size()) return;
      end = words[i][at[i]];
    }
    // Of all with this end, the one that begins last: backwards, each word as late as it may be.
    uint32_t start = end;
    for (size_t i = words.size() - 1; i-- > 0;) {
      const auto before = std::lower_bound(words[i].begin(), words[i].end(), start);
      start = *(before - 1);
    }
    if (end - start < width) out->push_back(start);
    first = Gallop(words[0], first, start + 1);
  }
}

void FindUnorderedWindows(std::span<const PositionList> words, uint32_t width, std::vector<uint32_t>* out) {
  std::vector<uint32_t> current;
  std::vector<size_t> at(words.size(), 0);
  uint32_t last = 0;
  for (const PositionList& word : words) {
    if (word.empty()) return;
    current.push_back(word[0]);
    last = std::max(last, word[0]);
  }
  IndirectHeap heap(current);
  uint64_t from = 0;  // starts below it are done
  for (;;) {
    // [start, last] has all words.  If the word that begins it can move on inside it, the rest is smaller.
    const uint32_t start = heap.top_doc();
    const size_t least = heap.top();
    const bool over = ++at[least] == words[least].size();
    if (over || words[least][at[least]] > last) {
      if (start >= from && last - start < width) out->push_back(start);
      from = uint64_t{start} + 1;
    }
    if (over) return;
    last = std::max(last, words[least][at[least]]);
    heap.Fix(words[least][at[least]]);
  }
}

}  // namespace crivello::search
