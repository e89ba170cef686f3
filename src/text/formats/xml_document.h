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
  kGeneric,  // DocBook, XHTML, TEI by their names; an unknown element is a block of its own
  kWord,     // word/document.xml of docx
  kOpenDocument,
};

// The addresses of links, by the identifiers that docx uses instead.
using LinkTargets = std::unordered_map<std::string, std::string>;

// Writes the text of an XML document to a builder, in blocks, and fills in title, author and language if they
// are still empty. An ill-formed document gives an error; what was written before it is kept.
Status ConvertXml(std::string_view bytes, XmlVocabulary vocabulary, DocumentBuilder& to,
                  const LinkTargets& targets = {});

// XML of any kind. Feeds (RSS, Atom): each entry with a heading; everything else by ConvertXml.
Result<Document> ConvertXmlDocument(std::string_view bytes, size_t max_text_bytes);

}  // namespace crivello::text
