// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "text/formats/document.h"
#include "text/formats/document_builder.h"

namespace crivello::text {

// The vocabulary of a document: what its elements mean.
enum class XmlVocabulary : uint8_t {
  kGeneric,  // DocBook, XHTML, TEI by their names; an element unknown is a block of its own
  kWord,     // word/document.xml of docx
  kOpenDocument,
};

// The addresses of links by the identifiers that docx has in their place.
using LinkTargets = std::unordered_map<std::string, std::string>;

// The text of an XML document goes to a builder, in blocks; also its title, author and language where they
// are empty yet.  A document that is ill-formed gives an error, and what came before it.
Status ConvertXml(std::string_view bytes, XmlVocabulary vocabulary, DocumentBuilder& to,
                  const LinkTargets& targets = {});

// XML of any kind: feeds (RSS, Atom) by their entries, a heading each; others by ConvertXml.
Result<Document> ConvertXmlDocument(std::string_view bytes, size_t max_text_bytes);

}  // namespace crivello::text
