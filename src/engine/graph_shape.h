// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "serve/dashboard/shape_source.h"

namespace crivello::engine {

struct GraphShapeOptions {
  uint64_t memory_bytes = uint64_t{64} << 20;
  // How long a request waits for a shape that is being computed.
  Duration patience = std::chrono::seconds(2);
};

// Analyses the graphs of a collection from their files, whether or not this process has it open.  Components
// and distances take some passes over the graph (85 for cnr-2000, half a second).  So a separate thread
// computes them when someone asks and the graph is new.
class GraphShape final : public serve::ShapeSource {
 public:
  explicit GraphShape(std::string directory, GraphShapeOptions options = {});
  // Cancels a computation in progress.
  ~GraphShape() override;

  Result<std::shared_ptr<const serve::WebShape>> Shape() override CRV_EXCLUDES(mu_);

 private:
  void Loop(const std::stop_token& stop) CRV_EXCLUDES(mu_);

  const std::string directory_;
  const GraphShapeOptions options_;
  Mutex mu_;
  std::condition_variable_any wake_;
  std::shared_ptr<const serve::WebShape> kept_ CRV_GUARDED_BY(mu_);
  uint64_t kept_stamp_ CRV_GUARDED_BY(mu_) = 0;  // of the files from which it was computed
  uint64_t wanted_stamp_ CRV_GUARDED_BY(mu_) = 0;
  Status failed_ CRV_GUARDED_BY(mu_);  // of the last attempt
  std::jthread thread_;                // the last member: ends before the others go; started on first use
};

// Computes the shape.  Reads the graphs of pages and of hosts; without a graph of hosts, the fields about
// hosts stay empty.
Result<serve::WebShape> MeasureShape(const std::string& directory, uint64_t memory_bytes,
                                     const std::stop_token& stop);

}  // namespace crivello::engine
