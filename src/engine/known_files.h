// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/description.h"
#include "base/status.h"

namespace crivello::engine {

// What a file that the program writes holds, for people: of a file in the envelope or of a log
// (docs/formats/envelope.md, docs/formats/log.md) after all its checksums were verified; of a folder that is
// a segment of an index.
//
// A file in another format is named, not read: text that people edit, web archives, the database.  The
// description says which command or program reads it.
//
// Corruption if a file of ours is damaged, or if it is no file that the program writes.
Result<Description> DescribeFile(const std::string& path);

}  // namespace crivello::engine
