// SPDX-License-Identifier: Apache-2.0
#include "text/terms/stop_words.h"

#include <fmt/format.h>

#include "text/terms/stemmer.h"

namespace crivello::text {
namespace {

struct List {
  std::string_view language;
  std::string_view words;
};

constexpr List kLists[] = {
    {"de",
     "aber als am an auch auf aus bei bin bis bist da dadurch daher darum das dass dein deine dem den der "
     "des "
     "dessen deshalb die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen "
     "einer "
     "eines er es euer eure für hatte hatten hattest hattet hier hinter ich ihr ihre im in ist ja jede jedem "
     "jeden jeder jedes jener jenes jetzt kann kannst können könnt machen mein meine mit muss musst müssen "
     "müsst "
     "nach nachdem nein nicht noch nun nur ob oder ohne sein seid seine sich sie sind soll sollen sollst "
     "sollt "
     "sonst soweit sowie über um und unser unsere unter vom von vor wann war warum was weiter weitere wenn "
     "wer "
     "werde werden werdet weshalb wie wieder wieso wir wird wirst wo woher wohin zu zum zur"},
    {"en",
     "a about after all also an and any are as at be because been before being between both but by can could "
     "did "
     "do does doing down during each for from further had has have having he her here hers him his how i if "
     "in "
     "into is it its itself just me more most my no nor not of off on once only or other our ours out over "
     "own "
     "same she should so some such than that the their theirs them then there these they this those through "
     "to "
     "too under until up very was we were what when where which while who whom why will with would you your "
     "yours"},
    {"es",
     "a al algo algunas algunos ante antes como cómo con contra cual cuál cuáles cuando cuándo cuánto de del "
     "desde donde dónde durante e el él "
     "ella "
     "ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos fue "
     "fueron ha "
     "había han hasta hay la las le les lo los más me mi mis mucho muchos muy nada ni no nos nosotros o os "
     "otra "
     "otras otro otros para pero poco por porque que qué quien quienes se sea ser si sí sin sobre son su sus "
     "también tan tanto te tiene tienen todo todos tu tú tus un una uno unos vosotros y ya yo"},
    {"fr",
     "a à ai as au aux avec avait avoir c ce ces cet cette combien comme comment d dans de des du elle elles "
     "en entre est et "
     "étaient était étant été être eu eux il ils j je l la le les leur leurs lui m ma mais me même mes moi "
     "mon n "
     "ne ni nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels "
     "qui s sa "
     "sans se sera ses si son sont sous "
     "sur t "
     "ta te tes toi ton tous tout toute toutes très tu un une vos votre vous y"},
    {"it",
     "a abbiamo ad agli ai al alla alle allo anche avere aveva avevano c che chi ci come con contro cui da "
     "dagli "
     "dai dal dalla dalle dallo degli dei del dell della delle dello di dove e è ed era erano essere fra "
     "furono "
     "gli ha hai hanno ho i il in io l la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel "
     "nella nelle "
     "nello noi non nostra nostre nostri nostro o per perché più qual quale quali quando quanto quella "
     "quelle quelli "
     "quello "
     "questa queste questi questo se sei si sia siamo siete sono sta stato su sua sue sugli sui sul sulla "
     "sulle "
     "sullo suo suoi ti tra tu tua tue tuo tuoi un una uno vi voi vostra vostre vostri vostro"},
    {"nl",
     "aan als bij dan dat de der deze die dit doen door een en er het hij hoe hun ik in is je kan "
     "kunnen maar me meer met mijn naar niet nog nu of om omdat onder ons ook op over te tot uit van "
     "veel voor waar waarom wanneer want was wat we welke wel werd wie wij wil worden wordt ze zich zij "
     "zijn zo zonder zou"},
    {"pt",
     "a à ao aos aquela aquele aqueles aquilo as às até com como da das de dela dele deles depois do "
     "dos e é ela elas ele eles em entre era essa esse esta está estão este estes eu foi foram há isso "
     "isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num numa o "
     "onde os ou para pela pelas pelo pelos por porque quais qual quando quanto que quem são se sem ser "
     "seu seus só sua suas também te tem têm teu tua um uma você vocês"},
};

}  // namespace

Result<std::unordered_set<std::string_view>> StopWords(std::string_view language) {
  const std::string code = PrimaryLanguage(language);
  for (const List& list : kLists) {
    if (list.language != code) continue;
    std::unordered_set<std::string_view> words;
    for (std::string_view rest = list.words; !rest.empty();) {
      const size_t end = std::min(rest.find(' '), rest.size());
      words.insert(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words;
  }
  return Status::NotFound(
      fmt::format("no stop words for '{}'; choose one of: de, en, es, fr, it, nl, pt", language));
}

}  // namespace crivello::text
