// SPDX-License-Identifier: Apache-2.0
#include "text/stock_phrases.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace crivello::text {
namespace {

constexpr size_t kMaxBytes = 120;
constexpr size_t kMaxNoticeBytes = 400;  // of a copyright

// In ASCII lower case; other letters in the case that opens a line.
constexpr std::string_view kPhrases[] = {
    // English
    "advert", "advertisement", "all rights reserved", "also read", "click here", "comments",
    "continue reading", "copyright", "credit:", "don't miss", "editor's pick", "filed under", "follow us",
    "for more information", "get the latest", "have a tip", "image credit", "image source",
    "image:", "leave a comment", "leave a reply", "listen:", "more:", "more from", "more on", "more stories",
    "more:", "most popular", "most read", "next article", "next post", "photo by", "photo credit",
    "photo:", "photos:", "posted in", "previous article", "previous post", "read also", "read more",
    "read next", "recommended", "related", "related:", "see also", "share on", "share this", "share via",
    "sign up", "skip to", "sponsored", "story continues below", "subscribe", "tagged",
    "tags:", "tell us what", "trending", "watch:", "you may also", "you may like", "you might also",
    "you might like", "print this", "back to top", "join our", "published:", "updated:", "last updated",
    "article continues", "topics:", "categories:", "enjoyed this", "like this",
    // German
    "anzeige", "auch interessant", "auch lesen", "artikel teilen", "bild:", "bilder:", "das k\u00f6nnte",
    "empfehlungen", "foto:", "fotos:", "kommentar schreiben", "kommentare", "lesen sie auch",
    "lesen sie mehr", "lesetipp", "lies auch", "mehr dazu", "mehr lesen", "mehr themen", "mehr zum thema",
    "mehr zu:", "mehr:", "passend dazu", "passend zum thema", "publiziert:", "quelle:", "schlagw",
    "schon gelesen", "teilen", "titelbild", "ver\u00f6ffentlicht", "weitere artikel", "weitere themen",
    "weiterlesen", "werbung", "zum thema", "jetzt teilen", "seite drucken", "lies mehr",
    // French
    "a lire", "abonnez-vous", "commentaires", "cr\u00e9dit photo", "lire aussi", "lire \u00e9galement",
    "lire la suite", "partager", "publicit\u00e9", "sur le m\u00eame", "voir aussi", "\u00c0 lire",
    "\u00c0 d\u00e9couvrir", "lisez aussi",
    // Italian
    "commenti", "condividi", "leggi anche", "leggi tutto", "potrebbe interessarti", "pubblicit\u00e0",
    "ti potrebbe interessare", "potrebbero interessarti", "foto:", "leggi pure", "vedi anche",
    // Spanish
    "comentarios", "comparte", "compartir", "le puede interesar", "lea tambi\u00e9n", "lee tambi\u00e9n",
    "lee adem\u00e1s", "leer m\u00e1s", "noticias relacionadas", "publicidad", "tambi\u00e9n te puede",
    "te puede interesar", "ver tambi\u00e9n", "\u00a1mira lo que", "te recomendamos",
    "m\u00e1s informaci\u00f3n",
    // Portuguese
    "compartilhe", "leia mais", "leia tamb\u00e9m", "publicidade", "veja tamb\u00e9m", "veja mais",
    "você pode gostar", "você também", "mais lidas",
    // Dutch, Scandinavian
    "deel dit", "lees meer", "lees ook", "annonse", "annonce", "les mer", "les ogs\u00e5", "l\u00e4s mer",
    "l\u00e4s ocks\u00e5", "l\u00e6s mere", "l\u00e6s ogs\u00e5", "lue my\u00f6s",
    // Polish, Czech, Slovak, Hungarian
    "czytaj tak\u017ce", "czytaj te\u017c", "czytaj r\u00f3wnie\u017c", "czytaj wi\u0119cej",
    "dowiedz si\u0119 wi\u0119cej", "komentarze", "polecamy", "przeczytaj", "reklama", "udost\u0119pnij",
    "zobacz tak\u017ce", "zobacz te\u017c", "zobacz r\u00f3wnie\u017c", "\u010cti tak\u00e9",
    "\u010cti\u0165e", "\u010ct\u011bte", "p\u0159e\u010dt\u011bte si", "sd\u00edlet", "olvassa el",
    // Turkish, Romanian, Russian, Ukrainian, Greek
    "ilgili haber", "cite\u0219te \u0219i",
    "\u0427\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u0436\u0435",
    "\u0420\u0435\u043a\u043b\u0430\u043c\u0430",
    "\u041a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0438",
    "\u0427\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u043e\u0436",
    "\u041f\u043e\u0434\u0435\u043b\u0438\u0442\u044c\u0441\u044f",
    "\u0394\u03b9\u03b1\u03b2\u03ac\u03c3\u03c4\u03b5 \u03b5\u03c0\u03af\u03c3\u03b7\u03c2", "(c) "};

const std::vector<std::string_view>& Sorted() {
  static const std::vector<std::string_view> phrases = [] {
    std::vector<std::string_view> sorted(std::begin(kPhrases), std::end(kPhrases));
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }();
  return phrases;
}

// A word that goes on is another word: "Relatedness", "Teilen" but not "Teilende".
bool EndsWord(std::string_view phrase, std::string_view rest) {
  return rest.empty() || !IsAsciiAlpha(phrase.back()) ||
         (!IsAsciiAlpha(rest.front()) && static_cast<uint8_t>(rest.front()) < 0x80);
}

}  // namespace

bool IsStockPhrase(std::string_view line) {
  while (!line.empty() && (IsAsciiSpace(line.front()) || line.front() == '>' || line.front() == '[' ||
                           line.front() == '-' || line.front() == '+' || line.front() == '*')) {
    line.remove_prefix(1);
  }
  if (line.size() <= kMaxNoticeBytes && line.starts_with("\u00a9")) return true;
  if (line.empty() || line.size() > kMaxBytes) return false;
  const std::string lower = ToAsciiLower(line.substr(0, 40));
  // Of the phrases that open the line, all lie before it in order, close together.
  const auto& phrases = Sorted();
  auto at = std::upper_bound(phrases.begin(), phrases.end(), lower);
  while (at != phrases.begin()) {
    --at;
    if (at->front() != lower.front()) return false;
    if (lower.starts_with(*at) && EndsWord(*at, std::string_view(lower).substr(at->size()))) return true;
  }
  return false;
}

}  // namespace crivello::text
