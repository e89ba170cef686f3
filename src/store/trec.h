// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::store {

// A document of a TREC collection: of the text format,
//
//   <DOC>
//   <DOCNO>FT911-1</DOCNO>
//   content
//   </DOC>
//
// or of the web format, which has <DOCHDR> behind the number: the URL in its first line (up to a space: some
// collections go on with address, date and so on), then the head of the HTTP response.  Views into the bytes
// that were read.
struct TrecDocument {
  std::string_view docno = {};
  bool has_header = false;          // <DOCHDR> was there
  std::string_view url_line = {};   // the first line of it
  std::string_view http_head = {};  // the rest: for web::ParseHttpResponse
  std::string_view content = {};    // between the line breaks behind the last tag and before </DOC>
  uint64_t offset = 0;              // of "<DOC>"
  bool whole = true;                // it has a number and an end
  std::string_view url() const;     // url_line up to the first space
};

// Reads such a file, already decompressed, whose bytes must outlive what is read.  Tags may be in any case.
// A document without an end goes up to the next "<DOC>" that a "<DOCNO>" follows, or to the end of the file;
// a header without an end up to an empty line or a tag.  What lies between documents is passed over.  Any
// bytes give some documents and an end, in linear time; no memory.  One thread at a time.
class TrecReader {
 public:
  explicit TrecReader(std::string_view bytes) : bytes_(bytes) {}
  std::optional<TrecDocument> Next();
  // Bytes, other than white space, that were in no document so far.
  uint64_t stray_bytes() const { return stray_bytes_; }

 private:
  std::string_view bytes_;
  uint64_t at_ = 0;
  uint64_t stray_bytes_ = 0;
};

// What to do with content that has a "</DOC>" in it, or would be read as a header or another document: the
// format has no way to write it.
enum class TrecUnsafe : uint8_t {
  kRefuse,  // InvalidArgument
  kEscape,  // the "<" of that tag becomes "&lt;", which in HTML means the same
};

// Appends the document to *out; `offset` and `whole` are not looked at.  What is written is read back the
// same but for what was escaped.  InvalidArgument, with nothing appended, if the number is empty or has white
// space or "<" in it, the first line of the header a line break or white space at its ends, the header its
// own end, or the content as above; a document without header may have neither URL nor head.
Status AppendTrec(const TrecDocument& document, TrecUnsafe unsafe, std::string* out);

}  // namespace crivello::store
