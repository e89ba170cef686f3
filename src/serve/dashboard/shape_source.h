// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace crivello::serve {

// The shape of the crawled web: summary statistics of the link graph of a collection.
struct WebShape {
  int64_t time = 0;  // seconds since 1970: when the graph was built
  uint64_t pages = 0;
  uint64_t links = 0;       // from page to page
  uint64_t components = 0;  // strongly connected

  // The bow tie: around the largest strongly connected component.
  struct Part {
    std::string name;
    uint64_t pages = 0;
  };
  std::vector<Part> bow_tie = {};

  // How many pages have each number of links: points (number, pages), by increasing number, 0 included.
  struct Point {
    uint64_t value = 0;
    uint64_t pages = 0;
  };
  std::vector<Point> outdegrees = {};
  std::vector<Point> indegrees = {};

  // Among pairs of pages where one reaches the other, the share at each distance, from 0.
  std::vector<double> distances = {};
  double average_distance = 0;
  double effective_distance = 0;  // 90% of these pairs are at most this far apart
  double reachable = 0;           // the share of all pairs
  double error = 0;               // the relative standard error of these, from the counters

  uint64_t hosts = 0;
  uint64_t host_links = 0;  // pairs of hosts
  // The hosts with the best rank, best first; empty if hosts are not ranked.
  struct Host {
    std::string host;
    uint64_t place = 0;
    double value = 0;
  };
  std::vector<Host> best_hosts = {};
};

// Provides the data for the page about the shape.  Thread-safe.
class ShapeSource {
 public:
  virtual ~ShapeSource() = default;
  // NotFound, with how to build it, if there is no graph.  Waits a moment for the shape to be computed; then
  // Unavailable if that is still in progress.
  virtual Result<std::shared_ptr<const WebShape>> Shape() = 0;
};

}  // namespace crivello::serve
