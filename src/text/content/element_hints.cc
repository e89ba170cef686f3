// SPDX-License-Identifier: Apache-2.0
#include "text/content/element_hints.h"

#include <string>

#include "base/ascii.h"

namespace crivello::text {
namespace {

using html::Tag;

struct NameHint {
  std::string_view name;
  uint32_t hints;
};

// Matches whole words, and two adjacent words as one ("article-body", "articleBody", "articlebody").
constexpr NameHint kNames[] = {
    {"articlebody", kHintBody},
    {"articlecontent", kHintBody},
    {"articletext", kHintBody},
    {"articlemain", kHintBody},
    {"arttext", kHintBody},
    {"artcontent", kHintBody},
    {"artbody", kHintBody},
    {"bodytext", kHintBody},
    {"bodycopy", kHintBody},
    {"contentbody", kHintBody},
    {"contenttext", kHintBody},
    {"entrycontent", kHintBody},
    {"entrytext", kHintBody},
    {"entrybody", kHintBody},
    {"fulltext", kHintBody},
    {"newstext", kHintBody},
    {"newscontent", kHintBody},
    {"newsbody", kHintBody},
    {"postbody", kHintBody},
    {"postcontent", kHintBody},
    {"postentry", kHintBody},
    {"posttext", kHintBody},
    {"storybody", kHintBody},
    {"storycontent", kHintBody},
    {"storytext", kHintBody},
    {"textcontent", kHintBody},
    {"blogcontent", kHintBody},
    {"singlecontent", kHintBody},
    {"mwparseroutput", kHintBody},
    {"richtext", kHintContent},
    {"fieldbody", kHintBody},
    {"bodycontent", kHintBody},
    {"article", kHintContent},
    {"blog", kHintContent},
    {"body", kHintContent},
    {"content", kHintContent},
    {"entry", kHintContent},
    {"hentry", kHintArticle},
    {"main", kHintContent},
    {"maincontent", kHintMain},
    {"contentmain", kHintMain},
    {"pagecontent", kHintMain},
    {"page", kHintContent},
    {"post", kHintContent},
    {"story", kHintContent},
    {"text", kHintContent},
    {"bar", kHintNavigation},
    {"breadcrumb", kHintNavigation},
    {"breadcrumbs", kHintNavigation},
    {"crumb", kHintNavigation},
    {"crumbs", kHintNavigation},
    {"jumplink", kHintNavigation},
    {"megamenu", kHintNavigation},
    {"menu", kHintNavigation},
    {"menus", kHintNavigation},
    {"nav", kHintNavigation},
    {"navbar", kHintNavigation},
    {"navbox", kHintNavigation},
    {"navfooter", kHintNavigation},
    {"navheader", kHintNavigation},
    {"navi", kHintNavigation},
    {"navigation", kHintNavigation},
    {"nextprev", kHintNavigation},
    {"pager", kHintNavigation},
    {"pagination", kHintNavigation},
    {"paging", kHintNavigation},
    {"postnav", kHintNavigation},
    {"prevnext", kHintNavigation},
    {"skiplink", kHintNavigation},
    {"subnav", kHintNavigation},
    {"submenu", kHintNavigation},
    {"toolbar", kHintNavigation},
    {"topbar", kHintNavigation},
    {"backtotop", kHintNavigation},
    {"languages", kHintNavigation},
    {"editsection", kHintNavigation},
    {"copyright", kHintFooter},
    {"foot", kHintFooter},
    {"footer", kHintFooter},
    {"colophon", kHintFooter},
    {"disclaimer", kHintFooter},
    {"legal", kHintFooter},
    {"head", kHintHeader},
    {"header", kHintHeader},
    {"masthead", kHintHeader},
    {"comment", kHintComments},
    {"commentary", kNoHint},
    {"commentlist", kHintComments},
    {"comments", kHintComments},
    {"disqus", kHintComments},
    {"kommentar", kHintComments},
    {"kommentare", kHintComments},
    {"comentarios", kHintComments},
    {"commentaires", kHintComments},
    {"respond", kHintComments},
    {"replies", kHintComments},
    {"pingback", kHintComments},
    {"pingbacks", kHintComments},
    {"trackback", kHintComments},
    {"trackbacks", kHintComments},
    {"addthis", kHintShare},
    {"addtoany", kHintShare},
    {"facebook", kHintShare},
    {"jpflair", kHintShare},
    {"sharedaddy", kHintShare},
    {"share", kHintShare},
    {"shares", kHintShare},
    {"sharing", kHintShare},
    {"sociable", kHintShare},
    {"social", kHintShare},
    {"twitter", kHintShare},
    {"whatsapp", kHintShare},
    {"followus", kHintShare},
    {"fb", kHintShare},
    {"alsolike", kHintRelated},
    {"alsoread", kHintRelated},
    {"crp", kHintRelated},
    {"jprelatedposts", kHintRelated},
    {"latestnews", kHintRelated},
    {"morefrom", kHintRelated},
    {"morenews", kHintRelated},
    {"moreon", kHintRelated},
    {"morestories", kHintRelated},
    {"mostpopular", kHintRelated},
    {"mostread", kHintRelated},
    {"mostviewed", kHintRelated},
    {"mustread", kHintRelated},
    {"nextarticle", kHintRelated},
    {"nextpost", kHintRelated},
    {"outbrain", kHintRelated},
    {"popular", kHintRelated},
    {"prevpost", kHintRelated},
    {"previouspost", kHintRelated},
    {"readalso", kHintRelated},
    {"readmore", kHintRelated},
    {"readnext", kHintRelated},
    {"recent", kHintRelated},
    {"recentposts", kHintRelated},
    {"recirc", kHintRelated},
    {"recirculation", kHintRelated},
    {"recommendation", kHintRelated},
    {"recommendations", kHintRelated},
    {"recommended", kHintRelated},
    {"related", kHintRelated},
    {"relatedarticles", kHintRelated},
    {"relatedposts", kHintRelated},
    {"seealso", kHintRelated},
    {"suggested", kHintRelated},
    {"suggestions", kHintRelated},
    {"taboola", kHintRelated},
    {"teaser", kHintRelated},
    {"teasers", kHintRelated},
    {"topstories", kHintRelated},
    {"trending", kHintRelated},
    {"upnext", kHintRelated},
    {"viral", kHintRelated},
    {"yarpp", kHintRelated},
    {"ad", kHintPromo},
    {"adblock", kHintPromo},
    {"ads", kHintPromo},
    {"adsense", kHintPromo},
    {"adv", kHintPromo},
    {"advert", kHintPromo},
    {"advertisement", kHintPromo},
    {"advertising", kHintPromo},
    {"advertorial", kHintPromo},
    {"affiliate", kHintPromo},
    {"banner", kHintPromo},
    {"consent", kHintPromo},
    {"cookie", kHintPromo},
    {"cookies", kHintPromo},
    {"cta", kHintPromo},
    {"donate", kHintPromo},
    {"donation", kHintPromo},
    {"gdpr", kHintPromo},
    {"mailchimp", kHintPromo},
    {"newsletter", kHintPromo},
    {"optin", kHintPromo},
    {"patreon", kHintPromo},
    {"paywall", kHintPromo},
    {"premium", kHintPromo},
    {"promo", kHintPromo},
    {"promoted", kHintPromo},
    {"promotion", kHintPromo},
    {"signup", kHintPromo},
    {"sponsor", kHintPromo},
    {"sponsored", kHintPromo},
    {"sponsors", kHintPromo},
    {"subscribe", kHintPromo},
    {"subscription", kHintPromo},
    {"shopping", kHintPromo},
    {"aside", kHintAside},
    {"complementary", kHintAside},
    {"rail", kHintAside},
    {"rightcol", kHintAside},
    {"rightcolumn", kHintAside},
    {"sidebar", kHintAside},
    {"sidecolumn", kHintAside},
    {"sidecontent", kHintAside},
    {"skyscraper", kHintAside},
    {"widget", kHintAside},
    {"widgets", kHintAside},
    {"factbox", kHintAside},
    {"author", kHintByline},
    {"authors", kHintByline},
    {"authorbio", kHintByline},
    {"authorbox", kHintByline},
    {"articleinfo", kHintByline},
    {"articlemeta", kHintByline},
    {"bio", kHintByline},
    {"byline", kHintByline},
    {"cats", kHintByline},
    {"catlinks", kHintByline},
    {"categories", kHintByline},
    {"dateline", kHintByline},
    {"entrymeta", kHintByline},
    {"infoline", kHintByline},
    {"keywords", kHintByline},
    {"meta", kHintByline},
    {"metadata", kHintByline},
    {"postdate", kHintByline},
    {"postedon", kHintByline},
    {"postinfo", kHintByline},
    {"postmeta", kHintByline},
    {"pubdate", kHintByline},
    {"rating", kHintByline},
    {"ratings", kHintByline},
    {"taglist", kHintByline},
    {"tags", kHintByline},
    {"timestamp", kHintByline},
    {"topics", kHintByline},
    {"userinfo", kHintByline},
    {"userprofile", kHintByline},
    {"caption", kHintCaption},
    {"credit", kHintCaption},
    {"credits", kHintCaption},
    {"carousel", kHintCaption},
    {"gallery", kHintCaption},
    {"lightbox", kHintCaption},
    {"slider", kHintCaption},
    {"slideshow", kHintCaption},
    {"imagetext", kHintCaption},
    {"figcaption", kHintCaption},
    {"button", kHintForm},
    {"buttons", kHintForm},
    {"btn", kHintForm},
    {"captcha", kHintForm},
    {"form", kHintForm},
    {"login", kHintForm},
    {"register", kHintForm},
    {"search", kHintForm},
    {"searchbox", kHintForm},
    {"signin", kHintForm},
    {"dialog", kHintUnseen},
    {"modal", kHintUnseen},
    {"noprint", kHintUnseen},
    {"hideprint", kHintUnseen},
    {"overlay", kHintUnseen},
    {"popup", kHintUnseen},
    {"printonly", kHintUnseen},
    {"screenreader", kHintUnseen},
    {"sronly", kHintUnseen},
    {"tooltip", kHintUnseen},
    {"visuallyhidden", kHintUnseen},
    {"hidden", kHintUnseen},
};

// Long enough to be unambiguous inside a longer word ("commentlist-inner", "mainsidebar").
constexpr NameHint kInside[] = {
    {"breadcrumb", kHintNavigation}, {"navigation", kHintNavigation}, {"pagination", kHintNavigation},
    {"footer", kHintFooter},         {"comments", kHintComments},     {"related", kHintRelated},
    {"recommend", kHintRelated},     {"teaser", kHintRelated},        {"mostread", kHintRelated},
    {"social", kHintShare},          {"sharing", kHintShare},         {"sharebar", kHintShare},
    {"newsletter", kHintPromo},      {"cookie", kHintPromo},          {"advert", kHintPromo},
    {"promo", kHintPromo},           {"sponsor", kHintPromo},         {"paywall", kHintPromo},
    {"subscri", kHintPromo},         {"sidebar", kHintAside},         {"widget", kHintAside},
    {"author", kHintByline},         {"byline", kHintByline},         {"caption", kHintCaption},
};

const std::unordered_map<std::string_view, uint32_t>& Names() {
  static const std::unordered_map<std::string_view, uint32_t> table = [] {
    std::unordered_map<std::string_view, uint32_t> names;
    for (const NameHint& name : kNames) names.emplace(name.name, name.hints);
    return names;
  }();
  return table;
}

uint32_t OfWord(std::string_view word) {
  const auto found = Names().find(word);
  if (found != Names().end()) return found->second;
  if (word.size() < 7) return kNoHint;
  for (const NameHint& name : kInside) {
    if (word.find(name.name) != std::string_view::npos) return name.hints;
  }
  return kNoHint;
}

// Whether a name describes the element's position or the whole page instead of its content ("has-sidebar",
// "category-social").
bool SaysNothing(std::string_view name) {
  static constexpr std::string_view kPrefixes[] = {"has-", "with-", "no-",     "is-",     "category-", "tag-",
                                                   "js-",  "type-", "status-", "format-", "wp-"};
  for (const std::string_view prefix : kPrefixes) {
    if (StartsWithIgnoringCase(name, prefix)) return true;
  }
  return false;
}

uint32_t OfName(std::string_view name) {
  if (SaysNothing(name)) return kNoHint;
  uint32_t hints = kNoHint;
  std::string pair;  // the previous word joined with this one
  size_t previous = 0;
  size_t at = 0;
  while (at < name.size()) {
    if (!IsAsciiAlnum(name[at])) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    while (end < name.size() && IsAsciiAlnum(name[end]) &&
           !(IsAsciiUpper(name[end]) && !IsAsciiUpper(name[end - 1]))) {
      ++end;
    }
    pair.erase(0, pair.size() - previous);
    for (size_t i = at; i < end; ++i) pair.push_back(AsciiLower(name[i]));
    const std::string_view word = std::string_view(pair).substr(previous);
    hints |= OfWord(word);
    if (previous > 0) {
      const auto found = Names().find(pair);
      if (found != Names().end()) hints |= found->second;
    }
    previous = end - at;
    at = end;
  }
  return hints;
}

uint32_t OfTag(Tag tag) {
  switch (tag) {
    case Tag::kArticle:
      return kHintArticle;
    case Tag::kMain:
      return kHintMain;
    case Tag::kNav:
    case Tag::kMenu:
      return kHintNavigation;
    case Tag::kFooter:
      return kHintFooter;
    case Tag::kHeader:
      return kHintHeader;
    case Tag::kAside:
      return kHintAside;
    case Tag::kFigcaption:
      return kHintCaption;
    case Tag::kForm:
    case Tag::kButton:
    case Tag::kSelect:
    case Tag::kTextarea:
    case Tag::kFieldset:
    case Tag::kSearch:
      return kHintForm;
    case Tag::kDialog:
    case Tag::kNoscript:
      return kHintUnseen;
    default:
      return kNoHint;
  }
}

uint32_t OfRole(std::string_view role) {
  if (role == "main") return kHintMain;
  if (role == "article") return kHintArticle;
  if (role == "navigation" || role == "menu" || role == "menubar") return kHintNavigation;
  if (role == "contentinfo") return kHintFooter;
  if (role == "banner") return kHintHeader;
  if (role == "complementary" || role == "note") return kHintAside;
  if (role == "search" || role == "form") return kHintForm;
  if (role == "dialog" || role == "alert" || role == "alertdialog" || role == "tooltip") return kHintUnseen;
  return kNoHint;
}

// The exact names that DocBook, Sphinx and the like give to sections of a text.
bool IsSectionName(std::string_view names) {
  for (const std::string_view name :
       {"section", "sect1", "sect2", "sect3", "chapter", "refsect1", "refsection"}) {
    if (names == name) return true;
  }
  return false;
}

// Elements whose id is often made from their heading, or names an anchor.
bool IsTitled(Tag tag) {
  switch (tag) {
    case Tag::kA:
    case Tag::kDt:
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6:
      return true;
    default:
      return false;
  }
}

}  // namespace

uint32_t HintReader::OfNames(std::string_view names) {
  uint32_t hints = kNoHint;
  size_t at = 0;
  while (at < names.size()) {
    size_t end = at;
    while (end < names.size() && !IsAsciiSpace(names[end])) ++end;
    if (end > at) hints |= OfName(names.substr(at, end - at));
    at = end + 1;
  }
  return hints;
}

uint32_t HintReader::Cached(std::string_view names) {
  const auto [place, fresh] = seen_.try_emplace(names, kNoHint);
  if (fresh) place->second = OfNames(names);
  return place->second;
}

uint32_t HintReader::Read(const html::Node& element) {
  const bool html = element.ns == html::Namespace::kHtml;
  uint32_t hints = html ? OfTag(element.tag) : kNoHint;
  bool classed = false;
  for (const html::TreeAttribute& attribute : element.attributes()) {
    if (attribute.name == "class") {
      classed = true;
      hints |= Cached(attribute.value);
      if (IsSectionName(attribute.value)) hints |= kHintSection;
    } else if (attribute.name == "id") {
      if (!html || !IsTitled(element.tag)) hints |= Cached(attribute.value);
    } else if (attribute.name == "role") {
      hints |= OfRole(attribute.value);
    } else if (attribute.name == "aria-hidden") {
      // On inline elements it marks icons.
      if (attribute.value == "true" && html && html::HasKind(element.tag, html::kBlock)) hints |= kHintUnseen;
    } else if (attribute.name == "itemprop") {
      if (attribute.value == "articleBody" || attribute.value == "reviewBody") hints |= kHintBody;
      if (attribute.value == "author" || attribute.value == "datePublished") hints |= kHintByline;
    }
  }
  if (html && element.tag == Tag::kSection && !classed) hints |= kHintSection;
  // The id of a section is made from its heading, which may be about anything.
  if ((hints & kHintSection) != 0) hints &= ~kCutHints;
  return hints;
}

}  // namespace crivello::text
