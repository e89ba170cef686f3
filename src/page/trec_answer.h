// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "store/trec.h"
#include "web/http/http_message.h"

namespace crivello::page {

// Converts documents of TREC Web files to archived responses, and back. An archive cannot store a document's
// number and the first line of its header, and corrects heads with wrong lengths. So number and header are
// kept in an extra field of the archived head, X-Crawler-Trec, with line breaks as %0A. A document imported
// in this way is exported byte for byte.

struct TrecAnswer {
  std::string url = {};    // as written
  std::string date = {};   // in WARC's format; empty if the document has none
  std::string ip = {};     // empty if it has none
  std::string block = {};  // head and body of an HTTP response
};

// InvalidArgument for a document without a header, because it has no HTTP response.
Result<TrecAnswer> AnswerOfTrec(const store::TrecDocument& document);

// The document number that a response was imported with; empty if it was not imported from TREC.
std::string TrecNumberOf(const web::HttpResponse& http);

// A page to be exported.
struct TrecPage {
  std::string_view url;
  std::string_view docno;  // used if it was not imported from TREC Web
  int64_t time = 0;        // seconds since 1970
  std::string_view block;  // archived head and body
};
// Appends the document. Content that the format cannot represent is escaped (TrecUnsafe::kEscape).
Status AppendTrecPage(const TrecPage& page, std::string* out);
// The number of the document that AppendTrecPage() writes.
std::string TrecNumber(const TrecPage& page);

}  // namespace crivello::page
