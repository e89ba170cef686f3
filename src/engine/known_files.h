// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/description.h"
#include "base/status.h"

namespace crivello::engine {

// Describes a file that the program writes, for people.  A file in the envelope or a log
// (docs/formats/envelope.md, docs/formats/log.md) is described after all its checksums were verified, and so
// is a folder that is an index segment.
//
// For a file in another format it only says what it is: text that people edit, web archives, the database.
// The description says which command or program reads it.
//
// Corruption if a file of ours is damaged, or if the program does not write such files.
Result<Description> DescribeFile(const std::string& path);

}  // namespace crivello::engine
