// SPDX-License-Identifier: Apache-2.0
// Arbitrary server output: a server on loopback plays the input to a Fetcher, with pauses where it says so,
// on a connection that may be reused.  Every fetch ends, within its limits.
#include <chrono>

#include "base/mutex.h"
#include "fetch/collector.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

// Bytes between two of these are sent at once; a second 0xff closes the connection with RST.
constexpr char kPause = '\xfe';
constexpr char kReset = '\xff';

struct World {
  // Shared: the server may still be sending an answer when the next input arrives.
  Mutex mu;
  std::shared_ptr<const std::string> answer;
  std::shared_ptr<const std::string> Answer() {
    MutexLock lock(mu);
    return answer;
  }
  ScriptedServer server{[this](ScriptedServer::Connection& connection) {
    while (!connection.ReadHead().empty()) {
      const std::shared_ptr<const std::string> shared = Answer();
      const std::string& bytes = *shared;
      size_t at = 0;
      while (at < bytes.size()) {
        const size_t end = std::min(bytes.find_first_of("\xfe\xff", at), bytes.size());
        if (!connection.Write(std::string_view(bytes).substr(at, end - at))) return;
        if (end < bytes.size() && bytes[end] == kReset) return connection.Reset();
        if (end < bytes.size() && bytes[end] == kPause) connection.Pause(std::chrono::milliseconds(1));
        at = end + 1;
      }
      // A response that ends with its connection would otherwise never end.
      if (bytes.empty() || bytes.back() != kPause) return;
    }
  }};
  TestFetcher fetcher;
};

}  // namespace
}  // namespace crivello::fetch

// Leak detection runs after an input, while threads of the server may be about to free their data, so it
// would always report some.  The tests look for leaks of the Fetcher.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::fetch;
  static auto* world = new World;  // libFuzzer ends the process without destructors
  {
    crivello::MutexLock lock(world->mu);
    world->answer = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  }
  for (int i = 0; i < 2; i++) {
    auto fetch = MakeFetch(world->server.Url("/" + std::to_string(i)));
    Limits& limits = fetch->request.limits;
    limits.head_bytes = 2000;
    limits.body_bytes = 3000;
    limits.total_time = std::chrono::milliseconds(150);
    fetch = world->fetcher.Get(std::move(fetch));
    const Response& response = fetch->response;
    const bool within = response.head.size() <= 2000 && response.body.size() <= 3000;
    const bool sane = response.ok() == response.message.empty() &&
                      (response.truncation == Truncation::kNone || !response.ok()) &&
                      (response.status != 0 || !response.ok()) && response.outcome != Outcome::kInternal;
    if (!within || !sane) {
      std::fprintf(stderr, "%s: %s\n", std::string(OutcomeName(response.outcome)).c_str(),
                   response.message.c_str());
      std::abort();
    }
  }
  return 0;
}
