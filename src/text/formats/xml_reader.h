// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::text {

// What a visitor sees of a document: elements and text in order.  Names are without their prefix.
class XmlVisitor {
 public:
  virtual ~XmlVisitor() = default;
  // The value of an attribute of the element under way, by its name without prefix; empty if it has none.
  using Attribute = std::function<std::string(const char* name)>;
  virtual void OnStart(std::string_view name, const Attribute& attribute) = 0;
  virtual void OnEnd(std::string_view name) = 0;
  virtual void OnText(std::string_view text) = 0;
  // Asked now and then: true ends the reading, without an error.
  virtual bool Enough() const { return false; }
};

struct XmlOptions {
  // Refuses a document that declares entities.  Otherwise they are left out: none is expanded or loaded.
  bool refuse_entities = false;
};

// Reads XML by libxml2's pull reader.  Nothing outside of `bytes` is ever read: no entity, no DTD, no
// network. libxml2's own limits hold (256 elements deep, 10 MB in one text).  An error tells line and reason;
// what was visited until then stays visited.  Thread-safe.
Status ReadXml(std::string_view bytes, const XmlOptions& options, XmlVisitor& visitor);

}  // namespace crivello::text
