// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::serve {

// A document by its URL, or by the id that it was imported with: one of them is empty.
struct DocumentName {
  std::string url = {};
  std::string id = {};
};

// Takes documents that are sent to the server.  Thread-safe.
class DocumentSink {
 public:
  virtual ~DocumentSink() = default;
  // One as page/imported_document.h reads it, in a line of JSON.  InvalidArgument says what is wrong with
  // it; Unavailable that too many wait to be written, and this one was not taken.
  virtual Status Add(std::string_view line) = 0;
  // Returns when all that was added before is durable.
  virtual Status Commit() = 0;
  // Removes a document from the collection and from search; how many there were.  An id may name several, and
  // costs reading all rows.  Durable when it returns.  The archive keeps what it has of a page that was
  // crawled.
  virtual Result<uint64_t> Remove(const DocumentName& name) = 0;
};

}  // namespace crivello::serve
