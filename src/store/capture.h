// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/random.h"
#include "base/status.h"
#include "store/cdxj.h"
#include "store/warc_encoder.h"
#include "store/warc_record.h"

namespace crivello::store {

// The HTTP exchange for one URL, to be archived. Views, used only during the call.
struct Capture {
  std::string_view url;            // canonical
  int64_t date = 0;                // seconds since 1970
  std::string_view ip;             // of the server
  std::string_view request_head;   // as sent; empty: no request record
  std::string_view response_head;  // as received; empty for HTTP/0.9
  std::string_view body;           // without transfer coding, still in its content coding
  std::string_view truncated;      // for WARC-Truncated: "length", "time", "disconnect"; empty if whole
  std::string_view purpose = {};   // kRobotsPurpose; empty: a page
  // Fields of the metadata record (via, hopsFromSeed, fetchTimeMs ...); if empty, there is no such record.
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// The field of a response that says what it was fetched for, and its value for a robots.txt and for what that
// was moved to. Such an answer is not a page and has no row.
inline constexpr std::string_view kPurposeField = "X-Crawler-Purpose";
inline constexpr std::string_view kRobotsPurpose = "robots";
bool IsForRobots(const WarcRecord& record);

// The earlier capture of the same payload, for a revisit record, which holds only the new head.
struct RevisitOf {
  enum class Why : uint8_t { kIdenticalPayload, kNotModified };
  Why why = Why::kIdenticalPayload;
  std::string url = {};
  int64_t date = 0;
};

// The records of one capture, ready to be appended in one write: first the response or revisit, whose locator
// Archive::Append returns, then request and metadata, which refer to it by WARC-Concurrent-To.
struct EncodedCapture {
  std::string bytes;
  uint64_t response_bytes = 0;  // of the first record
  CdxjEntry entry;              // without offset and file
};

// Compresses captures outside any lock: each thread that archives has its own. One thread at a time.
class CaptureEncoder {
 public:
  using Options = WarcEncoder::Options;
  explicit CaptureEncoder(Options options = {}, uint64_t seed = RandomSeed())
      : random_(seed), encoder_(std::move(options), random_) {}

  // `payload` is Sha1Of(capture.body), or for kNotModified that of the earlier payload; `revisit` may be
  // null. Reuses the memory of *out. InvalidArgument if the records cannot be written (WarcEncoder).
  Status Encode(const Capture& capture, const Sha1& payload, const RevisitOf* revisit, EncodedCapture* out);

 private:
  SeededRandom random_;
  WarcEncoder encoder_;
  std::string head_;  // scratch
};

// Appends lines "name: value" of application/warc-fields. Characters that would break a line become spaces.
void AppendWarcFields(const std::vector<std::pair<std::string, std::string>>& fields, std::string* out);

// The head of a response as the archive holds it: as received, except that the body is stored without
// transfer coding and may be cut. So Transfer-Encoding, and a Content-Length that differs from the stored
// body's, are renamed to X-Crawler-Transfer-Encoding and X-Crawler-Content-Length, as in Common Crawl's
// archives, and the true Content-Length is added. A missing empty line at the end is added too. A 304 keeps
// its Content-Length, which describes a body that it does not send.
std::string ArchivedHead(std::string_view head, uint64_t body_bytes);

}  // namespace crivello::store
