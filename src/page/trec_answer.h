// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "store/trec.h"
#include "web/http/http_message.h"

namespace crivello::page {

// Documents of TREC Web files as archived answers, and back.  An archive has no place for the number of a
// document and for the first line of its header, and changes heads that do not tell the truth about lengths.
// So all of it is kept in a field of the archived head, X-Crawler-Trec: number and header, with line breaks
// as %0A.  What was imported in this way is exported byte for byte.

struct TrecAnswer {
  std::string url = {};    // as written
  std::string date = {};   // as WARC writes it; empty if the document has none
  std::string ip = {};     // empty if it has none
  std::string block = {};  // head and body of an HTTP answer
};

// InvalidArgument for a document without a header: it was never on the web.
Result<TrecAnswer> AnswerOfTrec(const store::TrecDocument& document);

// The number that an archived answer was imported with; empty if it came another way.
std::string TrecNumberOf(const web::HttpResponse& http);

// A page to be exported.
struct TrecPage {
  std::string_view url;
  std::string_view docno;  // if it was not imported from TREC Web
  int64_t time = 0;        // seconds since 1970
  std::string_view block;  // archived head and body
};
// Appends the document.  What the format cannot hold is escaped (TrecUnsafe::kEscape).
Status AppendTrecPage(const TrecPage& page, std::string* out);
// The number of the document that AppendTrecPage() writes.
std::string TrecNumber(const TrecPage& page);

}  // namespace crivello::page
