// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"

namespace crivello::serve {

// Takes documents that are sent to the server.  Thread-safe.
class DocumentSink {
 public:
  virtual ~DocumentSink() = default;
  // One as page/imported_document.h reads it, in a line of JSON.  InvalidArgument says what is wrong with
  // it; Unavailable that too many wait to be written, and this one was not taken.
  virtual Status Add(std::string_view line) = 0;
  // Returns when all that was added before is durable.
  virtual Status Commit() = 0;
};

}  // namespace crivello::serve
