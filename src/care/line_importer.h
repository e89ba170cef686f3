// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"
#include "care/importer.h"
#include "page/imported_document.h"

namespace crivello::care {

// Imports lines of JSON in order: documents, each followed by the lines of its links, if there are any.  A
// document is imported when its line comes, and once more, with its links, when the last of these has come.
//
// One thread at a time.  The importer outlives it.
class LineImporter {
 public:
  explicit LineImporter(Importer& importer) : importer_(importer) {}

  // InvalidArgument says what is wrong with the line, which is then not taken; other errors end the import.
  Status Add(std::string_view line);
  // After the last line, and before Importer::Finish().
  Status Finish();

 private:
  Importer& importer_;
  page::DocumentLineParser parser_;
  page::ImportedDocument document_;  // the last one
  page::ImportedLink link_;          // scratch
  bool has_document_ = false;
};

}  // namespace crivello::care
