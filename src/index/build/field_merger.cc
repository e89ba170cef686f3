// SPDX-License-Identifier: Apache-2.0
#include "index/build/field_merger.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "index/build/ordered_work.h"

namespace crivello::index {
namespace {

// A job ends when its lists have about this many bytes of documents.
constexpr uint64_t kFieldJobBytes = uint64_t{128} << 10;

// Terms with the sources that have them, and later their lists.
struct Job {
  struct Part {
    uint32_t source;
    uint64_t start;
  };
  std::string terms;
  std::vector<uint32_t> term_bytes;
  std::vector<uint32_t> parts_of_term;
  std::vector<Part> parts;
  uint64_t bytes = 0;
  MergedLists merged;
  Status status;
};

class Worker {
 public:
  Worker(const FieldMergerOptions& options, std::span<const FieldSource> sources)
      : contents_(options.postings.contents),
        sorted_(options.sorted),
        sources_(sources),
        encoder_(options.postings) {}

  Status Encode(Job& job) {
    std::string_view terms = job.terms;
    std::span<const Job::Part> parts = job.parts;
    for (size_t i = 0; i < job.term_bytes.size(); i++) {
      const std::string_view term = terms.substr(0, job.term_bytes[i]);
      bool any = false;
      for (const Job::Part& part : parts.first(job.parts_of_term[i])) {
        CRV_ASSIGN(const bool some, Read(part));
        any |= some;
      }
      if (!sorted_) AddInOrder();
      terms.remove_prefix(term.size());
      parts = parts.subspan(job.parts_of_term[i]);
      if (!any) continue;
      CRV_TRY(encoder_.FinishList(&job.merged.lists));
      job.merged.terms.append(term);
      job.merged.term_bytes.push_back(static_cast<uint32_t>(term.size()));
    }
    return Status::Ok();
  }

 private:
  struct Posting {
    DocId doc;
    uint32_t count;
    uint64_t positions;  // in positions_
  };

  // Reads the postings of the remaining documents of a list; returns whether there are any.
  Result<bool> Read(const Job::Part& part) {
    const FieldSource& source = sources_[part.source];
    CRV_ASSIGN(PostingCursor cursor, source.field->lists.Open(part.start));
    bool any = false;
    for (; cursor.doc() != kEndDoc; cursor.Next()) {
      if (cursor.doc() >= source.map.size()) return Damaged(source);
      const DocId doc = source.map[cursor.doc()];
      if (doc == kEndDoc) continue;
      any = true;
      const uint32_t count = contents_ != PostingContents::kDocuments ? cursor.count() : 1;
      std::span<const uint32_t> positions;
      if (contents_ == PostingContents::kPositions) positions = cursor.positions();
      if (sorted_) {
        encoder_.Add(doc, count, positions);
      } else {
        postings_.push_back({doc, count, positions_.size()});
        positions_.insert(positions_.end(), positions.begin(), positions.end());
      }
    }
    return cursor.ok() ? Result<bool>(any) : Damaged(source);
  }

  void AddInOrder() {
    std::ranges::sort(postings_, {}, &Posting::doc);
    for (const Posting& posting : postings_) {
      const bool with = contents_ == PostingContents::kPositions;
      encoder_.Add(posting.doc, posting.count,
                   std::span(positions_).subspan(posting.positions, with ? posting.count : 0));
    }
    postings_.clear();
    positions_.clear();
  }

  static Status Damaged(const FieldSource& source) {
    return Status::Corruption("merge: corrupt posting list of field " + source.field->name);
  }

  PostingContents contents_;
  bool sorted_;
  std::span<const FieldSource> sources_;
  PostingEncoder encoder_;
  std::vector<Posting> postings_;
  std::vector<uint32_t> positions_;
};

struct SourceWalk {
  TermCursor terms;
  uint32_t source;
};

}  // namespace

Status MergeFields(const FieldMergerOptions& options, std::span<const FieldSource> sources,
                   const std::function<Status(const MergedLists& lists)>& sink) {
  std::deque<Worker> workers;
  for (unsigned i = 0; i < options.threads; i++) workers.emplace_back(options, sources);
  OrderedWork<Job> work(
      options.threads, [&workers](unsigned thread, Job& job) { job.status = workers[thread].Encode(job); },
      [&sink](Job& job) {
        CRV_TRY(job.status);
        return sink(job.merged);
      });

  std::deque<SourceWalk> walks;
  std::vector<SourceWalk*> heap;  // the least term on top; among equals the first source
  const auto after = [](const SourceWalk* a, const SourceWalk* b) {
    const int order = a->terms.term().compare(b->terms.term());
    return order != 0 ? order > 0 : a->source > b->source;
  };
  for (uint32_t i = 0; i < sources.size(); i++) {
    walks.push_back({sources[i].field->terms.Begin(), i});
    if (walks.back().terms.valid()) heap.push_back(&walks.back());
  }
  std::ranges::make_heap(heap, after);

  Job job;
  std::string term;
  while (!heap.empty()) {
    term.assign(heap.front()->terms.term());
    uint32_t parts = 0;
    while (!heap.empty() && heap.front()->terms.term() == term) {
      std::ranges::pop_heap(heap, after);
      SourceWalk* walk = heap.back();
      const uint64_t start = walk->terms.start();
      job.parts.push_back({walk->source, start});
      parts++;
      walk->terms.Next();
      if (walk->terms.valid()) {
        if (walk->terms.term() <= term) return Status::Corruption("merge: corrupt: terms do not increase");
        job.bytes += walk->terms.start() - start;
        std::ranges::push_heap(heap, after);
      } else {
        heap.pop_back();
      }
    }
    job.terms.append(term);
    job.term_bytes.push_back(static_cast<uint32_t>(term.size()));
    job.parts_of_term.push_back(parts);
    if (job.bytes >= kFieldJobBytes) CRV_TRY(work.Give(std::exchange(job, Job())));
  }
  if (!job.parts.empty()) CRV_TRY(work.Give(std::move(job)));
  return work.Finish();
}

}  // namespace crivello::index
