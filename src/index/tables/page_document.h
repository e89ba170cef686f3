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
//   rest      what surrounds that: menus, footers, notices
//   url       the words of its URL
//   anchor    the texts of links to it
// and, as keywords that keep documents only,
//   site      its host, and every domain above down to the registrable one
//   lang      its language: "pt-BR" and "pt"
//   type      its media type: "application/pdf" and "pdf"
//   links     the URLs that it links to
//   name      what it is called: page_names.h
class PageFields {
 public:
  PageFields();  // all
  // Names parted by commas.  InvalidArgument names the first that is none.
  static Result<PageFields> Parse(std::string_view names);

  bool Has(std::string_view name) const { return names_.contains(name); }
  const std::set<std::string, std::less<>>& names() const { return names_; }
  std::string ToString() const;  // as Parse() takes it

 private:
  std::set<std::string, std::less<>> names_;
};

// A version of a page as the table has it.
struct PageVersion {
  std::string_view row_key;
  store::VersionTime time = 0;
  const store::FetchCell& fetch;
  const store::TextCell& text;
  const std::vector<store::OutLink>* links = nullptr;  // null if there are none
  const Inlinks* inlinks = nullptr;                    // null if they are not known
  std::string_view representative = {};  // row key of the page that stands for its near-duplicates; or empty
};

// Whether a version is to be found by searches: a page that does not ask to be left out.  Errors that are
// answered with a status of 200 are left out, too.
bool IsSearchable(const store::FetchCell& fetch);

// The document of a version.  Title and headings that are no fields of their own are part of the body, so
// that an index with a body alone has all the text; other fields that are not kept are left out.
// Corruption if the key is none.
Result<IndexDocument> MakeDocument(const PageVersion& page, const PageFields& fields);

}  // namespace crivello::index
