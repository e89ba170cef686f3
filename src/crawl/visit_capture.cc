// SPDX-License-Identifier: Apache-2.0
#include "crawl/visit_capture.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/ascii.h"
#include "base/civil_time.h"

namespace crivello::crawl {
namespace {

// The head of a request without the fields of these names.
std::string HeadWithout(const std::vector<fetch::RequestField>& fields, std::string_view head) {
  std::string kept;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, std::min(head.find('\n'), head.size() - 1) + 1);
    head.remove_prefix(line.size());
    const std::string_view name = line.substr(0, line.find(':'));
    const bool secret = std::any_of(fields.begin(), fields.end(), [&](const fetch::RequestField& field) {
      return EqualsIgnoringCase(field.name, name);
    });
    if (!secret) kept += line;
  }
  return kept;
}

}  // namespace

VisitCapture::VisitCapture(const CrawlOptions& options, const frontier::Visit& visit, std::string_view host,
                           const fetch::Response& response)
    : ip_(response.remote.ToString()) {
  capture_.url = visit.url;
  capture_.date = ToSeconds(response.timings.start);
  capture_.ip = ip_;
  capture_.request_head = response.request_head;
  if (const auto own = options.host_settings.find(host); own != options.host_settings.end()) {
    request_head_ = HeadWithout(own->second.fields, response.request_head);
    capture_.request_head = request_head_;
  }
  capture_.response_head = response.head;
  capture_.body = response.body;
  capture_.truncated = fetch::TruncationName(response.truncation);
  if (response.truncation == fetch::Truncation::kNone) capture_.truncated = {};
  const std::string milliseconds = std::to_string(response.timings.end / std::chrono::milliseconds(1));
  if (visit.kind == frontier::UrlKind::kRobots) {
    capture_.purpose = store::kRobotsPurpose;
    capture_.metadata = {{"fetchTimeMs", milliseconds}};
  } else {
    capture_.metadata = {{"hopsFromSeed", std::to_string(visit.depth)}, {"fetchTimeMs", milliseconds}};
  }
}

}  // namespace crivello::crawl
