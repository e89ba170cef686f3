// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::store {

// A document of a TREC collection, in the text format
//
//   <DOC>
//   <DOCNO>FT911-1</DOCNO>
//   content
//   </DOC>
//
// or in the web format, which has a <DOCHDR> after the number: its first line starts with the URL (up to a
// space: some collections add address, date and so on), followed by the head of the HTTP response. Views into
// the bytes that were read.
struct TrecDocument {
  std::string_view docno = {};
  bool has_header = false;          // <DOCHDR> was there
  std::string_view url_line = {};   // the first line of it
  std::string_view http_head = {};  // the rest: for web::ParseHttpResponse
  std::string_view content = {};    // between the line breaks after the last tag and before </DOC>
  uint64_t offset = 0;              // of "<DOC>"
  bool whole = true;                // it has a number and an end
  std::string_view url() const;     // url_line up to the first space
};

// Reads such a file, already decompressed. Its bytes must outlive what is read. Tags may be in any case. A
// document without an end extends to the next "<DOC>" that is followed by "<DOCNO>", or to the end of the
// file; a header without an end, to an empty line or a tag. Text between documents is skipped. Any bytes give
// documents and an end, in linear time and without allocating. One thread at a time.
class TrecReader {
 public:
  explicit TrecReader(std::string_view bytes) : bytes_(bytes) {}
  std::optional<TrecDocument> Next();
  // Bytes other than white space that belonged to no document so far.
  uint64_t stray_bytes() const { return stray_bytes_; }

 private:
  std::string_view bytes_;
  uint64_t at_ = 0;
  uint64_t stray_bytes_ = 0;
};

// What to do with content that contains "</DOC>", or would be read as a header or another document: the
// format has no way to write it.
enum class TrecUnsafe : uint8_t {
  kRefuse,  // InvalidArgument
  kEscape,  // replace the "<" of that tag by "&lt;", which means the same in HTML
};

// Appends the document to *out; ignores `offset` and `whole`. Reading it back gives the same document, except
// for what was escaped. InvalidArgument, with nothing appended, if the number is empty or contains white
// space or "<", the header's first line contains a line break or outer white space, the header contains its
// own end tag, the content is unsafe as above, or a document without header has a URL or head.
Status AppendTrec(const TrecDocument& document, TrecUnsafe unsafe, std::string* out);

}  // namespace crivello::store
