// SPDX-License-Identifier: Apache-2.0
// Messages about work on a whole collection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/message.h"

namespace crivello::wire {

struct ForgottenTarget {
  std::string target = {};  // as users write it
  std::string reason = {};
  int64_t begun = 0;  // seconds since 1970
  int64_t done = 0;   // 0: begun, and not yet complete
  uint64_t pages = 0;
  uint64_t records = 0;

  static void Fields(auto& visit, auto& self) {
    visit(self.target, self.reason, self.begun, self.done, self.pages, self.records);
  }
  friend bool operator==(const ForgottenTarget&, const ForgottenTarget&) = default;
};

struct ForgottenTargets {
  static constexpr const char* kName = "forgotten targets";
  std::vector<ForgottenTarget> targets = {};  // oldest first

  static void Fields(auto& visit, auto& self) { visit(self.targets); }
  friend bool operator==(const ForgottenTargets&, const ForgottenTargets&) = default;
};

struct ForgottenRequest {
  static constexpr const char* kName = "forgotten";
  static constexpr MessageType kType = MessageType::kForgotten;
  static constexpr bool kRepeatable = true;
  using Answer = ForgottenTargets;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const ForgottenRequest&, const ForgottenRequest&) = default;
};

struct ForgetPreview {
  static constexpr const char* kName = "preview of a forgetting";
  uint64_t pages = 0;
  uint64_t versions = 0;
  uint64_t bytes = 0;
  std::vector<std::string> examples = {};  // URLs

  static void Fields(auto& visit, auto& self) { visit(self.pages, self.versions, self.bytes, self.examples); }
  friend bool operator==(const ForgetPreview&, const ForgetPreview&) = default;
};

// What a ForgetRequest would delete; changes nothing.
struct ForgetPreviewRequest {
  static constexpr const char* kName = "forget preview";
  static constexpr MessageType kType = MessageType::kForgetPreview;
  static constexpr bool kRepeatable = true;
  using Answer = ForgetPreview;

  std::vector<std::string> targets = {};  // as users write them

  static void Fields(auto& visit, auto& self) { visit(self.targets); }
  friend bool operator==(const ForgetPreviewRequest&, const ForgetPreviewRequest&) = default;
};

struct ForgetSummary {
  static constexpr const char* kName = "summary of a forgetting";
  bool any = false;  // there was something to do
  uint64_t pages = 0;
  uint64_t records = 0;
  uint64_t copies = 0;  // bodies shared with other pages, which are kept with these

  static void Fields(auto& visit, auto& self) { visit(self.any, self.pages, self.records, self.copies); }
  friend bool operator==(const ForgetSummary&, const ForgetSummary&) = default;
};

// Deletes pages from every file of the collection.  Once begun, it is completed even if the client does not
// wait for it.
struct ForgetRequest {
  static constexpr const char* kName = "forget";
  static constexpr MessageType kType = MessageType::kForget;
  static constexpr bool kRepeatable = false;
  using Answer = ForgetSummary;

  std::vector<std::string> targets = {};
  std::string reason = {};

  static void Fields(auto& visit, auto& self) { visit(self.targets, self.reason); }
  friend bool operator==(const ForgetRequest&, const ForgetRequest&) = default;
};

// Completes a deletion that a crash interrupted.
struct FinishForgettingRequest {
  static constexpr const char* kName = "finish forgetting";
  static constexpr MessageType kType = MessageType::kFinishForgetting;
  static constexpr bool kRepeatable = false;
  using Answer = ForgetSummary;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const FinishForgettingRequest&, const FinishForgettingRequest&) = default;
};

struct BackupSummary {
  static constexpr const char* kName = "summary of a backup";
  std::string name = {};
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t copied_bytes = 0;

  static void Fields(auto& visit, auto& self) { visit(self.name, self.files, self.bytes, self.copied_bytes); }
  friend bool operator==(const BackupSummary&, const BackupSummary&) = default;
};

struct BackupRequest {
  static constexpr const char* kName = "backup";
  static constexpr MessageType kType = MessageType::kBackup;
  static constexpr bool kRepeatable = false;
  using Answer = BackupSummary;

  std::string folder = {};  // an absolute path

  static void Fields(auto& visit, auto& self) { visit(self.folder); }
  friend bool operator==(const BackupRequest&, const BackupRequest&) = default;
};

