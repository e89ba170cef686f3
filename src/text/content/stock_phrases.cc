// SPDX-License-Identifier: Apache-2.0
#include "text/content/stock_phrases.h"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace crivello::text {
namespace {

constexpr size_t kMaxBytes = 120;
constexpr size_t kMaxNoticeBytes = 400;  // for a copyright

// ASCII letters in lower case; other letters in the case that begins a line.
constexpr std::string_view kNotices[] = {
    "(c) ",
    "all rights reserved",
    "back to top",
    "bild:",
    "bilder:",
    "categories:",
    "copyright",
    "credit:",
    "cr\u00e9dit photo",
    "filed under",
    "foto:",
    "fotos:",
    "get the latest",
    "have a tip",
    "image credit",
    "image source",
    "image:",
    "last updated",
    "photo by",
    "photo credit",
    "photo:",
    "photos:",
    "posted in",
    "print this",
    "published:",
    "publiziert:",
    "quelle:",
    "schlagw",
    "skip to",
    "tagged",
    "tags:",
    "titelbild",
    "topics:",
    "updated:",
    "ver\u00f6ffentlicht",
};
constexpr std::string_view kOthers[] = {
    "a lire",
    "abonnez-vous",
    "advert",
    "advertisement",
    "also read",
    "annonce",
    "annonse",
    "anzeige",
    "article continues",
    "artikel teilen",
    "auch interessant",
    "auch lesen",
    "cite\u0219te \u0219i",
    "click here",
    "comentarios",
    "commentaires",
    "commenti",
    "comments",
    "comparte",
    "compartilhe",
    "compartir",
    "condividi",
    "continue reading",
    "czytaj r\u00f3wnie\u017c",
    "czytaj tak\u017ce",
    "czytaj te\u017c",
    "czytaj wi\u0119cej",
    "das k\u00f6nnte",
    "deel dit",
    "don't miss",
    "dowiedz si\u0119 wi\u0119cej",
    "editor's pick",
    "empfehlungen",
    "enjoyed this",
    "follow us",
    "for more information",
    "ilgili haber",
    "jetzt teilen",
    "join our",
    "komentarze",
    "kommentar schreiben",
    "kommentare",
    "le puede interesar",
    "lea tambi\u00e9n",
    "leave a comment",
    "leave a reply",
    "lee adem\u00e1s",
    "lee tambi\u00e9n",
    "leer m\u00e1s",
    "lees meer",
    "lees ook",
    "leggi anche",
    "leggi pure",
    "leggi tutto",
    "leia mais",
    "leia tamb\u00e9m",
    "les mer",
    "les ogs\u00e5",
    "lesen sie auch",
    "lesen sie mehr",
    "lesetipp",
    "lies auch",
    "lies mehr",
    "like this",
    "lire aussi",
    "lire la suite",
    "lire \u00e9galement",
    "lisez aussi",
    "listen:",
    "lue my\u00f6s",
    "l\u00e4s mer",
    "l\u00e4s ocks\u00e5",
    "l\u00e6s mere",
    "l\u00e6s ogs\u00e5",
    "mais lidas",
    "mehr dazu",
    "mehr lesen",
    "mehr themen",
    "mehr zu:",
    "mehr zum thema",
    "mehr:",
    "more from",
    "more on",
    "more stories",
    "more:",
    "most popular",
    "most read",
    "m\u00e1s informaci\u00f3n",
    "next article",
    "next post",
    "noticias relacionadas",
    "olvassa el",
    "partager",
    "passend dazu",
    "passend zum thema",
    "polecamy",
    "potrebbe interessarti",
    "potrebbero interessarti",
    "previous article",
    "previous post",
    "przeczytaj",
    "pubblicit\u00e0",
    "publicidad",
    "publicidade",
    "publicit\u00e9",
    "p\u0159e\u010dt\u011bte si",
    "read also",
    "read more",
    "read next",
    "recommended",
    "reklama",
    "related",
    "related:",
    "schon gelesen",
    "sd\u00edlet",
    "see also",
    "seite drucken",
    "share on",
    "share this",
    "share via",
    "sign up",
    "sponsored",
    "story continues below",
    "subscribe",
    "sur le m\u00eame",
    "tambi\u00e9n te puede",
    "te puede interesar",
    "te recomendamos",
    "teilen",
    "tell us what",
    "ti potrebbe interessare",
    "trending",
    "udost\u0119pnij",
    "vedi anche",
    "veja mais",
    "veja tamb\u00e9m",
    "ver tambi\u00e9n",
    "voc\u00ea pode gostar",
    "voc\u00ea tamb\u00e9m",
    "voir aussi",
    "watch:",
    "weitere artikel",
    "weitere themen",
    "weiterlesen",
    "werbung",
    "you may also",
    "you may like",
    "you might also",
    "you might like",
    "zobacz r\u00f3wnie\u017c",
    "zobacz tak\u017ce",
    "zobacz te\u017c",
    "zum thema",
    "\u00a1mira lo que",
    "\u00c0 d\u00e9couvrir",
    "\u00c0 lire",
    "\u010cti tak\u00e9",
    "\u010cti\u0165e",
    "\u010ct\u011bte",
    "\u0394\u03b9\u03b1\u03b2\u03ac\u03c3\u03c4\u03b5 \u03b5\u03c0\u03af\u03c3\u03b7\u03c2",
    "\u041a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0438",
    "\u041f\u043e\u0434\u0435\u043b\u0438\u0442\u044c\u0441\u044f",
    "\u0420\u0435\u043a\u043b\u0430\u043c\u0430",
    "\u0427\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u0436\u0435",
    "\u0427\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u043e\u0436",
};

struct Phrase {
  std::string_view text;
  StockPhrase kind;
};

struct Phrases {
  std::vector<Phrase> sorted;
  std::bitset<1 << 16> starts;  // the first two bytes, which decide for nearly all lines
};

// Index of the first two bytes. REQUIRES: the text has at least two.
size_t StartOf(std::string_view text) {
  return static_cast<size_t>(static_cast<uint8_t>(AsciiLower(text[0]))) << 8 |
         static_cast<uint8_t>(AsciiLower(text[1]));
}

const Phrases& AllPhrases() {
  static const Phrases phrases = [] {
    Phrases made;
    for (const std::string_view text : kNotices) made.sorted.push_back({text, StockPhrase::kNotice});
    for (const std::string_view text : kOthers) made.sorted.push_back({text, StockPhrase::kOther});
    std::sort(made.sorted.begin(), made.sorted.end(),
              [](const Phrase& a, const Phrase& b) { return a.text < b.text; });
    for (const Phrase& phrase : made.sorted) made.starts.set(StartOf(phrase.text));
    return made;
  }();
  return phrases;
}

// A longer word does not match: "Relatedness", or "Teilende" for "Teilen".
bool EndsWord(std::string_view phrase, std::string_view rest) {
  return rest.empty() || !IsAsciiAlpha(phrase.back()) ||
         (!IsAsciiAlpha(rest.front()) && static_cast<uint8_t>(rest.front()) < 0x80);
}

}  // namespace

StockPhrase FindStockPhrase(std::string_view line) {
  static constexpr std::string_view kMarks = " \t\n>[-+*";
  line.remove_prefix(std::min(line.find_first_not_of(kMarks), line.size()));
  if (line.size() <= kMaxNoticeBytes && line.starts_with("\u00a9")) return StockPhrase::kNotice;
  if (line.size() < 2 || line.size() > kMaxBytes) return StockPhrase::kNone;
  const Phrases& all = AllPhrases();
  if (!all.starts.test(StartOf(line))) return StockPhrase::kNone;
  const std::string lower = ToAsciiLower(line.substr(0, 40));
  // A phrase that opens the line sorts before it, among those with the same first byte.
  const std::vector<Phrase>& phrases = all.sorted;
  auto at =
      std::upper_bound(phrases.begin(), phrases.end(), lower,
                       [](const std::string& text, const Phrase& phrase) { return text < phrase.text; });
  while (at != phrases.begin()) {
    --at;
    if (at->text.front() != lower.front()) break;
    if (lower.starts_with(at->text) && EndsWord(at->text, std::string_view(lower).substr(at->text.size())))
      return at->kind;
  }
  return StockPhrase::kNone;
}

}  // namespace crivello::text
