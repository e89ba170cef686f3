// SPDX-License-Identifier: Apache-2.0
#include "text/formats/office.h"

#include <fmt/format.h>

#include <vector>

#include "base/ascii.h"
#include "text/formats/document_builder.h"
#include "text/formats/xml_document.h"
#include "text/formats/xml_reader.h"
#include "web/http/date_parse.h"
#include "web/url/percent.h"

namespace crivello::text {
namespace {

using Parts = std::map<std::string, std::string>;

// Reads Dublin Core metadata, which all three formats use.
class MetadataReader final : public XmlVisitor {
 public:
  explicit MetadataReader(Document& document) : document_(document) {}

  void OnStart(std::string_view name, const Attribute&) override {
    name_ = name;
    text_.clear();
  }
  void OnText(std::string_view text) override { text_ += text; }
  void OnEnd(std::string_view name) override {
    if (name != name_) return;
    const std::string value = Collapsed(text_);
    if (value.empty()) return;
    if (name == "title" && document_.title.empty()) document_.title = value;
    if ((name == "creator" || name == "initial-creator") && document_.author.empty())
      document_.author = value;
    if (name == "language" && document_.language.empty()) document_.language = value;
    if (name == "description" && document_.description.empty()) document_.description = value;
    if (name == "publisher" && document_.site.empty()) document_.site = value;
    if ((name == "created" || name == "creation-date" || name == "date") && !document_.published) {
      document_.published = web::ParseDate(value);
    }
  }

 private:
  Document& document_;
  std::string name_;
  std::string text_;
};

void ReadMetadata(const Parts& parts, const std::string& name, Document& document) {
  const auto part = parts.find(name);
  if (part == parts.end()) return;
  MetadataReader reader(document);
  // Whatever precedes a fault counts; metadata is optional.
  ReadXml(part->second, {.refuse_entities = true}, reader).IgnoreError();
}

// The link targets of docx: <Relationship Id="rId4" Target="https://..."/>.
class TargetReader final : public XmlVisitor {
 public:
  explicit TargetReader(LinkTargets& targets) : targets_(targets) {}
  void OnStart(std::string_view name, const Attribute& attribute) override {
    if (name == "Relationship" && attribute("TargetMode") == "External") {
      targets_[attribute("Id")] = attribute("Target");
    }
  }
  void OnEnd(std::string_view) override {}
  void OnText(std::string_view) override {}

 private:
  LinkTargets& targets_;
};

// Reads an OPF package: its manifest and the order of the chapters.
class PackageReader final : public XmlVisitor {
 public:
  void OnStart(std::string_view name, const Attribute& attribute) override {
    if (name == "item") hrefs_[attribute("id")] = attribute("href");
    if (name == "itemref" && attribute("linear") != "no") spine_.push_back(attribute("idref"));
  }
  void OnEnd(std::string_view) override {}
  void OnText(std::string_view) override {}

  // The names of the chapters in the archive, resolved relative to the package's own name.
  std::vector<std::string> Chapters(std::string_view package) const {
    const size_t slash = package.rfind('/');
    const std::string folder(slash == std::string_view::npos ? "" : package.substr(0, slash + 1));
    std::vector<std::string> chapters;
    for (const std::string& id : spine_) {
      const auto found = hrefs_.find(id);
      if (found == hrefs_.end()) continue;
      std::string name = folder;
      web::AppendPercentDecoded(std::string_view(found->second).substr(0, found->second.find('#')), &name);
      chapters.push_back(std::move(name));
    }
    return chapters;
  }

 private:
  std::map<std::string, std::string> hrefs_;
  std::vector<std::string> spine_;
};

class RootReader final : public XmlVisitor {
 public:
  void OnStart(std::string_view name, const Attribute& attribute) override {
    if (name == "rootfile" && path.empty()) path = attribute("full-path");
  }
  void OnEnd(std::string_view) override {}
  void OnText(std::string_view) override {}
  std::string path;
};

Status Missing(std::string_view format, std::string_view part) {
  return Status::Corruption(fmt::format("{}: {} is missing", format, part));
}

bool IsMarkup(std::string_view name) {
  for (const std::string_view suffix : {".xhtml", ".html", ".htm", ".xml", ".opf"}) {
    if (name.size() > suffix.size() && EqualsIgnoringCase(name.substr(name.size() - suffix.size()), suffix))
      return true;
  }
  return false;
}

}  // namespace

Result<Document> ConvertDocx(std::string_view bytes, const OfficeLimits& limits) {
  CRV_ASSIGN(const Parts parts, ReadZip(bytes, limits.archive, [](std::string_view name) {
               return name == "word/document.xml" || name == "word/footnotes.xml" ||
                      name == "docProps/core.xml" || name == "word/_rels/document.xml.rels";
             }));
  const auto body = parts.find("word/document.xml");
  if (body == parts.end()) return Missing("docx", "word/document.xml");
  DocumentBuilder to(limits.max_text_bytes);
  ReadMetadata(parts, "docProps/core.xml", to.document());
  LinkTargets targets;
  if (const auto part = parts.find("word/_rels/document.xml.rels"); part != parts.end()) {
    TargetReader reader(targets);
    ReadXml(part->second, {.refuse_entities = true}, reader).IgnoreError();
  }
  const Status read = ConvertXml(body->second, XmlVocabulary::kWord, to, targets);
  if (!read.ok()) return read.WithContext("docx: word/document.xml");
  if (const auto notes = parts.find("word/footnotes.xml"); notes != parts.end()) {
    const Status also = ConvertXml(notes->second, XmlVocabulary::kWord, to);
    if (!also.ok()) return also.WithContext("docx: word/footnotes.xml");
  }
  return to.Finish();
}

Result<Document> ConvertOdt(std::string_view bytes, const OfficeLimits& limits) {
  CRV_ASSIGN(const Parts parts, ReadZip(bytes, limits.archive, [](std::string_view name) {
               return name == "content.xml" || name == "meta.xml";
             }));
  const auto body = parts.find("content.xml");
  if (body == parts.end()) return Missing("odt", "content.xml");
  DocumentBuilder to(limits.max_text_bytes);
  ReadMetadata(parts, "meta.xml", to.document());
  const Status read = ConvertXml(body->second, XmlVocabulary::kOpenDocument, to);
  if (!read.ok()) return read.WithContext("odt: content.xml");
  return to.Finish();
}

Result<Document> ConvertEpub(std::string_view bytes, const OfficeLimits& limits) {
  CRV_ASSIGN(const Parts parts, ReadZip(bytes, limits.archive, IsMarkup));
  const auto container = parts.find("META-INF/container.xml");
  if (container == parts.end()) return Missing("epub", "META-INF/container.xml");
  RootReader root;
  const Status opened = ReadXml(container->second, {.refuse_entities = true}, root);
  if (!opened.ok()) return opened.WithContext("epub: META-INF/container.xml");
  const auto package = parts.find(root.path);
  if (package == parts.end()) return Missing("epub", "its package");
  DocumentBuilder to(limits.max_text_bytes);
  ReadMetadata(parts, root.path, to.document());
  PackageReader reader;
  const Status listed = ReadXml(package->second, {.refuse_entities = true}, reader);
  if (!listed.ok()) return listed.WithContext("epub: its package");
  for (const std::string& name : reader.Chapters(root.path)) {
    const auto chapter = parts.find(name);
    if (chapter == parts.end() || to.full()) continue;
    const Status read = ConvertXml(chapter->second, XmlVocabulary::kGeneric, to);
    if (!read.ok()) return read.WithContext("epub: a chapter");
    to.Close();
  }
  return to.Finish();
}

}  // namespace crivello::text
