// SPDX-License-Identifier: Apache-2.0
// SVG and MathML.
#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "html/html_tree_builder.h"

namespace crivello::html {
namespace {

bool IsMathText(Tag tag, Namespace ns) {
  return ns == Namespace::kMathMl &&
         (tag == Tag::kMi || tag == Tag::kMo || tag == Tag::kMn || tag == Tag::kMs || tag == Tag::kMtext);
}

// Names with upper-case letters, found by their lower-case form.
std::string_view FindCased(std::string_view name, const std::string_view* begin,
                           const std::string_view* end) {
  const auto* found = std::find_if(begin, end, [name](std::string_view cased) {
    return cased.size() == name.size() && EqualsIgnoringCase(cased, name);
  });
  return found == end ? name : *found;
}

// HTML elements that end foreign content.
bool BreaksOut(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kB:
    case Tag::kBig:
    case Tag::kBlockquote:
    case Tag::kBody:
    case Tag::kBr:
    case Tag::kCenter:
    case Tag::kCode:
    case Tag::kDd:
    case Tag::kDiv:
    case Tag::kDl:
    case Tag::kDt:
    case Tag::kEm:
    case Tag::kEmbed:
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6:
    case Tag::kHead:
    case Tag::kHr:
    case Tag::kI:
    case Tag::kImg:
    case Tag::kLi:
    case Tag::kListing:
    case Tag::kMenu:
    case Tag::kMeta:
    case Tag::kNobr:
    case Tag::kOl:
    case Tag::kP:
    case Tag::kPre:
    case Tag::kRuby:
    case Tag::kS:
    case Tag::kSmall:
    case Tag::kSpan:
    case Tag::kStrong:
    case Tag::kStrike:
    case Tag::kSub:
    case Tag::kSup:
    case Tag::kTable:
    case Tag::kTt:
    case Tag::kU:
    case Tag::kUl:
    case Tag::kVar:
      return true;
    case Tag::kFont:
      return tag.Find("color") != nullptr || tag.Find("face") != nullptr || tag.Find("size") != nullptr;
    default:
      return false;
  }
}

}  // namespace

std::string_view AdjustSvgName(std::string_view name) {
  static constexpr std::string_view kNames[] = {"altGlyph",
                                                "altGlyphDef",
                                                "altGlyphItem",
                                                "animateColor",
                                                "animateMotion",
                                                "animateTransform",
                                                "clipPath",
                                                "feBlend",
                                                "feColorMatrix",
                                                "feComponentTransfer",
                                                "feComposite",
                                                "feConvolveMatrix",
                                                "feDiffuseLighting",
                                                "feDisplacementMap",
                                                "feDistantLight",
                                                "feDropShadow",
                                                "feFlood",
                                                "feFuncA",
                                                "feFuncB",
                                                "feFuncG",
                                                "feFuncR",
                                                "feGaussianBlur",
                                                "feImage",
                                                "feMerge",
                                                "feMergeNode",
                                                "feMorphology",
                                                "feOffset",
                                                "fePointLight",
                                                "feSpecularLighting",
                                                "feSpotLight",
                                                "feTile",
                                                "feTurbulence",
                                                "foreignObject",
                                                "glyphRef",
                                                "linearGradient",
                                                "radialGradient",
                                                "textPath"};
  return FindCased(name, std::begin(kNames), std::end(kNames));
}

TreeAttribute AdjustForeignAttribute(const Attribute& attribute, Namespace ns) {
  static constexpr std::string_view kSvgNames[] = {"attributeName",
                                                   "attributeType",
                                                   "baseFrequency",
                                                   "baseProfile",
                                                   "calcMode",
                                                   "clipPathUnits",
                                                   "diffuseConstant",
                                                   "edgeMode",
                                                   "filterUnits",
                                                   "glyphRef",
                                                   "gradientTransform",
                                                   "gradientUnits",
                                                   "kernelMatrix",
                                                   "kernelUnitLength",
                                                   "keyPoints",
                                                   "keySplines",
                                                   "keyTimes",
                                                   "lengthAdjust",
                                                   "limitingConeAngle",
                                                   "markerHeight",
                                                   "markerUnits",
                                                   "markerWidth",
                                                   "maskContentUnits",
                                                   "maskUnits",
                                                   "numOctaves",
                                                   "pathLength",
                                                   "patternContentUnits",
                                                   "patternTransform",
                                                   "patternUnits",
                                                   "pointsAtX",
                                                   "pointsAtY",
                                                   "pointsAtZ",
                                                   "preserveAlpha",
                                                   "preserveAspectRatio",
                                                   "primitiveUnits",
                                                   "refX",
                                                   "refY",
                                                   "repeatCount",
                                                   "repeatDur",
                                                   "requiredExtensions",
                                                   "requiredFeatures",
                                                   "specularConstant",
                                                   "specularExponent",
                                                   "spreadMethod",
                                                   "startOffset",
                                                   "stdDeviation",
                                                   "stitchTiles",
                                                   "surfaceScale",
                                                   "systemLanguage",
                                                   "tableValues",
                                                   "targetX",
                                                   "targetY",
                                                   "textLength",
                                                   "viewBox",
                                                   "viewTarget",
                                                   "xChannelSelector",
                                                   "yChannelSelector",
                                                   "zoomAndPan"};
  static constexpr std::string_view kXlinkNames[] = {"actuate", "arcrole", "href", "role",
                                                     "show",    "title",   "type"};
  TreeAttribute adjusted = {attribute.name, attribute.value, AttributeNamespace::kNone};
  const std::string_view name = attribute.name;
  if (ns == Namespace::kSvg) adjusted.name = FindCased(name, std::begin(kSvgNames), std::end(kSvgNames));
  if (ns == Namespace::kMathMl && name == "definitionurl") adjusted.name = "definitionURL";
  if (name.starts_with("xlink:") &&
      std::find(std::begin(kXlinkNames), std::end(kXlinkNames), name.substr(6)) != std::end(kXlinkNames)) {
    adjusted = {name.substr(6), attribute.value, AttributeNamespace::kXlink};
  } else if (name == "xml:lang" || name == "xml:space") {
    adjusted = {name.substr(4), attribute.value, AttributeNamespace::kXml};
  } else if (name == "xmlns") {
    adjusted.ns = AttributeNamespace::kXmlns;
  } else if (name == "xmlns:xlink") {
    adjusted = {"xlink", attribute.value, AttributeNamespace::kXmlns};
  }
  return adjusted;
}