struct CheckSummary {
  static constexpr const char* kName = "summary of a check";
  uint64_t files = 0;
  uint64_t records = 0;
  uint64_t rows = 0;
  uint64_t hosts = 0;
  uint64_t queued = 0;
  uint64_t problems = 0;
  std::vector<std::string> sentences = {};  // about the first problems

  static void Fields(auto& visit, auto& self) {
    visit(self.files, self.records, self.rows, self.hosts, self.queued, self.problems, self.sentences);
  }
  friend bool operator==(const CheckSummary&, const CheckSummary&) = default;
};

// Reads the whole collection and reports what is damaged.
struct CheckRequest {
  static constexpr const char* kName = "check";
  static constexpr MessageType kType = MessageType::kCheck;
  static constexpr bool kRepeatable = false;
  using Answer = CheckSummary;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const CheckRequest&, const CheckRequest&) = default;
};

struct ImportSummary {
  static constexpr const char* kName = "summary of an import";
  uint64_t documents = 0;
  uint64_t bytes = 0;
  uint64_t refused = 0;
  std::vector<std::string> sentences = {};  // what was wrong with the first of them

  static void Fields(auto& visit, auto& self) {
    visit(self.documents, self.bytes, self.refused, self.sentences);
  }
  friend bool operator==(const ImportSummary&, const ImportSummary&) = default;
};

// A document to import, and where it comes from, for an error message if it is refused.
struct ImportedLine {
  std::string origin = {};  // "documents.jsonl:17"
  std::string json = {};

  static void Fields(auto& visit, auto& self) { visit(self.origin, self.json); }
  friend bool operator==(const ImportedLine&, const ImportedLine&) = default;
};

// A response from another archive.
struct ImportedRecord {
  std::string url = {};
  std::string date = {};  // as WARC and ARC write it
  std::string ip = {};
  std::string block = {};  // head and body, as received
  bool truncated = false;

  static void Fields(auto& visit, auto& self) {
    visit(self.url, self.date, self.ip, self.block, self.truncated);
  }
  friend bool operator==(const ImportedRecord&, const ImportedRecord&) = default;
};

// A batch of documents, durable when it is answered.  Repeating the request writes the same rows again.
struct ImportRequest {
  static constexpr const char* kName = "import";
  static constexpr MessageType kType = MessageType::kImport;
  static constexpr bool kRepeatable = false;
  using Answer = ImportSummary;

  std::vector<ImportedLine> lines = {};
  std::vector<ImportedRecord> records = {};

  static void Fields(auto& visit, auto& self) { visit(self.lines, self.records); }
  friend bool operator==(const ImportRequest&, const ImportRequest&) = default;
};

struct GraphBuildSummary {
  static constexpr const char* kName = "summary of a graph";
  std::string basename = {};
  uint64_t rows = 0;
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t links = 0;  // represented by the arcs
  uint64_t bytes = 0;
  double bits_per_link = 0;

  static void Fields(auto& visit, auto& self) {
    visit(self.basename, self.rows, self.nodes, self.arcs, self.links, self.bytes, self.bits_per_link);
  }
  friend bool operator==(const GraphBuildSummary&, const GraphBuildSummary&) = default;
};

// Builds a link graph of the collection, while other work continues.  Stops early if nobody waits for it.
struct GraphBuildRequest {
  static constexpr const char* kName = "graph build";
  static constexpr MessageType kType = MessageType::kGraphBuild;
  static constexpr bool kRepeatable = false;
  using Answer = GraphBuildSummary;

  std::string level = {};  // "page", "host" or "domain"
  bool keep_nofollow = false;
  bool frontier = false;
  uint64_t memory_bytes = 0;
  uint64_t threads = 1;

  static void Fields(auto& visit, auto& self) {
    visit(self.level, self.keep_nofollow, self.frontier, self.memory_bytes, self.threads);
  }
  friend bool operator==(const GraphBuildRequest&, const GraphBuildRequest&) = default;
};

struct Released {
  static constexpr const char* kName = "released";

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const Released&, const Released&) = default;
};

// Asks a process that only reads the collection to close it soon, for one that must write to it.
// InvalidArgument if the process writes to it itself.
struct ReleaseRequest {
  static constexpr const char* kName = "release";
  static constexpr MessageType kType = MessageType::kRelease;
  static constexpr bool kRepeatable = false;
  using Answer = Released;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const ReleaseRequest&, const ReleaseRequest&) = default;
};

}  // namespace crivello::wire
