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

// What was said on the wire for one URL, to be archived.  Views, used during the call.
struct Capture {
  std::string_view url;            // canonical
  int64_t date = 0;                // seconds since 1970
  std::string_view ip;             // that was connected to
  std::string_view request_head;   // as sent; empty: no request record
  std::string_view response_head;  // as it came; empty for HTTP/0.9
  std::string_view body;           // without transfer coding, still in its content coding
  std::string_view truncated;      // of WARC-Truncated: "length", "time", "disconnect"; empty if whole
  std::string_view purpose = {};   // kRobotsPurpose; empty: a page
  // Fields of the metadata record (via, hopsFromSeed, fetchTimeMs ...); none, no record.
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// The field of a response that says what it was fetched for, and its value for a robots.txt, or what that was
// moved to: no page, and without a row.
inline constexpr std::string_view kPurposeField = "X-Crawler-Purpose";
inline constexpr std::string_view kRobotsPurpose = "robots";
bool IsForRobots(const WarcRecord& record);

// The capture that a payload was seen in before, for a revisit record, which holds the new head only.
struct RevisitOf {
  enum class Why : uint8_t { kIdenticalPayload, kNotModified };
  Why why = Why::kIdenticalPayload;
  std::string url = {};
  int64_t date = 0;
};

// The records of one capture, ready to be appended in one piece: the response or revisit first, which the
// locator of Archive::Append names, then request and metadata, which point to it by WARC-Concurrent-To.
struct EncodedCapture {
  std::string bytes;
  uint64_t response_bytes = 0;  // of the first record
  CdxjEntry entry;              // without offset and file
};

// Compresses captures outside any lock: each thread that archives has one.  One thread at a time.
class CaptureEncoder {
 public:
  using Options = WarcEncoder::Options;
  explicit CaptureEncoder(Options options = {}, uint64_t seed = RandomSeed())
      : random_(seed), encoder_(std::move(options), random_) {}

  // `payload` is Sha1Of(capture.body), or of the earlier payload for kNotModified; `revisit` may be null.
  // Memory of *out is used again.  InvalidArgument if the records cannot be written (WarcEncoder).
  Status Encode(const Capture& capture, const Sha1& payload, const RevisitOf* revisit, EncodedCapture* out);

 private:
  SeededRandom random_;
  WarcEncoder encoder_;
  std::string head_;  // scratch
};

// Appends lines "name: value" of application/warc-fields; what would break a line becomes a space.
void AppendWarcFields(const std::vector<std::pair<std::string, std::string>>& fields, std::string* out);

// The head of a response as the archive holds it: as it came, but that the body is stored without transfer
// coding and perhaps cut.  So Transfer-Encoding, and a Content-Length that is not the body's, are kept under
// the names X-Crawler-Transfer-Encoding and X-Crawler-Content-Length, as Common Crawl's archives do, and the
// true Content-Length is added.  A missing empty line at the end is added too.  A 304 has the length of what
// it does not send, and keeps it.
std::string ArchivedHead(std::string_view head, uint64_t body_bytes);

}  // namespace crivello::store
