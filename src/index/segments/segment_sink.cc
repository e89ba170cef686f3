// SPDX-License-Identifier: Apache-2.0
#include "index/segments/segment_sink.h"

#include "base/folder.h"

namespace crivello::index {
namespace {

class FilePart final : public PartWriter {
 public:
  explicit FilePart(FormatFileWriter file) : file_(std::move(file)) {}
  Status Append(Bytes bytes) override { return file_.Append(bytes); }
  Status Finish() override { return file_.Finish(); }

 private:
  FormatFileWriter file_;
};

// Nodes of the map do not move, so each part can grow independently.
class MemoryPart final : public PartWriter {
 public:
  explicit MemoryPart(std::vector<std::byte>* bytes) : bytes_(bytes) {}
  Status Append(Bytes bytes) override {
    bytes_->insert(bytes_->end(), bytes.begin(), bytes.end());
    return Status::Ok();
  }
  Status Finish() override {
    bytes_->resize((bytes_->size() + 7) / 8 * 8);
    return Status::Ok();
  }

 private:
  std::vector<std::byte>* bytes_;
};

}  // namespace

Status SegmentSink::Write(std::string_view name, FileKind kind, Bytes bytes) {
  CRV_ASSIGN(const std::unique_ptr<PartWriter> part, Create(name, kind));
  CRV_TRY(part->Append(bytes));
  return part->Finish();
}

Result<DirectorySink> DirectorySink::Open(const std::string& directory, FileSystem& fs) {
  CRV_TRY(MakeFolders(directory));
  CRV_TRY(fs.SyncDirectory(DirectoryOf(directory)));
  return DirectorySink(directory, fs);
}

Result<std::unique_ptr<PartWriter>> DirectorySink::Create(std::string_view name, FileKind kind) {
  CRV_ASSIGN(FormatFileWriter file,
             FormatFileWriter::Create(directory_ + "/" + std::string(name), kind, *fs_));
  return std::unique_ptr<PartWriter>(std::make_unique<FilePart>(std::move(file)));
}

Result<std::unique_ptr<PartWriter>> MemorySink::Create(std::string_view name, FileKind) {
  const auto [part, added] = parts_.emplace(name, std::vector<std::byte>());
  if (!added) return Status::InvalidArgument("segment: part " + std::string(name) + " is written twice");
  return std::unique_ptr<PartWriter>(std::make_unique<MemoryPart>(&part->second));
}

}  // namespace crivello::index