HtmlTreeBuilder::Open HtmlTreeBuilder::AdjustedCurrent() const {
  return stack_.size() == 1 && context_.id != kNoNode ? context_ : current();
}

// Whether the rules of foreign content apply to a start tag.
bool HtmlTreeBuilder::IsForeign(const TagToken& start) const {
  if (stack_.empty()) return false;
  const Open node = AdjustedCurrent();
  if (node.ns == Namespace::kHtml || node.html_integration) return false;
  if (IsMathText(node.tag, node.ns)) return start.tag == Tag::kMglyph || start.tag == Tag::kMalignmark;
  return !(node.tag == Tag::kAnnotationXml && node.ns == Namespace::kMathMl && start.tag == Tag::kSvg);
}

bool HtmlTreeBuilder::IsForeignText() const {
  if (stack_.empty()) return false;
  const Open node = AdjustedCurrent();
  return node.ns != Namespace::kHtml && !node.html_integration && !IsMathText(node.tag, node.ns);
}

void HtmlTreeBuilder::LeaveForeign() {
  while (current().ns != Namespace::kHtml && !current().html_integration &&
         !IsMathText(current().tag, current().ns)) {
    Pop();
  }
}

bool HtmlTreeBuilder::StartInForeign(const TagToken& tag) {
  if (BreaksOut(tag)) {
    LeaveForeign();
    return StartInMode(mode_, tag);
  }
  InsertForeign(tag, AdjustedCurrent().ns);
  return true;
}

void HtmlTreeBuilder::InsertForeign(const TagToken& tag, Namespace ns) {
  std::string_view name = ns == Namespace::kSvg ? AdjustSvgName(tag.name) : tag.name;
  if (name.data() == tag.name.data())
    name = tag.tag == Tag::kUnknown ? tree_.arena_.Copy(name) : TagName(tag.tag);
  const NodeId id = NewElement(tag.tag, ns, name);
  CopyAttributes(tag, ns, &tree_.nodes_[id]);
  Insert(id, AppropriatePlace());
  if (tag.self_closing) return;
  bool html_integration = false;
  if (ns == Namespace::kSvg) {
    html_integration = tag.tag == Tag::kForeignobject || tag.tag == Tag::kDesc || tag.tag == Tag::kTitle;
  } else if (tag.tag == Tag::kAnnotationXml) {
    const std::string_view* encoding = tag.Find("encoding");
    html_integration = encoding != nullptr && (EqualsIgnoringCase(*encoding, "text/html") ||
                                               EqualsIgnoringCase(*encoding, "application/xhtml+xml"));
  }
  OpenUnlessFull({id, tag.tag, ns, html_integration});
}

// False: the rules of the insertion mode apply to the token.
bool HtmlTreeBuilder::EndInForeign(const TagToken& tag) {
  if (tag.tag == Tag::kBr || tag.tag == Tag::kP) {
    LeaveForeign();
    return false;
  }
  for (size_t i = stack_.size(); i-- > 1;) {
    if (stack_[i].ns == Namespace::kHtml) return false;
    const bool same = tag.tag != Tag::kUnknown
                          ? stack_[i].tag == tag.tag
                          : EqualsIgnoringCase(tree_.nodes_[stack_[i].id].text, tag.name);
    if (same) {
      while (stack_.size() > i) Pop();
      return true;
    }
  }
  return true;
}

}  // namespace crivello::html
