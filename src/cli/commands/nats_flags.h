// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "cluster/nats/nats_bus.h"

namespace CLI {
class App;
}

namespace crivello::cli {

// How to reach the NATS servers of a cluster.
void AddNatsFlags(CLI::App& command, cluster::NatsOptions& options);

}  // namespace crivello::cli
