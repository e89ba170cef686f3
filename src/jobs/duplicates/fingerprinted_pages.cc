// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/fingerprinted_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/folder.h"
#include "dedup/discovery/run_tasks.h"
#include "graph/names/name_list_writer.h"
#include "jobs/duplicates/duplicates_folder.h"
#include "jobs/duplicates/page_texts.h"

namespace crivello::jobs {
namespace {

// Texts that are read before they are fingerprinted, in all threads.
constexpr size_t kTextsAtOnce = 256;
constexpr uint64_t kTextBytesAtOnce = 16 << 20;
// A search costs a step per run, and a walk costs more, so the number of runs is limited.
constexpr size_t kMostRuns = 256;
constexpr uint32_t kMostDocuments = UINT32_MAX - 1;
constexpr std::string_view kPageForm = "row-key digest";

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Makes runs from texts in key order.
class RunMaker {
 public:
  static Result<RunMaker> Create(const std::string& folder, const FingerprintPagesOptions& options,
                                 size_t runs, uint32_t documents) {
    RunMaker maker(folder, options, runs, documents);
    for (unsigned i = 0; i < std::max(options.threads, 1u); i++) {
      CRV_ASSIGN(dedup::Fingerprinter one, dedup::Fingerprinter::Create(options.fingerprints));
      maker.fingerprinters_.push_back(std::move(one));
    }
    return maker;
  }

  Status Add(std::string name, std::string text) {
    waiting_bytes_ += text.size();
    waiting_.push_back({std::move(name), std::move(text), {}});
    const bool full = waiting_.size() == kTextsAtOnce || waiting_bytes_ >= kTextBytesAtOnce;
    return full ? Fingerprint() : Status::Ok();
  }
  Status Finish() {
    CRV_TRY(Fingerprint());
    return WriteRun();
  }
  uint64_t added() const { return added_; }

 private:
  struct Text {
    std::string name;
    std::string text;
    dedup::TextFingerprint print;
  };
  RunMaker(const std::string& folder, const FingerprintPagesOptions& options, size_t runs, uint32_t documents)
      : folder_(folder), options_(options), run_(runs), first_(documents) {}

  Status Fingerprint() {
    const size_t parts = fingerprinters_.size();
    CRV_TRY(dedup::RunTasks(options_.threads, parts, [&](size_t part) {
      for (size_t i = part; i < waiting_.size(); i += parts) {
        waiting_[i].print = fingerprinters_[part].Of(waiting_[i].text);
      }
      return Status::Ok();
    }));
    for (const Text& text : waiting_) {
      if (!builder_) builder_.emplace(fingerprinters_[0].run_shape(), first_);
      if (!names_) {
        CRV_ASSIGN(auto names, graph::NameListWriter::Create(
                                   {.path = RunPagesPath(folder_, run_), .form = std::string(kPageForm)}));
        names_.emplace(std::move(names));
      }
      builder_->Add(text.print.signature, text.print.keys);
      CRV_TRY(names_->Add(text.name));
      added_++;
      if (builder_->MemoryBytes() >= options_.memory_bytes) CRV_TRY(WriteRun());
      if (first_ + (builder_ ? builder_->documents() : 0) >= kMostDocuments) {
        return Status::InvalidArgument(fmt::format("more than {} pages", kMostDocuments));
      }
    }
    waiting_.clear();
    waiting_bytes_ = 0;
    return Status::Ok();
  }

  // Writes the list of pages last: if it exists, the run is complete.
  Status WriteRun() {
    if (!builder_) return Status::Ok();
    first_ += builder_->documents();
    CRV_TRY(builder_->WriteFile(RunPath(folder_, run_)));
    CRV_TRY(names_->Finish().status());
    builder_.reset();
    names_.reset();
    run_++;
    return Status::Ok();
  }

