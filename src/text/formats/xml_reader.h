// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::text {

// Receives a document's elements and text in order. Names come without their prefix.
class XmlVisitor {
 public:
  virtual ~XmlVisitor() = default;
  // The value of an attribute of the current element, by its name without prefix; empty if it has none.
  using Attribute = std::function<std::string(const char* name)>;
  virtual void OnStart(std::string_view name, const Attribute& attribute) = 0;
  virtual void OnEnd(std::string_view name) = 0;
  virtual void OnText(std::string_view text) = 0;
  // Called now and then; returning true stops reading, without an error.
  virtual bool Enough() const { return false; }
};

struct XmlOptions {
  // Rejects a document that declares entities. Otherwise they are ignored: none is expanded or loaded.
  bool refuse_entities = false;
};

// Reads XML with libxml2's pull reader. Nothing outside `bytes` is ever read: no entity, no DTD, no network.
// libxml2's own limits apply (256 elements deep, 10 MB in one text). An error gives line and reason; what was
// visited before it stays visited. Thread-safe.
Status ReadXml(std::string_view bytes, const XmlOptions& options, XmlVisitor& visitor);

}  // namespace crivello::text
