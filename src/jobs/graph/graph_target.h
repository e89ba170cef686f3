// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/scratch_folder.h"
#include "base/status.h"

namespace crivello::jobs {

// What is around the files of a graph that a user names by their basename, outside of a collection:
// BASENAME.graph .offsets .properties, or BASENAME.ef-graph, and BASENAME.urls.

enum class GraphFormat : uint8_t { kBv, kEf };
constexpr std::string_view kEfEnding = ".ef-graph";

// Whether two basenames name the same files, however they are spelled.
bool SameGraphFiles(const std::string& a, const std::string& b);

// A new folder beside the files, for what does not fit in memory while they are written.
Result<ScratchFolder> ScratchBeside(const std::string& basename);

// Removes what an earlier graph left that would count as part of a new one in this format: its names, and the
// graph in the other format.  Called when the new graph is complete and about to take its place; its names
// are written after that.
Status RemoveLeftovers(const std::string& basename, GraphFormat format);

// Moves a complete list of names from a scratch folder beside the files to its place.  Durable.
Status MoveNames(const std::string& from, const std::string& basename);

}  // namespace crivello::jobs
