// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/status.h"
#include "collection/collection.h"
#include "store/archive_reader.h"
#include "web/http/http_message.h"

namespace crivello::collection {

// An answer as it was archived.  Owns its bytes; movable.
struct ArchivedPage {
  store::ArchivedRecord record;
  std::optional<store::ArchivedRecord> origin;  // the record that holds the body, if `record` does not
  web::HttpResponse http;                       // its head
  std::string_view body;                        // in its content coding
};

// Reads the answer from which a version of a row was derived.  NotFound or Corruption if it cannot be read.
Result<ArchivedPage> ReadArchivedPage(const Tablet& tablet, const store::ArchiveReader& archive,
                                      const store::FetchCell& fetch);

}  // namespace crivello::collection
