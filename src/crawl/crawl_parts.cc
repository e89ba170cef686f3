// SPDX-License-Identifier: Apache-2.0
#include "crawl/crawl_parts.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "fetch/cares_resolver.h"

namespace crivello::crawl {
namespace {

// What a kept connection may cost, with TLS; and how many files and the like are open beside connections.
constexpr uint64_t kConnectionBytes = 32 << 10;
constexpr uint64_t kOtherDescriptors = 1024;

// How many connections may be kept open for the next visits to their hosts: a host of a polite crawl is come
// back to after seconds, when thousands of others have been visited.
uint32_t KeptConnections(const CrawlOptions& options, uint64_t memory_bytes) {
  const uint64_t wanted =
      std::max<uint64_t>(2 * uint64_t{options.connections}, memory_bytes / kConnectionBytes);
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return options.connections;
  // Those of the visits under way may come on top.
  const uint64_t taken = kOtherDescriptors + options.connections;
  const uint64_t room = limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
  return static_cast<uint32_t>(std::max<uint64_t>(std::min(wanted, room), 1));
}

}  // namespace

Result<CrawlParts> OpenWebParts(const CrawlOptions& options, const collection::MemoryPlan& memory) {
  CrawlParts parts;
  fetch::CaresResolverOptions resolver;
  resolver.hosts = options.hosts;
  resolver.servers = options.dns_servers;
  CRV_ASSIGN(parts.resolver, fetch::OpenCaresResolver(std::move(resolver)));
  fetch::CurlFetcherOptions fetcher;
  if (options.allow_private) fetcher.guard = fetch::AddressGuard::AllowingAll();
  fetcher.user_agent = options.user_agent;
  fetcher.certificates = options.certificates;
  fetcher.authorities = options.authorities;
  fetcher.proxy = options.proxy;
  fetcher.arriving_bytes = memory.arriving;
  fetcher.max_connections = KeptConnections(options, memory.connections);
  CRV_ASSIGN(parts.fetcher, fetch::OpenCurlFetcher(std::move(fetcher)));
  return parts;
}

}  // namespace crivello::crawl
