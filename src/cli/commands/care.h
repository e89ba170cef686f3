// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "care/forget.h"
#include "cli/command.h"
#include "collection/collection.h"

namespace crivello::cli {

// How pages are forgotten: with the index as this collection has it.
care::ForgetOptions ForgetOptionsOf(const Session& session, collection::Collection& store);

// Ends a forgetting that was cut off, and says so.  For whoever opens a collection to write to it.
Status FinishCare(const Session& session, collection::Collection& store);
// For who only reads it: a sentence, if there is something to end.
void TellOfUnfinishedCare(const Session& session, const collection::Collection& store);

// Builds the index of a collection that nobody else has open anew, as it was; nothing if it has none.
Status RebuildIndex(const Session& session, collection::Collection& store);

}  // namespace crivello::cli
