// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "base/status.h"
#include "index/postings/posting_format.h"
#include "index/segments/segment_sink.h"
#include "index/segments/text_cache.h"
#include "succinct/elias_fano.h"

namespace crivello::index {

// The texts of the documents of a segment, compressed in blocks of some 8 KiB (zstd), in document order.
// Reading one decompresses its block, some 10 µs.
//
// A view of its image, which must outlive it and its readers; immutable; any number of threads may read.
// FromImage() checks lengths; a damaged block is Corruption when it is read (zstd's checksum). Format:
// docs/formats/text-store.md.
class TextStore {
 public:
  static constexpr FileKind kFileKind = {.name = "text-store", .version = 1};
  // A block has whole documents, up to this many bytes; a longer document is a block of its own.
  static constexpr size_t kBlockBytes = 8 << 10;
  static constexpr size_t kMaxDocumentBytes = 1 << 30;

  TextStore() = default;
  static Result<TextStore> FromImage(Bytes image);
  DocId documents() const { return documents_; }
  // Unique among all stores that this process ever had.
  uint64_t number() const { return number_; }
  Description Describe() const;

 private:
  friend class TextReader;

  uint64_t number_ = 0;
  DocId documents_ = 0;
  uint64_t raw_bytes_ = 0;
  succinct::EliasFano firsts_;  // the first document of each block
  succinct::EliasFano starts_;  // where each block begins, and the last ends
  Bytes blocks_;
};

// Reads documents, and keeps the last block: reading in order decompresses each block once.  With a cache,
// which must outlive it, blocks that others have read are not decompressed again.  One thread at a time.
class TextReader {
 public:
  explicit TextReader(const TextStore& store, TextCache* cache = nullptr);
  ~TextReader();
  TextReader(TextReader&&) noexcept;
  TextReader& operator=(TextReader&&) noexcept;

  // Valid until the next call.  InvalidArgument if there is no such document.
  Result<StoredDocument> Get(DocId doc);

 private:
  struct Decompressor;
  Result<std::shared_ptr<const TextBlock>> Load(uint64_t block);
  Result<std::shared_ptr<const TextBlock>> Decompress(uint64_t block);

  TextStore store_;
  TextCache* cache_;
  std::unique_ptr<Decompressor> decompressor_;  // created on first use
  std::shared_ptr<const TextBlock> block_;
};

// Writes a text store as a part of a segment, document by document, in little memory.  One thread at a time.
class TextStoreWriter {
 public:
  static constexpr std::string_view kPart = "texts";

  static Result<TextStoreWriter> Create(SegmentSink& sink);
  ~TextStoreWriter();
  TextStoreWriter(TextStoreWriter&&) noexcept;

  // InvalidArgument if the document is longer than kMaxDocumentBytes.
  Status Add(const StoredDocument& document);
  Status Finish();
  DocId documents() const { return documents_; }

 private:
  struct Compressor;
  explicit TextStoreWriter(std::unique_ptr<PartWriter> part);
  Status EndBlock();

  std::unique_ptr<PartWriter> part_;
  std::unique_ptr<Compressor> compressor_;
  std::string block_;
  std::string compressed_;
  DocId documents_ = 0;
  uint64_t raw_bytes_ = 0;
  uint64_t written_ = 0;
  std::vector<uint64_t> firsts_;
  std::vector<uint64_t> starts_;
};

}  // namespace crivello::index
