// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"
#include "wire/questions.h"

namespace crivello::cli {

// Prints the contents of a collection's queues: totals, and the hosts with the most URLs, what each waits for
// and until when.
void PrintFrontier(const Session& session, const wire::Queues& queues);

}  // namespace crivello::cli
