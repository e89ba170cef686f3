// SPDX-License-Identifier: Apache-2.0
#include "index/segments/text_store.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/record.h"

namespace crivello::index {
namespace {

// Higher levels take longer than everything else done with a document, and save only some percent.
constexpr int kLevel = 3;

Status DamagedTexts(std::string_view why) {
  return Status::Corruption(fmt::format("corrupt text store: {}", fmt::string_view(why.data(), why.size())));
}

}  // namespace

Result<TextStore> TextStore::FromImage(Bytes image) {
  if (image.size() < 8 || image.size() % 8 != 0) return DamagedTexts("missing length at its end");
  uint64_t index_words;
  std::memcpy(&index_words, image.data() + image.size() - 8, 8);
  if (index_words > image.size() / 8 - 1) return DamagedTexts("its index is longer than the whole store");
  const size_t index_start = image.size() - 8 - index_words * 8;
  ImageReader reader(image.subspan(index_start, index_words * 8), "text store");
  static std::atomic<uint64_t> made = 0;
  TextStore store;
  store.number_ = ++made;
  CRV_ASSIGN(const uint64_t documents, reader.WordAtMost(kEndDoc, "documents"));
  store.documents_ = static_cast<DocId>(documents);
  CRV_ASSIGN(store.raw_bytes_, reader.Word());
  CRV_ASSIGN(store.firsts_, succinct::EliasFano::ReadFrom(reader));
  CRV_ASSIGN(store.starts_, succinct::EliasFano::ReadFrom(reader));
  CRV_TRY(reader.Finish());
  if (store.starts_.size() != store.firsts_.size() + 1 || (documents == 0) != (store.firsts_.size() == 0)) {
    return reader.Damaged(fmt::format("{} places of {} blocks of {} documents", store.starts_.size(),
                                      store.firsts_.size(), documents));
  }
  store.blocks_ = image.first(index_start);
  return store;
}

Description TextStore::Describe() const {
  return {{"documents", uint64_t{documents_}},
          {"blocks", firsts_.size()},
          {"bytes", uint64_t{blocks_.size()}},
          {"uncompressed-bytes", raw_bytes_}};
}

struct TextReader::Decompressor {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ~Decompressor() { ZSTD_freeDCtx(context); }
};

TextReader::TextReader(const TextStore& store, TextCache* cache) : store_(store), cache_(cache) {}
TextReader::~TextReader() = default;
TextReader::TextReader(TextReader&&) noexcept = default;
TextReader& TextReader::operator=(TextReader&&) noexcept = default;

Result<StoredDocument> TextReader::Get(DocId doc) {
  if (doc >= store_.documents_) {
    return Status::InvalidArgument(
        fmt::format("text store: document {} does not exist (it has {})", doc, store_.documents_));
  }
  const auto has = [doc](const TextBlock& block) {
    return doc >= block.first && doc - block.first < block.documents.size();
  };
  if (block_ == nullptr || !has(*block_)) {
    block_ = nullptr;
    CRV_ASSIGN(block_, Load(store_.firsts_.Predecessor(doc).index));
    if (!has(*block_)) return DamagedTexts(fmt::format("document {} is not in its block", doc));
  }
  return block_->documents[doc - block_->first];
}

Result<std::shared_ptr<const TextBlock>> TextReader::Load(uint64_t block) {
  if (cache_ == nullptr) return Decompress(block);
  const TextCache::Key key = {store_.number_, block};
  if (auto known = cache_->Find(key)) return known;
  CRV_ASSIGN(std::shared_ptr<const TextBlock> made, Decompress(block));
  cache_->Add(key, made);
  return made;
}

Result<std::shared_ptr<const TextBlock>> TextReader::Decompress(uint64_t block) {
  if (block >= store_.firsts_.size()) return DamagedTexts("a document without a block");
  const uint64_t start = store_.starts_.Access(block);
  const uint64_t end = store_.starts_.Access(block + 1);
  if (start > end || end > store_.blocks_.size())
    return DamagedTexts(fmt::format("block {} has no place", block));
  const Bytes frame = store_.blocks_.subspan(start, end - start);
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  // A zstd byte expands to at most some thousands of bytes: a frame that claims more is damaged.
  if (size > TextStore::kBlockBytes + TextStore::kMaxDocumentBytes || size / (1 << 17) > frame.size())
    return DamagedTexts(fmt::format("block {} has no size", block));
  if (decompressor_ == nullptr) decompressor_ = std::make_unique<Decompressor>();
  auto made = std::make_shared<TextBlock>();
  made->bytes.resize(size);
  const size_t got =
      ZSTD_decompressDCtx(decompressor_->context, made->bytes.data(), size, frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != size) {
    return DamagedTexts(fmt::format(
        "block {}: {}", block,
        ZSTD_isError(got) != 0 ? ZSTD_getErrorName(got) : "its size differs from the size it states"));
  }
  RecordReader reader(made->bytes);
  while (reader.left() > 0) {
    StoredDocument document;
    document.url = reader.Text();
    document.id = reader.Text();
    document.title = reader.Text();
    document.description = reader.Text();
    document.text = reader.Text();
    if (reader.ok()) made->documents.push_back(document);
  }
  if (!reader.ok()) return DamagedTexts(fmt::format("block {} ends within a document", block));
  made->first = static_cast<DocId>(std::min<uint64_t>(store_.firsts_.Access(block), kEndDoc));
  return std::shared_ptr<const TextBlock>(std::move(made));
}

struct TextStoreWriter::Compressor {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ~Compressor() { ZSTD_freeCCtx(context); }
};

Result<TextStoreWriter> TextStoreWriter::Create(SegmentSink& sink) {
  CRV_ASSIGN(std::unique_ptr<PartWriter> part, sink.Create(kPart, TextStore::kFileKind));
  return TextStoreWriter(std::move(part));
}

TextStoreWriter::TextStoreWriter(std::unique_ptr<PartWriter> part)
    : part_(std::move(part)), compressor_(std::make_unique<Compressor>()) {
  ZSTD_CCtx_setParameter(compressor_->context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(compressor_->context, ZSTD_c_checksumFlag, 1);
}
TextStoreWriter::~TextStoreWriter() = default;
TextStoreWriter::TextStoreWriter(TextStoreWriter&&) noexcept = default;

Status TextStoreWriter::Add(const StoredDocument& document) {
  const size_t size = document.url.size() + document.id.size() + document.title.size() +
                      document.description.size() + document.text.size();
  if (size > TextStore::kMaxDocumentBytes) {
    return Status::InvalidArgument(
        fmt::format("text store: document {} is too long: {} bytes; the limit is {}", documents_, size,
                    TextStore::kMaxDocumentBytes));
  }
  if (!block_.empty() && block_.size() + size > TextStore::kBlockBytes) CRV_TRY(EndBlock());
  if (block_.empty()) firsts_.push_back(documents_);
  RecordWriter record(&block_);
  record.Text(document.url);
  record.Text(document.id);
  record.Text(document.title);
  record.Text(document.description);
  record.Text(document.text);
  documents_++;
  return Status::Ok();
}

Status TextStoreWriter::EndBlock() {
  compressed_.resize(ZSTD_compressBound(block_.size()));
  const size_t size = ZSTD_compress2(compressor_->context, compressed_.data(), compressed_.size(),
                                     block_.data(), block_.size());
  if (ZSTD_isError(size) != 0) return Status::IoError(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
  CRV_TRY(part_->Append(AsBytes(std::string_view(compressed_).substr(0, size))));
  starts_.push_back(written_);
  written_ += size;
  raw_bytes_ += block_.size();
  block_.clear();
  return Status::Ok();
}

Status TextStoreWriter::Finish() {
  if (!block_.empty()) CRV_TRY(EndBlock());
  starts_.push_back(written_);
  static constexpr std::array<std::byte, 8> kZeros = {};
  CRV_TRY(part_->Append(Bytes(kZeros).first((8 - written_ % 8) % 8)));
  ImageWriter index;
  index.Word(documents_);
  index.Word(raw_bytes_);
  succinct::EliasFanoBuilder firsts(firsts_.size(), documents_);
  for (const uint64_t first : firsts_) firsts.Add(first);
  CRV_TRY(firsts.AppendTo(index));
  succinct::EliasFanoBuilder starts(starts_.size(), written_);
  for (const uint64_t start : starts_) starts.Add(start);
  CRV_TRY(starts.AppendTo(index));
  index.Word(index.bytes().size() / 8);
  CRV_TRY(part_->Append(index.bytes()));
  return part_->Finish();
}

}  // namespace crivello::index
