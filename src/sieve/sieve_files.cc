// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_files.h"

#include <fmt/format.h>

#include <charconv>

namespace crivello::sieve {
namespace {

class CountingAppendFile final : public AppendFile {
 public:
  CountingAppendFile(std::unique_ptr<AppendFile> file, std::atomic<uint64_t>& written)
      : file_(std::move(file)), written_(written) {}

  Status Append(Bytes bytes) override {
    written_.fetch_add(bytes.size(), std::memory_order_relaxed);
    return file_->Append(bytes);
  }
  Status Sync() override { return file_->Sync(); }

 private:
  const std::unique_ptr<AppendFile> file_;
  std::atomic<uint64_t>& written_;
};

}  // namespace

Status RemoveTemporaries(const std::string& folder, FileSystem& fs) {
  CRV_ASSIGN(const auto names, ListFolder(folder));
  for (const auto& name : names) {
    if (name.find(".tmp-") != std::string::npos) CRV_TRY(fs.Remove(folder + "/" + name));
  }
  return Status::Ok();
}

std::string NumberedName(std::string_view prefix, uint64_t number) {
  return fmt::format("{}{:012}", prefix, number);
}

std::optional<uint64_t> NumberIn(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

Result<std::unique_ptr<AppendFile>> CountingFileSystem::OpenForAppend(const std::string& path,
                                                                      AppendOptions options) {
  CRV_ASSIGN(auto file, base_.OpenForAppend(path, options));
  return std::unique_ptr<AppendFile>(std::make_unique<CountingAppendFile>(std::move(file), written_));
}

}  // namespace crivello::sieve
