// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "dedup/discovery/keyed_documents.h"

namespace crivello::dedup {

// How documents are compared. The numbers are stored in files: they never change.
enum class Method : uint8_t { kShingles = 0, kMinHash = 1, kSimHash = 2 };
Result<Method> ParseMethod(std::string_view name);
std::string_view MethodName(Method method);

// The parameters that all runs of one collection share.
struct RunShape {
  Method method = Method::kShingles;
  uint64_t parameters = 0;  // a hash of the method's parameters: only runs with equal ones are compared
  uint32_t parts = 1;       // number of key parts: 1 for shingles, the bands for MinHash, 0 for SimHash
  friend bool operator==(const RunShape&, const RunShape&) = default;
};

// A key of a document: two documents with the same key in the same part may be near-duplicates.
struct PartKey {
  uint32_t part = 0;
  uint64_t key = 0;
};

// The fingerprints of a batch of documents, in a file: an inverted index from keys to documents, and a
// signature for each document. Documents with the same signature count as equal. Signature 0 marks a document
// that is not compared with any, such as one without words. For SimHash the signature is the fingerprint.
//
// Documents are numbered across all runs of a collection; a run has those from first_document() on. Runs
// never change: a collection that has grown gets an additional run, so that old texts are not read again. A
// view of its image, which must outlive it; immutable. Format: docs/formats/fingerprint-run.md.
class FingerprintRun {
 public:
  static constexpr FileKind kFileKind = {.name = "fingerprint-run", .version = 1};
  static constexpr uint32_t kMostParts = 1 << 16;

  static Result<FingerprintRun> FromImage(Bytes image);

  const RunShape& shape() const { return shape_; }
  uint32_t first_document() const { return first_; }
  uint32_t documents() const { return static_cast<uint32_t>(signatures_.size()); }
  std::span<const uint64_t> signatures() const { return signatures_; }
  // How many keys a document has, in all parts. REQUIRES: it belongs to this run.
  uint32_t KeysOf(uint32_t document) const { return Half(key_counts_, document - first_); }

  // The documents of a part, sorted by key, then by number.
  uint64_t PartSize(uint32_t part) const { return parts_[part].keys.size(); }
  uint64_t KeyAt(uint32_t part, uint64_t i) const { return parts_[part].keys[i]; }
  uint32_t DocumentAt(uint32_t part, uint64_t i) const { return Half(parts_[part].documents, i); }
  // The first position whose key is at least `key`.
  uint64_t LowerBound(uint32_t part, uint64_t key) const;
  bool Has(uint32_t document) const { return document >= first_ && document - first_ < signatures_.size(); }
  // A checksum of everything in the run: different runs have different ones.
  uint64_t Checksum() const;
  Description Describe() const;

 private:
  struct Part {
    std::span<const uint64_t> keys;
    std::span<const uint64_t> documents;  // two per word
  };
  static uint32_t Half(std::span<const uint64_t> words, uint64_t i) {
    return static_cast<uint32_t>(words[i / 2] >> (i % 2 * 32));
  }

  RunShape shape_;
  uint32_t first_ = 0;
  Bytes image_;
  std::span<const uint64_t> signatures_;
  std::span<const uint64_t> key_counts_;  // two per word
  std::vector<Part> parts_;
};

// Collects the documents of a run in memory, in order. A caller with more documents than fit in memory writes
// several runs. One thread at a time.
class FingerprintRunBuilder {
 public:
  FingerprintRunBuilder(RunShape shape, uint32_t first_document);

  // Adds the next document. REQUIRES: its parts are those of the shape; the keys of a part are distinct.
  void Add(uint64_t signature, std::span<const PartKey> keys);
  uint32_t documents() const { return static_cast<uint32_t>(signatures_.size()); }
  uint64_t MemoryBytes() const;

  // Consumes the documents added so far.
  ImageWriter Build();
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem());

 private:
  RunShape shape_;
  uint32_t first_;
  std::vector<uint64_t> signatures_;
  std::vector<uint32_t> key_counts_;
  std::vector<std::vector<KeyedDocument>> parts_;
};

}  // namespace crivello::dedup
