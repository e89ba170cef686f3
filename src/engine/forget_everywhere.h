// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "care/forget.h"
#include "care/index_keeper.h"
#include "collection/collection.h"

namespace crivello::engine {

// care/forget.h with the forgetters of all data about pages: those of the collection itself, and of the files
// that jobs derive from it.  The program forgets only through these functions.

// `index` may be null if there is no index.
Result<care::ForgetSummary> ForgetEverywhere(collection::Collection& store,
                                             std::span<const collection::ForgetTarget> targets,
                                             const std::string& reason, care::IndexKeeper* index,
                                             Progress& progress);
// Completes a deletion that a crash interrupted; nullopt if there is none.
Result<std::optional<care::ForgetSummary>> FinishForgettingEverywhere(collection::Collection& store,
                                                                      care::IndexKeeper* index,
                                                                      Progress& progress);

}  // namespace crivello::engine
