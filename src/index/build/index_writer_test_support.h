// SPDX-License-Identifier: Apache-2.0
// An index as a map of pages: the reference for IndexWriter.  Included by _test.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "index/build/index_writer.h"

namespace crivello::index {

// The end of a version that is current.
constexpr int64_t kForever = INT64_MAX;

struct PlainVersion {
  std::string words;
  int64_t until = kForever;
  friend bool operator==(const PlainVersion&, const PlainVersion&) = default;
};
// By URL and the time from which it is current.
using PlainIndexState = std::map<std::pair<std::string, int64_t>, PlainVersion>;

// The expected behaviour of an IndexWriter.
class PlainWriter {
 public:
  explicit PlainWriter(bool versions) : versions_(versions) {}
  void Add(const std::string& url, int64_t from, const std::string& words) {
    for (auto at = state_.lower_bound({url, INT64_MIN}); at != state_.end() && at->first.first == url;) {
      if (versions_ && at->second.until == kForever) at->second.until = from;
      at = versions_ ? std::next(at) : state_.erase(at);
    }
    state_[{url, from}] = {words};
  }
  void Delete(const std::string& url) {
    state_.erase(state_.lower_bound({url, INT64_MIN}), state_.upper_bound({url, INT64_MAX}));
  }
  const PlainIndexState& state() const { return state_; }

 private:
  bool versions_;
  PlainIndexState state_;
};

inline IndexDocument PageDocument(const std::string& url, int64_t from, const std::string& words) {
  IndexDocument document;
  document.url = url;
  document.texts = {{"body", words}};
  document.keywords = {{"site", url.substr(0, 1)}};
  document.numbers = {{"from", from}};
  return document;
}

// All live documents of a snapshot, each with its words as read from the posting lists.
inline PlainIndexState StateOf(const Snapshot& snapshot) {
  PlainIndexState state;
  for (const SegmentView& view : snapshot.segments()) {
    const Segment& segment = *view.segment;
    std::map<DocId, std::map<uint32_t, std::string>> words;
    if (const FieldView* body = segment.field("body")) {
      for (TermCursor term = body->terms.Begin(); term.valid(); term.Next()) {
        auto list = body->Open(term.entry());
        EXPECT_TRUE(list.ok()) << list.status().ToString();
        for (; list->doc() != kEndDoc; list->Next()) {
          for (const uint32_t position : list->positions()) words[list->doc()][position] = term.term();
        }
      }
    }
    TextReader texts(segment.texts());
    for (DocId doc = 0; doc < segment.documents(); doc++) {
      if (!view.IsLive(doc)) continue;
      PlainVersion version;
      for (const auto& [position, word] : words[doc])
        version.words += (version.words.empty() ? "" : " ") + word;
      if (view.live != nullptr) version.until = view.live->UntilOf(doc).value_or(kForever);
      EXPECT_EQ(view.IsCurrent(doc), version.until == kForever);
      const auto stored = texts.Get(doc);
      EXPECT_TRUE(stored.ok()) << stored.status().ToString();
      const std::pair<std::string, int64_t> key(stored->url, (*segment.values().numbers(column::kFrom))[doc]);
      EXPECT_TRUE(state.emplace(key, version).second) << "twice: " << key.first << " from " << key.second;
    }
  }
  return state;
}

// Makes additions and deletions that depend only on `step`, on a writer (if given) and on the reference.
inline Status DoStep(uint64_t step, IndexWriter* writer, PlainWriter* plain) {
  SeededRandom random(step);
  for (uint64_t left = 1 + random.Below(6); left > 0; left--) {
    const std::string url =
        std::string(1, static_cast<char>('a' + random.Below(3))) + "/" + std::to_string(random.Below(12));
    if (random.Below(5) == 0) {
      plain->Delete(url);
      if (writer != nullptr) CRV_TRY(writer->Delete(url));
      continue;
    }
    std::string words = "w" + std::to_string(random.Below(10));
    for (uint64_t more = random.Below(4); more > 0; more--) words += " w" + std::to_string(random.Below(100));
    const auto from = static_cast<int64_t>(step * 10 + left);
    plain->Add(url, from, words);
    if (writer != nullptr) CRV_TRY(writer->Add(PageDocument(url, from, words)));
  }
  return Status::Ok();
}

}  // namespace crivello::index