  const std::string& folder_;
  const FingerprintPagesOptions& options_;
  size_t run_;
  uint32_t first_;
  std::vector<dedup::Fingerprinter> fingerprinters_;
  std::vector<Text> waiting_;
  uint64_t waiting_bytes_ = 0;
  std::optional<dedup::FingerprintRunBuilder> builder_;
  std::optional<graph::NameListWriter> names_;
  uint64_t added_ = 0;
};

// One pass over the rows.
Result<FingerprintPagesSummary> Pass(collection::Collection& store, const std::string& folder,
                                     const FingerprintPagesOptions& options, const FingerprintedPages& before,
                                     std::vector<bool>* alive, Progress& progress) {
  alive->assign(before.documents(), false);
  CRV_ASSIGN(RunMaker maker, RunMaker::Create(folder, options, before.runs(), before.documents()));
  FingerprintedPages::Walk walk(before);
  FingerprintPagesSummary summary;
  progress.Start("fingerprinting pages", 0);
  CRV_TRY(ForEachComparedPage(store, options.excluded, options.stop, [&](const ComparedPage& page) -> Status {
    progress.Advance(1);
    CRV_ASSIGN(const auto known, walk.Find(page.key, page.fetch.text_digest));
    if (known) {
      summary.pages++;
      (*alive)[*known] = true;
      return Status::Ok();
    }
    CRV_ASSIGN(const auto text, page.tablet.table().Text(page.key, page.time));
    if (!text) return Status::Ok();
    summary.pages++;
    return maker.Add(NameOfPage(page.key, page.fetch.text_digest), (*text)->MainText());
  }));
  CRV_TRY(maker.Finish());
  progress.Finish();
  summary.added = maker.added();
  alive->resize(before.documents() + maker.added(), true);
  return summary;
}

}  // namespace

Result<FingerprintedPages> FingerprintedPages::Open(const std::string& folder, const dedup::RunShape& shape) {
  FingerprintedPages pages;
  for (size_t i = 0; Exists(RunPagesPath(folder, i)); i++) {
    CRV_ASSIGN(auto prints, Mapped<dedup::FingerprintRun>::Open(RunPath(folder, i)));
    CRV_ASSIGN(auto names, Mapped<graph::NameList>::Open(RunPagesPath(folder, i)));
    if (prints->shape() != shape || prints->first_document() != pages.documents_ ||
        prints->documents() != names->size() || !names->in_order()) {
      return Status::Corruption(RunPath(folder, i) + ": does not belong to the run before or to its pages");
    }
    pages.documents_ += prints->documents();
    pages.runs_.push_back({std::move(prints), std::move(names)});
  }
  return pages;
}

std::vector<const dedup::FingerprintRun*> FingerprintedPages::views() const {
  std::vector<const dedup::FingerprintRun*> views;
  for (const Run& run : runs_) views.push_back(&*run.prints);
  return views;
}

const FingerprintedPages::Run& FingerprintedPages::RunOf(uint32_t document) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), document,
                       [](uint32_t wanted, const Run& run) { return wanted < run.prints->first_document(); });
  return *std::prev(after);
}

std::string FingerprintedPages::NameOf(uint32_t document) const {
  const Run& run = RunOf(document);
  return run.pages->Name(document - run.prints->first_document());
}

uint64_t FingerprintedPages::SignatureOf(uint32_t document) const {
  const Run& run = RunOf(document);
  return run.prints->signatures()[document - run.prints->first_document()];
}

FingerprintedPages::Walk::Walk(const FingerprintedPages& pages) {
  for (const Run& run : pages.runs_) runs_.push_back({run.pages->Begin(), run.prints->first_document()});
}

Result<std::optional<uint32_t>> FingerprintedPages::Walk::Find(std::string_view row_key,
                                                               uint64_t text_digest) {
  std::optional<uint32_t> found;
  for (RunWalk& run : runs_) {
    for (; run.cursor.valid(); run.cursor.Next()) {
      CRV_ASSIGN(const PageName page, ParsePageName(run.cursor.name()));
      if (page.row_key > row_key) break;
      if (page.row_key == row_key && page.text_digest == text_digest && !found) {
        found = run.first + static_cast<uint32_t>(run.cursor.node());
      }
    }
  }
  return found;
}

Result<FingerprintPagesSummary> FingerprintPages(collection::Collection& store, const std::string& folder,
                                                 const FingerprintPagesOptions& options,
                                                 std::vector<bool>* alive, Progress& progress) {
  CRV_TRY(MakeFolders(folder));
  CRV_ASSIGN(const dedup::Fingerprinter fingerprinter, dedup::Fingerprinter::Create(options.fingerprints));
  auto before = FingerprintedPages::Open(folder, fingerprinter.run_shape());
  FingerprintPagesSummary summary;
  if (before.ok() && before->runs() < kMostRuns) {
    CRV_ASSIGN(summary, Pass(store, folder, options, *before, alive, progress));
    const auto living = static_cast<size_t>(std::count(alive->begin(), alive->end(), true));
    if (alive->size() <= 1000 || living >= alive->size() / 2) return summary;
  } else if (!before.ok() && before.status().code() != StatusCode::kCorruption) {
    return before.status();
  }
  // Too many runs, too few live documents, or damage: start again from the rows.
  CRV_TRY(RemoveFolder(folder));
  CRV_TRY(MakeFolders(folder));
  return Pass(store, folder, options, FingerprintedPages(), alive, progress);
}

}  // namespace crivello::jobs
