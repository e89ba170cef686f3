// SPDX-License-Identifier: Apache-2.0
// Makes drafts from the bytes: the reader returns whatever the writer accepts, record for record, without
// damage, and each record can be read from its offset alone.

#include <cstdint>
#include <cstdlib>

#include "base/digest.h"
#include "store/warc_reader.h"
#include "store/warc_writer.h"

namespace {

using namespace crivello;
using namespace crivello::store;

class MemoryFile final : public AppendFile {
 public:
  Status Append(Bytes bytes) override {
    text.append(AsText(bytes));
    return Status::Ok();
  }
  Status Sync() override { return Status::Ok(); }
  std::string text;
};

void Require(bool condition) {
  if (!condition) std::abort();
}

// Cuts pieces off the bytes: a length, then that many bytes.
class Pieces {
 public:
  explicit Pieces(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte;
  }
  std::string_view Piece() {
    const std::string_view piece = bytes_.substr(0, Byte());
    bytes_.remove_prefix(std::min(piece.size(), bytes_.size()));
    return piece;
  }

 private:
  std::string_view bytes_;
};

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

struct Written {
  WarcDraft draft;
  std::string block;
  uint64_t offset;
};

void Check(const WarcRecord& record, const Written& written) {
  Require(record.type == written.draft.type && record.whole && record.block == written.block);
  Require(record.offset == written.offset);
  Require(ParseWarcDate(record.date) == written.draft.date);
  for (const auto& [name, value] : written.draft.fields) {
    const std::string_view expected = Trimmed(value);
    bool found = expected.empty();
    record.fields.ForEach(name, [&](std::string_view v) { found = found || v == expected; });
    Require(found);
  }
  bool known = false;
  Require(DigestMatches(record.fields.Find("WARC-Block-Digest").value_or(""), record.block, &known));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Pieces pieces({reinterpret_cast<const char*>(data), size});
  WarcWriter::Options options;
  options.compression = static_cast<WarcCompression>(pieces.Byte() % 3);
  options.zstd_dictionary = pieces.Piece();
  MemoryFile file;
  SeededRandom random(1);
  WarcWriter writer(file, 0, options, random);
  std::vector<Written> all;
  while (!pieces.empty() && all.size() < 20) {
    Written written;
    WarcDraft& draft = written.draft;
    draft.type = static_cast<WarcType>(1 + pieces.Byte() % 8);
    draft.date = int64_t{pieces.Byte()} * 86400 * 365;
    draft.target_uri = pieces.Piece();
    draft.content_type = pieces.Piece();
    for (uint8_t fields = pieces.Byte() % 4; fields > 0; fields--) {
      std::string name(pieces.Piece());
      draft.fields.emplace_back(std::move(name), pieces.Piece());
    }
    draft.head = pieces.Piece();
    draft.body = pieces.Piece();
    written.block = std::string(draft.head) + std::string(draft.body);
    const auto location = writer.Append(draft);
    if (!location.ok()) continue;
    written.offset = location->offset;
    all.push_back(std::move(written));
  }
  WarcReader reader(file.text);
  for (const Written& written : all) {
    const auto record = reader.Next();
    Require(record.has_value());
    Check(*record, written);
  }
  Require(!reader.Next() && reader.damages() == 0);
  for (auto written = all.rbegin(); written != all.rend(); ++written) {
    reader.SeekTo(written->offset);
    const auto record = reader.Next();
    Require(record.has_value());
    Check(*record, *written);
  }
  return 0;
}
