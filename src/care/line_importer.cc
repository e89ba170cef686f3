// SPDX-License-Identifier: Apache-2.0
#include "care/line_importer.h"

#include <utility>

namespace crivello::care {

Status LineImporter::Add(std::string_view line) {
  if (page::DocumentLineParser::IsLink(line)) {
    CRV_TRY(parser_.ParseLink(line, &link_));
    if (!has_document_ || document_.url != link_.from) {
      return Status::InvalidArgument("a link must follow the line of the page that it is on, " + link_.from);
    }
    if (document_.is_html)
      return Status::InvalidArgument("the links of a document with \"html\" are read from that");
    document_.links.push_back(std::move(link_.link));
    return Status::Ok();
  }
  CRV_TRY(Finish());
  CRV_TRY(parser_.Parse(line, &document_));
  // So that it is the same version when its links have arrived.
  if (!document_.time && !document_.date) document_.time = importer_.Now();
  CRV_TRY(importer_.Add(document_));
  has_document_ = true;
  return Status::Ok();
}

Status LineImporter::Finish() {
  const bool has_links = has_document_ && !document_.links.empty();
  has_document_ = false;
  return has_links ? importer_.AddLinksOf(document_) : Status::Ok();
}

}  // namespace crivello::care
