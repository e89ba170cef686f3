// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/status.h"
#include "store/record_locator.h"

namespace crivello::store {

// What kind of page it is, judged by its URL and content. The numbers are stored on disk: never renumber or
// reuse one.
enum class PageKind : uint8_t {
  kUnknown = 0,  // not determined
  kHome = 1,     // the first page of its host
  kArticle = 2,  // text to be read
  kListing = 3,  // mostly links: an index, a table of contents, the files of a folder
  kError = 4,    // says that there is nothing here, whatever its status; excluded from searches
  kOther = 5,
};
inline constexpr uint8_t kPageKinds = 6;
std::string_view PageKindName(PageKind kind);

// What the table stores for one capture of a page: one cell in each column family. docs/formats/table.md has
// the bytes. Each format begins with its version. Any bytes can be decoded safely: Corruption if they are not
// such a cell, or have a version that this program does not know. Encoding then decoding gives the same.

// fetch: the response, and where it is archived.
struct FetchCell {
  uint16_t status = 0;            // of HTTP; 200 for HTTP/0.9
  std::string content_type = {};  // as decided: "text/html", in lower case, without parameters
  uint64_t body_bytes = 0;        // as sent, transfer coding removed
  Sha1 payload = {};              // of these bytes
  uint64_t head_digest = 0;       // Hash64 of the head as received
  RecordLocator record = {};      // the response or the revisit; of length 0 if not archived
  // Validators for a conditional request.
  std::string etag = {};
  std::optional<int64_t> last_modified = {};
  std::string location = {};  // the target of a redirect: the canonical URL, or as received
  uint32_t milliseconds = 0;  // from the request to the last byte
  // Digests of the text (dedup/page_digest.h); 0 if there is no text.
  uint64_t text_digest = 0;
  uint64_t simhash = 0;
  // Directives of the page and its head.
  bool noindex = false;
  bool noarchive = false;
  bool nofollow = false;
  bool truncated = false;      // the body was cut by a limit or by the server
  bool revisit = false;        // the payload was archived before: the record holds the head only
  bool near_copy = false;      // the normalised text had been seen before
  uint32_t derived_by = 0;     // the version of the code that computed the derived fields
  std::string id = {};         // of an imported document
  std::string canonical = {};  // the URL that the page declares as its own, if different
  PageKind kind = PageKind::kUnknown;
  // The least of the URLs that the page names as its translations (hreflang), including its own, so pages
  // that name each other have the same value. Empty if it names none.
  std::string translations = {};
  // In seconds since 1970: from then on the page is neither shown nor fetched.
  std::optional<int64_t> unavailable_after = {};
  // How the page may be used (web/http/usage_preferences.h): what the response and robots.txt said when the
  // page was fetched.
  std::string usage = {};
  std::string robots_usage = {};

  // The preferences of both, combined.
  std::string AllUsage() const;
  bool IsUnavailable(int64_t now) const { return unavailable_after && *unavailable_after <= now; }
  friend bool operator==(const FetchCell&, const FetchCell&) = default;
};
std::string EncodeFetchCell(const FetchCell& cell);
Result<FetchCell> DecodeFetchCell(std::string_view bytes);

// A run of text of a page, as in text/formats/document.h.
struct TextBlock {
  static constexpr uint8_t kMaxKind = 15;
  static constexpr uint8_t kMaxLevel = 15;
  uint8_t kind = 0;   // text::BlockKind
  uint8_t level = 0;  // of a heading, of a list's nesting
  bool main = true;   // main content; otherwise boilerplate
  std::string_view text = {};

  friend bool operator==(const TextBlock&, const TextBlock&) = default;
};

// text: what a reader sees. Views into the caller's memory when encoding, into the bytes when decoding.
struct TextCell {
  uint32_t derived_by = 0;         // the version of the code that extracted it from the page
  std::string_view language = {};  // BCP 47; empty if not known
  std::string_view charset = {};   // that the page was decoded with; empty if not known
  std::string_view title = {};
  std::string_view author = {};
  std::string_view site = {};  // the name of the publication
  std::string_view description = {};
  std::optional<int64_t> published = {};  // seconds since 1970
  std::vector<TextBlock> blocks = {};     // in page order

  // The texts of the main blocks, separated by an empty line.
  std::string MainText() const;

  friend bool operator==(const TextCell&, const TextCell&) = default;
};
// Replaces *out and reuses its memory. REQUIRES: no kind or level of a block exceeds its maximum.
void EncodeTextCell(const TextCell& cell, std::string* out);
Result<TextCell> DecodeTextCell(std::string_view bytes);

// A text cell together with the bytes that it points into.
class StoredText {
 public:
  static Result<StoredText> Decode(std::string bytes);
  const TextCell& operator*() const { return cell_; }
  const TextCell* operator->() const { return &cell_; }

 private:
  // On the heap, because moving a short string would move its bytes.
  std::unique_ptr<const std::string> bytes_;
  TextCell cell_;
};

// link: the links of a page, in page order, each with its anchor text.
struct OutLink {
  std::string url = {};   // canonical
  std::string text = {};  // of the anchor
  uint8_t kind = 0;       // web::LinkKind
  bool nofollow = false;

  friend bool operator==(const OutLink&, const OutLink&) = default;
};

// Writes such a cell, one link after another. A URL is written as its difference from the one before, because
// the links of a page resemble each other. One thread at a time.
class LinkCellBuilder {
 public:
  // A cell never exceeds this size, decoded: some pages have many links to long URLs.
  static constexpr uint64_t kMaxDecodedBytes = 32 << 20;
  static constexpr uint8_t kMaxKind = 127;

  LinkCellBuilder() { Clear(); }
  void Clear();
  // False, with nothing added, once the cell is full.  REQUIRES: kind <= kMaxKind.
  bool Add(std::string_view url, std::string_view text, uint8_t kind, bool nofollow);
  uint64_t size() const { return links_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::string last_url_;
  uint64_t links_ = 0;
  uint64_t decoded_bytes_ = 0;
};

Result<std::vector<OutLink>> DecodeLinkCell(std::string_view bytes);

}  // namespace crivello::store
