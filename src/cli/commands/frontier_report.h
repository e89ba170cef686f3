// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"
#include "wire/questions.h"

namespace crivello::cli {

// Prints what a collection's queues hold: the sums, and the hosts with the most URLs, what each waits for and
// until when.
void PrintFrontier(const Session& session, const wire::Queues& queues);

}  // namespace crivello::cli
