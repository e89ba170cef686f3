// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "index/build/ciff.h"
#include "index/build/protobuf_wire.h"

namespace crivello::index {
namespace {

class Exporter {
 public:
  Exporter(const Snapshot& snapshot, const CiffExport& options, const std::function<Status(Bytes)>& append)
      : snapshot_(snapshot), options_(options), append_(append) {}

  Result<CiffSummary> Run() {
    CRV_TRY(NumberDocuments());
    // The number of lists is written before them.
    CRV_TRY(ForEachTerm([this](const std::vector<size_t>&) {
      summary_.lists++;
      return Status::Ok();
    }));
    CRV_TRY(WriteHeader());
    CRV_TRY(ForEachTerm([this](const std::vector<size_t>& having) { return WriteList(having); }));
    CRV_TRY(WriteDocuments());
    return summary_;
  }

 private:
  struct Source {
    const SegmentView* view = nullptr;
    const FieldView* field = nullptr;  // null if the segment does not have it
    std::vector<DocId> numbers;        // the numbers of its documents in the file; kEndDoc for those left out
    std::optional<TermCursor> cursor;
    // Also kEndDoc for the document numbers that a damaged list may contain.
    DocId NumberOf(DocId doc) const { return doc < numbers.size() ? numbers[doc] : kEndDoc; }
  };

  Status NumberDocuments() {
    for (const SegmentView& view : snapshot_.segments()) {
      Source source;
      source.view = &view;
      source.field = view.segment->field(options_.field);
      if (source.field != nullptr && source.field->lists.contents == PostingContents::kDocuments)
        return Status::InvalidArgument(fmt::format("ciff: field {} has no counts", options_.field));
      for (DocId doc = 0; doc < view.segment->documents(); doc++) {
        if (!view.IsCurrent(doc)) {
          source.numbers.push_back(kEndDoc);
          continue;
        }
        source.numbers.push_back(static_cast<DocId>(summary_.documents++));
        if (source.field != nullptr) tokens_ += source.field->lists.lengths[doc];
      }
      sources_.push_back(std::move(source));
    }
    if (summary_.documents > std::numeric_limits<int32_t>::max())
      return Status::InvalidArgument("ciff: more than 2^31 - 1 documents");
    return Status::Ok();
  }

  // Calls visit(the sources that have it), in order, for each term that some exported document has.
  template <typename Visit>
  Status ForEachTerm(Visit visit) {
    for (Source& source : sources_) {
      if (source.field != nullptr) source.cursor.emplace(source.field->terms.Begin());
    }
    std::vector<size_t> having;
    for (;;) {
      having.clear();
      for (size_t i = 0; i < sources_.size(); i++) {
        const auto& cursor = sources_[i].cursor;
        if (!cursor || !cursor->valid()) continue;
        if (!having.empty() && cursor->term() > sources_[having[0]].cursor->term()) continue;
        if (!having.empty() && cursor->term() < sources_[having[0]].cursor->term()) having.clear();
        having.push_back(i);
      }
      if (having.empty()) return Status::Ok();
      bool present = false;
      for (const size_t i : having) {
        CRV_ASSIGN(const bool has, HasDocument(sources_[i]));
        present = present || has;
      }
      if (present) CRV_TRY(visit(having));
      for (const size_t i : having) sources_[i].cursor->Next();
    }
  }

  static Result<bool> HasDocument(const Source& source) {
    if (source.view->live == nullptr) return true;
    CRV_ASSIGN(PostingCursor list, source.field->Open(source.cursor->entry()));
    while (list.doc() != kEndDoc && source.NumberOf(list.doc()) == kEndDoc) list.Next();
    return list.doc() != kEndDoc;
  }

  Status WriteHeader() {
    const auto documents = static_cast<double>(std::max<uint64_t>(summary_.documents, 1));
    std::string header;
    ProtobufWriter writer(&header);
    writer.Number(1, 1);  // version
    writer.Number(2, summary_.lists);
    writer.Number(3, summary_.documents);
    writer.Number(4, summary_.lists);
    writer.Number(5, summary_.documents);
    writer.Number(6, tokens_);
    writer.Double(7, static_cast<double>(tokens_) / documents);
    writer.Text(8, options_.description);
    return WriteMessage(header);
  }

  Status WriteList(const std::vector<size_t>& having) {
    uint64_t frequency = 0;
    uint64_t occurrences = 0;
    DocId last = 0;
    postings_.clear();
    ProtobufWriter postings(&postings_);
    for (const size_t i : having) {
      const Source& source = sources_[i];
      CRV_ASSIGN(PostingCursor list, source.field->Open(source.cursor->entry()));
      for (; list.doc() != kEndDoc; list.Next()) {
        const DocId doc = source.NumberOf(list.doc());
        if (doc == kEndDoc) continue;
        posting_.clear();
        ProtobufWriter posting(&posting_);
        posting.Number(1, doc - last);
        posting.Number(2, list.count());
        postings.Text(4, posting_);
        last = doc;
        frequency++;
        occurrences += list.count();
      }
      if (!list.ok())
        return Status::Corruption(fmt::format("ciff: corrupt posting list of {}", options_.field));
    }
    list_.clear();
    ProtobufWriter writer(&list_);
    writer.Text(1, sources_[having[0]].cursor->term());
    writer.Number(2, frequency);
    writer.Number(3, occurrences);
    list_ += postings_;
    summary_.postings += frequency;
    summary_.occurrences += occurrences;
    return WriteMessage(list_);
  }

  Status WriteDocuments() {
    std::string record;
    for (const Source& source : sources_) {
      TextReader texts(source.view->segment->texts());
      for (DocId doc = 0; doc < source.numbers.size(); doc++) {
        if (source.numbers[doc] == kEndDoc) continue;
        CRV_ASSIGN(const StoredDocument stored, texts.Get(doc));
        record.clear();
        ProtobufWriter writer(&record);
        writer.Number(1, source.numbers[doc]);
        writer.Text(2, stored.id.empty() ? stored.url : stored.id);
        writer.Number(3, source.field == nullptr ? 0 : source.field->lists.lengths[doc]);
        CRV_TRY(WriteMessage(record));
      }
    }
    return Status::Ok();
  }

  Status WriteMessage(std::string_view message) {
    std::string size;
    ProtobufWriter(&size).Varint(message.size());
    CRV_TRY(append_(AsBytes(size)));
    return append_(AsBytes(message));
  }

  const Snapshot& snapshot_;
  const CiffExport& options_;
  const std::function<Status(Bytes)>& append_;
  std::vector<Source> sources_;
  uint64_t tokens_ = 0;
  CiffSummary summary_;
  // Members to reuse their memory.
  std::string posting_, postings_, list_;
};

}  // namespace

Result<CiffSummary> ExportCiff(const Snapshot& snapshot, const CiffExport& options,
                               const std::function<Status(Bytes)>& append) {
  return Exporter(snapshot, options, append).Run();
}

}  // namespace crivello::index
