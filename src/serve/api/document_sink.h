// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::serve {

// A document by its URL, or by the id under which it was imported; exactly one of the two is set.
struct DocumentName {
  std::string url = {};
  std::string id = {};
};

// Takes documents that clients send to the server.  Thread-safe.
class DocumentSink {
 public:
  virtual ~DocumentSink() = default;
  // Adds one document, a line of JSON as page/imported_document.h reads it.  InvalidArgument says what is
  // wrong with it; Unavailable means that too many wait to be written and this one was not taken.
  virtual Status Add(std::string_view line) = 0;
  // Returns when everything added before is durable.
  virtual Status Commit() = 0;
  // Removes a document from the collection and from search, durably; returns how many were removed.  An id
  // may name several, and looking for it reads all rows.  The archive keeps its records of a page that was
  // crawled.
  virtual Result<uint64_t> Remove(const DocumentName& name) = 0;
};

}  // namespace crivello::serve
