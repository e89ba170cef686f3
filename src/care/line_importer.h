// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"
#include "care/importer.h"
#include "page/imported_document.h"

namespace crivello::care {

// Imports lines of JSON in order: documents, each optionally followed by lines with its links.  A document is
// imported when its line arrives, and again, with its links, after the last of these.
//
// One thread at a time.  The importer must outlive it.
class LineImporter {
 public:
  explicit LineImporter(Importer& importer) : importer_(importer) {}

  // InvalidArgument says what is wrong with the line, which is then skipped; other errors end the import.
  Status Add(std::string_view line);
  // Call it after the last line, and before Importer::Finish().
  Status Finish();

 private:
  Importer& importer_;
  page::DocumentLineParser parser_;
  page::ImportedDocument document_;  // the last one
  page::ImportedLink link_;          // scratch
  bool has_document_ = false;
};

}  // namespace crivello::care
