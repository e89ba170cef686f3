// SPDX-License-Identifier: Apache-2.0
#include "index/build/run_merger.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "index/build/ordered_work.h"
#include "index/postings/format_support.h"

namespace crivello::index {
namespace {

// A job ends when its postings have this many bytes.
constexpr size_t kRunJobBytes = size_t{512} << 10;

}  // namespace

// The postings of some terms, first as in the runs, then encoded.
struct RunMerger::Job {
  struct Part {
    const Run* run;
    size_t bytes;
  };
  std::vector<Part> parts;
  std::vector<uint32_t> parts_of_term;
  std::vector<uint8_t> postings;
  MergedLists merged;
  Status status;
};

class RunMerger::Worker {
 public:
  explicit Worker(const PostingOptions& options) : contents_(options.contents), encoder_(options) {}

  Status Encode(Job& job) {
    Bytes rest = std::as_bytes(std::span(job.postings));
    const Job::Part* part = job.parts.data();
    for (const uint32_t parts : job.parts_of_term) {
      for (const Job::Part* end = part + parts; part < end; part++) {
        CRV_TRY(DecodePostings(contents_, rest.first(part->bytes), part->run->first, part->run->documents,
                               &positions_, &encoder_));
        rest = rest.subspan(part->bytes);
      }
      CRV_TRY(encoder_.FinishList(&job.merged.lists));
    }
    job.postings = {};
    return Status::Ok();
  }

 private:
  PostingContents contents_;
  PostingEncoder encoder_;
  std::vector<uint32_t> positions_;
};

Result<RunMerger> RunMerger::Open(const Options& options, std::span<const RunPlace> runs) {
  RunMerger merger(options);
  if (options.contents != PostingContents::kDocuments) merger.lengths_.reserve(options.documents);
  for (const RunPlace& place : runs) {
    Run& run = merger.runs_.emplace_back(Run{.reader = RunReader(options.contents, place)});
    run.first = merger.documents_;
    CRV_ASSIGN(run.documents, run.reader.ReadLengths(&merger.lengths_));
    if (run.documents >= kEndDoc - merger.documents_)
      return Status::InvalidArgument("merge: too many documents");
    merger.documents_ += run.documents;
  }
  return merger;
}

Status RunMerger::Merge(const std::function<Status(const MergedLists& lists)>& sink) {
  std::deque<Worker> workers;
  for (unsigned i = 0; i < options_.threads; i++) {
    workers.emplace_back(PostingOptions{options_.format, options_.contents, lengths_});
  }
  OrderedWork<Job> work(
      options_.threads, [&workers](unsigned thread, Job& job) { job.status = workers[thread].Encode(job); },
      [&sink](Job& job) {
        CRV_TRY(job.status);
        return sink(job.merged);
      });

  // The run with the least term is on top; among equals the first.
  const auto after = [](const Run* a, const Run* b) {
    const int order = a->reader.term().compare(b->reader.term());
    return order != 0 ? order > 0 : a->first > b->first;
  };
  std::vector<Run*> heap;
  for (Run& run : runs_) {
    CRV_ASSIGN(const bool more, run.reader.Next());
    if (more) heap.push_back(&run);
  }
  std::ranges::make_heap(heap, after);

  Job job;
  std::string term;
  while (!heap.empty()) {
    term.assign(heap.front()->reader.term());
    uint32_t parts = 0;
    while (!heap.empty() && heap.front()->reader.term() == term) {
      std::ranges::pop_heap(heap, after);
      Run* run = heap.back();
      const Bytes postings = run->reader.postings();
      AppendBytes(postings, &job.postings);
      job.parts.push_back({run, postings.size()});
      parts++;
      CRV_ASSIGN(const bool more, run->reader.Next());
      if (more) {
        std::ranges::push_heap(heap, after);
      } else {
        heap.pop_back();
      }
    }
    job.parts_of_term.push_back(parts);
    job.merged.terms.append(term);
    job.merged.term_bytes.push_back(static_cast<uint32_t>(term.size()));
    if (job.postings.size() >= kRunJobBytes) CRV_TRY(work.Give(std::exchange(job, Job())));
  }
  if (!job.parts.empty()) CRV_TRY(work.Give(std::move(job)));
  return work.Finish();
}

}  // namespace crivello::index
