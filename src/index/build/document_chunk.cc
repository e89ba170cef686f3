// SPDX-License-Identifier: Apache-2.0
#include "index/build/document_chunk.h"

#include <algorithm>

namespace crivello::index {
namespace {

class InverterSink final : public text::TermSink {
 public:
  explicit InverterSink(Inverter* inverter) : inverter_(inverter) {}
  void OnTerms(std::span<const text::Term> terms) override { inverter_->Add(terms); }

 private:
  Inverter* inverter_;
};

}  // namespace

// With plain tokens, as in the literature, all texts of a field count as one text.
ChunkInverter::ChunkInverter(text::Analyser analyser)
    : analyser_(std::move(analyser)),
      gap_(analyser_.description().tokens == text::AnalyserDescription::Tokens::kPlain ? 0 : 1) {}

void ChunkInverter::Add(const DocumentChunk::Document& document) {
  std::ranges::fill(lengths_, 0);
  for (const DocumentChunk::Piece& piece : document.texts) {
    uint32_t& length = lengths_[piece.field];
    InverterSink sink(inverters_[piece.field].get());
    const uint32_t start = length > 0 ? length + gap_ : 0;
    const uint32_t end = analyser_.Analyse(piece.text, {start, document.language}, sink);
    if (end > start) length = end;
  }
  for (const DocumentChunk::Piece& piece : document.keywords) {
    inverters_[piece.field]->AddKeyword(piece.text);
  }
  for (size_t field = 0; field < inverters_.size(); field++) inverters_[field]->EndDocument(lengths_[field]);
}

std::vector<std::vector<uint8_t>> ChunkInverter::Invert(const DocumentChunk& chunk) {
  for (size_t field = inverters_.size(); field < chunk.fields.size(); field++) {
    inverters_.push_back(std::make_unique<Inverter>(chunk.fields[field]));
  }
  lengths_.resize(inverters_.size());
  for (const DocumentChunk::Document& document : chunk.documents) Add(document);
  std::vector<std::vector<uint8_t>> runs(inverters_.size());
  for (size_t field = 0; field < runs.size(); field++) inverters_[field]->WriteRun(&runs[field]);
  return runs;
}

}  // namespace crivello::index
