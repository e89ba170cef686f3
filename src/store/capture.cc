// SPDX-License-Identifier: Apache-2.0
#include "store/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/civil_time.h"
#include "store/surt.h"
#include "web/http/http_message.h"

namespace crivello::store {
namespace {

constexpr std::string_view kHttpResponse = "application/http; msgtype=response";
constexpr std::string_view kHttpRequest = "application/http; msgtype=request";

std::string_view ProfileOf(RevisitOf::Why why) {
  return why == RevisitOf::Why::kNotModified
             ? "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
             : "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
}

// Whether the line is a field of this name, given in lower case.
bool IsField(std::string_view line, std::string_view name) {
  if (line.size() <= name.size() || line[name.size()] != ':') return false;
  return std::equal(name.begin(), name.end(), line.begin(),
                    [](char n, char c) { return n == (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
}

bool StatesLength(std::string_view value, uint64_t bytes) {
  const size_t start = std::min(value.find_first_not_of(" \t"), value.size());
  const size_t end = value.find_last_not_of(" \t\r\n") + 1;
  uint64_t number = 0;
  const auto [at, error] = std::from_chars(value.data() + start, value.data() + end, number);
  return error == std::errc() && at == value.data() + end && number == bytes;
}

}  // namespace

bool IsForRobots(const WarcRecord& record) {
  return record.fields.Find(kPurposeField).value_or("") == kRobotsPurpose;
}

void AppendWarcFields(const std::vector<std::pair<std::string, std::string>>& fields, std::string* out) {
  for (const auto& [name, value] : fields) {
    const size_t start = out->size();
    out->append(name).append(": ").append(value);
    std::replace_if(
        out->begin() + static_cast<std::ptrdiff_t>(start), out->end(),
        [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
    out->append("\r\n");
  }
}

std::string ArchivedHead(std::string_view head, uint64_t body_bytes) {
  std::string out;
  out.reserve(head.size() + 96);
  bool renamed = false;
  bool ended = head.empty();  // an empty head has no empty line either
  const bool not_modified = web::ParseHttpResponse(head.substr(0, head.find('\n'))).status == 304;
  for (bool first = true; !head.empty() && !ended; first = false) {
    const size_t end = std::min(head.find('\n'), head.size() - 1) + 1;
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end);
    if (!first && (line == "\r\n" || line == "\n")) {
      ended = true;
      break;
    }
    constexpr std::string_view kTransfer = "transfer-encoding", kLength = "content-length";
    const bool transfer = !first && IsField(line, kTransfer);
    const bool wrong_length = !first && !not_modified && IsField(line, kLength) &&
                              !StatesLength(line.substr(kLength.size() + 1), body_bytes);
    if (transfer || wrong_length) out += "X-Crawler-";
    renamed = renamed || transfer || wrong_length;
    out += line;
    if (!line.ends_with('\n')) out += "\r\n";
  }
  if (renamed) out += fmt::format("Content-Length: {}\r\n", body_bytes);
  if (!out.empty()) out += "\r\n";
  return out;
}

Status CaptureEncoder::Encode(const Capture& capture, const Sha1& payload, const RevisitOf* revisit,
                              EncodedCapture* out) {
  out->bytes.clear();
  head_ = ArchivedHead(capture.response_head, capture.body.size());
  const web::HttpResponse parsed = web::ParseHttpResponse(head_);
  WarcDraft response = {
      .type = revisit != nullptr ? WarcType::kRevisit : WarcType::kResponse,
      .target_uri = std::string(capture.url),
      .date = capture.date,
      .content_type = std::string(kHttpResponse),
      .head = head_,
      .body = revisit != nullptr ? std::string_view() : capture.body,
      .payload_digest = Sha1Text(payload),
      .payload_digest_only = true,
      .compressed = parsed.fields.Find("Content-Encoding").value_or("identity") != "identity"};
  response.fields = {{"WARC-IP-Address", std::string(capture.ip)},
                     {"WARC-Truncated", std::string(capture.truncated)},
                     {std::string(kPurposeField), std::string(capture.purpose)}};
  if (revisit != nullptr) {
    response.fields.emplace_back("WARC-Profile", ProfileOf(revisit->why));
    response.fields.emplace_back("WARC-Refers-To-Target-URI", revisit->url);
    response.fields.emplace_back("WARC-Refers-To-Date", FormatRfc3339(revisit->date));
  }
  CRV_ASSIGN(const WarcEncoded encoded, encoder_.Append(response, &out->bytes));
  out->response_bytes = encoded.bytes;

  if (!capture.request_head.empty()) {
    const WarcDraft request = {.type = WarcType::kRequest,
                               .target_uri = response.target_uri,
                               .date = capture.date,
                               .content_type = std::string(kHttpRequest),
                               .fields = {{"WARC-Concurrent-To", encoded.record_id}},
                               .body = capture.request_head};
    CRV_TRY(encoder_.Append(request, &out->bytes));
  }
  if (!capture.metadata.empty()) {
    std::string fields;
    AppendWarcFields(capture.metadata, &fields);
    const WarcDraft metadata = {.type = WarcType::kMetadata,
                                .target_uri = response.target_uri,
                                .date = capture.date,
                                .content_type = "application/warc-fields",
                                .fields = {{"WARC-Concurrent-To", encoded.record_id}},
                                .body = fields};
    CRV_TRY(encoder_.Append(metadata, &out->bytes));
  }

  out->entry = {.key = SurtKey(capture.url),
                .timestamp = FormatTimestamp14(capture.date),
                .url = std::string(capture.url),
                .mime = "warc/revisit",
                .digest = response.payload_digest,
                .length = encoded.bytes};
  if (head_.starts_with("HTTP/")) {
    if (parsed.status > 0) out->entry.status = std::to_string(parsed.status);
    if (revisit == nullptr) out->entry.mime = CdxjMime(parsed.fields.Find("Content-Type").value_or(""));
  } else if (revisit == nullptr) {
    out->entry.mime = CdxjMime(kHttpResponse);
  }
  return Status::Ok();
}

}  // namespace crivello::store
