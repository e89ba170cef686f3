// SPDX-License-Identifier: Apache-2.0
#include "text/formats/xml_reader.h"

#include <fmt/format.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

#include <climits>
#include <memory>

#include "base/ascii.h"

namespace crivello::text {
namespace {

std::string_view View(const xmlChar* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

// Without a handler libxml2 prints errors to standard error; this one keeps the first.
void KeepFirst(void* to, xmlErrorPtr error) {
  auto* message = static_cast<std::string*>(to);
  if (!message->empty() || error == nullptr || error->message == nullptr) return;
  *message = fmt::format("line {}: {}", error->line, TrimAsciiSpace(error->message));
}

std::string AttributeOf(xmlTextReaderPtr reader, std::string_view name) {
  std::string value;
  for (int more = xmlTextReaderMoveToFirstAttribute(reader); more == 1 && value.empty();
       more = xmlTextReaderMoveToNextAttribute(reader)) {
    if (View(xmlTextReaderConstLocalName(reader)) == name) value = View(xmlTextReaderConstValue(reader));
  }
  xmlTextReaderMoveToElement(reader);
  return value;
}

// REQUIRES: the reader is at the document type.
bool DeclaresEntities(xmlTextReaderPtr reader) {
  // Through the node, because asking for the document would make the caller its owner.
  const xmlNode* node = xmlTextReaderCurrentNode(reader);
  const xmlDtd* subset = node == nullptr || node->doc == nullptr ? nullptr : node->doc->intSubset;
  return subset != nullptr && (subset->entities != nullptr || subset->pentities != nullptr);
}

}  // namespace

Status ReadXml(std::string_view bytes, const XmlOptions& options, XmlVisitor& visitor) {
  if (bytes.size() > INT_MAX) return Status::InvalidArgument("XML: longer than 2 GB");
  if (TrimAsciiSpace(bytes).empty()) return Status::Corruption("XML: empty");
  std::string message;
  const std::unique_ptr<xmlTextReader, void (*)(xmlTextReaderPtr)> reader(
      xmlReaderForMemory(bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr,
                         XML_PARSE_NONET | XML_PARSE_COMPACT),
      &xmlFreeTextReader);
  if (reader == nullptr) return Status::IoError("XML: out of memory");
  xmlTextReaderSetStructuredErrorHandler(reader.get(), &KeepFirst, &message);
  const XmlVisitor::Attribute attribute = [&reader](const char* name) {
    return AttributeOf(reader.get(), name);
  };
  int more;
  while ((more = xmlTextReaderRead(reader.get())) == 1 && !visitor.Enough()) {
    const std::string_view name = View(xmlTextReaderConstLocalName(reader.get()));
    switch (xmlTextReaderNodeType(reader.get())) {
      case XML_READER_TYPE_DOCUMENT_TYPE:
        if (options.refuse_entities && DeclaresEntities(reader.get())) {
          return Status::Corruption("XML: found entity declarations, which this format does not allow");
        }
        break;
      case XML_READER_TYPE_ELEMENT: {
        const bool empty = xmlTextReaderIsEmptyElement(reader.get()) == 1;
        visitor.OnStart(name, attribute);
        if (empty) visitor.OnEnd(name);
        break;
      }
      case XML_READER_TYPE_END_ELEMENT:
        visitor.OnEnd(name);
        break;
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
      case XML_READER_TYPE_WHITESPACE:
      case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        visitor.OnText(View(xmlTextReaderConstValue(reader.get())));
        break;
      default:
        break;
    }
  }
  if (more < 0) return Status::Corruption("XML: " + (message.empty() ? std::string("ill-formed") : message));
  return Status::Ok();
}

}  // namespace crivello::text
