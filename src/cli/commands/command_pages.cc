// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/command_pages.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cli/command.h"
#include "cli/json.h"
#include "web/http/date_parse.h"

namespace crivello::cli {
namespace {

constexpr auto kCountsKept = std::chrono::minutes(1);

// A file in memory.
class MemoryFile {
 public:
  MemoryFile() : file_(open_memstream(&bytes_, &size_)) {}
  ~MemoryFile() {
    if (file_ != nullptr) std::fclose(file_);
    std::free(bytes_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::FILE* get() { return file_; }
  std::string Take() {
    std::fclose(std::exchange(file_, nullptr));
    return std::string(bytes_, size_);
  }

 private:
  char* bytes_ = nullptr;
  size_t size_ = 0;
  std::FILE* file_;
};

Json ParseObject(const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json::object();
}

// Members that our own commands write; "" or 0 for those they leave out.
std::string Text(const Json& json, const char* name) { return json.value(name, std::string()); }
int64_t Time(const Json& json) { return web::ParseDate(Text(json, "time")).value_or(0); }

serve::PageVersion VersionOf(const Json& json) {
  serve::PageVersion version;
  version.time_seconds = Time(json);
  version.status = json.value("status", 0);
  version.type = Text(json, "type");
  version.location = Text(json, "location");
  version.noarchive = json.value("noarchive", false);
  version.title = Text(json, "title");
  version.text = Text(json, "text");
  version.language = Text(json, "language");
  for (const Json& link : json.value("links", Json::array())) {
    version.links.push_back({Text(link, "url"), Text(link, "text")});
  }
  return version;
}

}  // namespace

Result<std::string> CommandPages::Ask(std::vector<std::string> arguments) {
  std::vector<const char*> argv = {"crivello", "-C", collection_.c_str()};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  MemoryFile out, err;
  if (out.get() == nullptr || err.get() == nullptr) return Status::IoError("no memory for an answer");
  int code = 0;
  {
    MutexLock lock(mu_);
    code = Main(static_cast<int>(argv.size()), argv.data(), out.get(), err.get());
  }
  switch (code) {
    case kDone:
      return out.Take();
    case kNothingFound:
      return Status::NotFound(err.Take());
    case kWrongUsage:
      return Status::InvalidArgument(err.Take());
    case kBadData:
      return Status::Corruption(err.Take());
    default:
      return Status::Unavailable(err.Take());
  }
}

Result<std::vector<serve::PageVersion>> CommandPages::Versions(std::string_view url) {
  CRV_ASSIGN(const std::string text, Ask({"--json", "get", "--versions", "--", std::string(url)}));
  std::vector<serve::PageVersion> versions;
  for (const Json& version : ParseObject(text).value("versions", Json::array())) {
    versions.push_back(VersionOf(version));
  }
  return versions;
}

Result<serve::PageRecord> CommandPages::Record(std::string_view url) {
  CRV_ASSIGN(const std::string text, Ask({"--json", "get", "--column", "fetch", "--", std::string(url)}));
  const Json versions = ParseObject(text).value("versions", Json::array());
  if (versions.empty()) return Status::NotFound("no version of it is here");
  serve::PageRecord record;
  record.time_seconds = Time(versions[0]);
  record.noarchive = versions[0].value("noarchive", false);
  CRV_ASSIGN(record.response, Ask({"get", "--column", "record", "--", std::string(url)}));
  return record;
}

Result<std::vector<collection::Reason>> CommandPages::Why(std::string_view url) {
  CRV_ASSIGN(const std::string text, Ask({"--json", "why", "--", std::string(url)}));
  std::vector<collection::Reason> reasons;
  for (const Json& event : ParseObject(text).value("events", Json::array())) {
    reasons.push_back({Time(event) * 1'000'000, Text(event, "kind"), Text(event, "detail")});
  }
  return reasons;
}

Result<serve::PageCounts> CommandPages::Counts() {
  MutexLock lock(counts_mu_);
  const MonotonicTime now = SystemClock().Now();
  if (counts_ && now - counted_ < kCountsKept) return *counts_;
  CRV_ASSIGN(const std::string text, Ask({"--json", "report"}));
  serve::PageCounts counts;
  // A line for each seed and each host.
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const Json line = ParseObject(text.substr(at, end - at));
    if (line.contains("host")) {
      counts.hosts++;
      counts.pages += line.value("pages", uint64_t{0});
      counts.queued += line.value("queued", uint64_t{0});
    }
    at = end == std::string::npos ? text.size() : end + 1;
  }
  counts_ = counts;
  counted_ = now;
  return counts;
}

}  // namespace crivello::cli
