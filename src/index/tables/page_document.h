// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/segments/index_document.h"
#include "index/tables/inlinks.h"
#include "store/table.h"

namespace crivello::index {

// The fields of an index of pages.
//
//   title     its title
//   headings  headings of its main content
//   body      the rest of its main content
//   rest      the text around that: menus, footers, notices
//   url       the words of its URL
//   anchor    the texts of links to it
// and, as keywords that keep documents only,
//   site      its host, and every domain above down to the registrable one
//   lang      its language: "pt-BR" and "pt"
//   type      its media type: "application/pdf" and "pdf"
//   links     the URLs it links to
//   name      its names: page_names.h
class PageFields {
 public:
  PageFields();  // all
  // Comma-separated names.  InvalidArgument names the first that is not a field.
  static Result<PageFields> Parse(std::string_view names);

  bool Has(std::string_view name) const { return names_.contains(name); }
  const std::set<std::string, std::less<>>& names() const { return names_; }
  std::string ToString() const;  // in the form that Parse() accepts

 private:
  std::set<std::string, std::less<>> names_;
};

// A version of a page, as read from the table.
struct PageVersion {
  std::string_view row_key;
  store::VersionTime time = 0;
  const store::FetchCell& fetch;
  const store::TextCell& text;
  const std::vector<store::OutLink>* links = nullptr;  // null if there are none
  const Inlinks* inlinks = nullptr;                    // null if they are unknown
  std::string_view representative = {};  // row key of the page that represents its near-duplicates; or empty
};

// Whether searches may find a version: false if the page asks not to be indexed, and for errors that were
// answered with status 200.
bool IsSearchable(const store::FetchCell& fetch);

// The document of a version.  If title and headings are not fields of their own, they are part of the body,
// so that an index with only a body has all the text; other fields that are not kept are dropped. Corruption
// if the key is invalid.
Result<IndexDocument> MakeDocument(const PageVersion& page, const PageFields& fields);

}  // namespace crivello::index
