// SPDX-License-Identifier: Apache-2.0
// The index of the lecture notes: gaps between documents in whichever of γ, δ and Golomb is shortest for the
// list, counts in γ, positions in Golomb or δ, and a skip table, which is the table of blocks.
#include "index/postings/classic_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bits/codes.h"
#include "index/postings/format_support.h"
#include "index/postings/posting_format.h"

namespace crivello::index {
namespace {

// The code of a block's gaps, written in two bits before them.
enum class GapCode : uint8_t { kGamma, kDelta, kGolomb };
constexpr unsigned kGapCodeBits = 2;

class Classic : public PostingFormat {
 public:
  Classic()
      : Classic({.name = "classic",
                 .summary = "gaps in gamma, delta or Golomb, counts in gamma, Golomb positions",
                 .positions = &kGolombPositions}) {}

  void WriteDocuments(const ListShape& list, std::span<const DocId> docs, std::span<BlockShape> blocks,
                      std::vector<uint8_t>* out) const override {
    const GapCode code = Choose(list, docs, blocks);
    WriteBlocks(docs, blocks, &BlockShape::documents_place, out,
                [&](const BlockShape& block, std::span<const DocId> values) {
                  bits::BitWriter writer;
                  if (values.size() > 1) {
                    writer.WriteBits(static_cast<uint64_t>(code), kGapCodeBits);
                    WithCode(code, list, [&](const auto& gaps) {
                      DocId before = block.before;
                      for (const DocId doc : values.first(values.size() - 1)) {
                        gaps.Write(writer, DocId{doc - before - 1});
                        before = doc;
                      }
                    });
                  }
                  AppendBits(writer, out);
                });
  }

  void WriteCounts(const ListShape&, std::span<const uint32_t> counts, std::span<BlockShape> blocks,
                   std::vector<uint8_t>* out) const override {
    WriteBlocks(counts, blocks, &BlockShape::counts_place, out,
                [out](const BlockShape&, std::span<const uint32_t> values) {
                  bits::BitWriter writer;
                  for (const uint32_t count : values) bits::GammaCode::Write(writer, count - 1);
                  AppendBits(writer, out);
                });
  }

  const std::byte* ReadDocuments(const ListShape& list, const BlockShape& block, Bytes part,
                                 DocId* docs) const override {
    const Bytes bytes = From(part, block.documents_place);
    bits::BitReader reader(bytes);
    docs[block.size - 1] = block.last;
    if (block.size == 1) return bytes.data();
    const auto code = static_cast<GapCode>(reader.ReadBits(kGapCodeBits));
    // Distances from `before`; the last one is known, and not written.
    const uint64_t end = DocId{block.last - block.before};
    bool good = true;
    WithCode(code, list, [&](const auto& gaps) {
      bits::BitReader local = reader;
      uint64_t distance = 0;
      for (uint32_t i = 0; i + 1 < block.size; i++) {
        // An overflow persists: no later distance is below `end` again.
        distance += std::min(gaps.Read(local), end) + 1;
        good &= distance < end;
        docs[i] = block.before + static_cast<DocId>(distance);
      }
      reader = local;
    });
    return good ? EndOf(reader, bytes) : nullptr;
  }

  const std::byte* ReadCounts(const ListShape&, const BlockShape& block, Bytes part,
                              uint32_t* counts) const override {
    const Bytes bytes = From(part, block.counts_place);
    bits::BitReader reader(bytes);
    for (uint32_t i = 0; i < block.size; i++) {
      const uint64_t less = bits::GammaCode::Read(reader);
      counts[i] = static_cast<uint32_t>(std::min<uint64_t>(less, ~uint32_t{0} - 1)) + 1;
    }
    return EndOf(reader, bytes);
  }

 protected:
  explicit Classic(const Traits& traits) : PostingFormat(traits) {}

 private:
  // Any other number is read as Golomb; damage shows up when reading the gaps.
  template <typename Use>
  static void WithCode(GapCode code, const ListShape& list, Use use) {
    if (code == GapCode::kGamma) return use(bits::GammaCode());
    if (code == GapCode::kDelta) return use(bits::DeltaCode());
    use(bits::GolombCode(BernoulliModulus(list.frequency, uint64_t{list.last} + 1)));
  }

  static GapCode Choose(const ListShape& list, std::span<const DocId> docs,
                        std::span<const BlockShape> blocks) {
    GapCode best = GapCode::kGamma;
    uint64_t least = ~uint64_t{0};
    for (const GapCode code : {GapCode::kGamma, GapCode::kDelta, GapCode::kGolomb}) {
      uint64_t length = 0;
      WithCode(code, list, [&](const auto& gaps) {
        for (const BlockShape& block : blocks) {
          DocId before = block.before;
          for (const DocId doc : docs.subspan(block.first, block.size - 1)) {
            length += gaps.Length(DocId{doc - before - 1});
            before = doc;
          }
        }
      });
      if (length < least) {
        least = length;
        best = code;
      }
    }
    return best;
  }
};

struct ClassicName {
  std::string name, summary;
};
class ClassicDelta final : private ClassicName, public Classic {
 public:
  explicit ClassicDelta(uint32_t quantum)
      : ClassicName{.name = fmt::format("classic-delta-{}", quantum),
                    .summary =
                        fmt::format("as classic, positions in delta, a skip every {} postings", quantum)},
        Classic({.name = ClassicName::name,
                 .summary = ClassicName::summary,
                 .positions = &kDeltaPositions,
                 .cuts = true}),
        quantum_(quantum) {}

  std::vector<uint32_t> Cut(std::span<const DocId> docs) const override {
    std::vector<uint32_t> sizes((docs.size() - 1) / quantum_ + 1, quantum_);
    sizes.back() = static_cast<uint32_t>((docs.size() - 1) % quantum_) + 1;
    return sizes;
  }

 private:
  const uint32_t quantum_;
};

}  // namespace

const PostingFormat& ClassicDeltaFormat(uint32_t quantum) {
  static const std::vector<std::unique_ptr<const ClassicDelta>> kFormats = [] {
    std::vector<std::unique_ptr<const ClassicDelta>> formats;
    for (uint32_t q = 1; q <= kBlockPostings; ++q) formats.push_back(std::make_unique<ClassicDelta>(q));
    return formats;
  }();
  return *kFormats[quantum - 1];
}

const PostingFormat& ClassicFormat() {
  static const Classic kFormat;
  return kFormat;
}

}  // namespace crivello::index
