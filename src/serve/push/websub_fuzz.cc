// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a hub sends: the query of a verification on the first line, a signature on the second.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "feeds/websub.h"
#include "serve/push/websub_site.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t line = std::min(bytes.find('\n'), bytes.size());
  serve::HttpRequest request;
  serve::ParseTarget(std::string("/websub/x?").append(bytes.substr(0, line)), &request);
  const auto question = serve::ParseHubQuestion(request);
  if (question.ok()) {
    const bool denied = question->mode == feeds::HubQuestion::Mode::kDenied;
    if (question->topic.empty() || question->challenge.empty() != denied) std::abort();
    const int64_t lease = feeds::ClampLease(question->lease_s);
    if (lease < feeds::kLeastLease || lease > feeds::kMostLease) std::abort();
  }
  const auto signature = feeds::ParseHubSignature(bytes.substr(std::min(line + 1, bytes.size())));
  if (signature && signature->code.size() < 32) std::abort();
  return 0;
}
