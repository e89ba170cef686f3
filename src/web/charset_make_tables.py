#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes charset_language_table.cc: letter-pair costs by language, learnt from translated messages.

usage: charset_make_tables.py LOCALE_FOLDER   (writes into the folder of this script)

LOCALE_FOLDER is a usr/share/locale with the .mo files of Debian 12's iso-codes, coreutils, libglib2.0-data,
libgtk-3-common, libgtk-4-common, gnome-control-center-data, nautilus-data, epiphany-browser-data,
evolution-common, evolution-data-server-common, totem-common, gedit-common, evince-common.
Only counts of letter pairs go into the table, no text.
"""
import collections
import glob
import math
import os
import re
import sys
import unicodedata

LATIN = ("en de fr es pt it nl da nb sv fi is fo ca gl eu ga gd cy mt eo et lt lv pl cs sk hu ro hr sl sq tr").split()
CYRILLIC = "ru uk be bg sr mk".split()
OTHER = "el he ar fa th".split()
MAX_LETTERS = 250000
# Letters that belong to the language and that messages seldom hold; each may follow any letter once in 10,000.
RARE = {
    "en": "éèêëïôöüçñ", "de": "éèà", "fr": "ëïüæÿ", "es": "ü", "pt": "üà", "it": "î", "nl": "èêüöçä", "da": "öäü",
    "nb": "òôöä", "sv": "éüà", "fi": "åšž", "ca": "·", "eu": "ñç", "cy": "äêöûüéíóúàèŷỳẁẃẅ", "mt": "èìòùâî", "et": "é",
    "lv": "ōŗ", "lt": "é", "hr": "é", "sl": "ćđ", "cs": "öü", "sk": "ŕě", "hu": "ä", "ro": "é", "tr": "îû", "ru": "і",
    "uk": "ыэъё", "bg": "ыэё", "sr": "й", "mk": "ѕљ", "be": "ґ", "el": "ΐΰϋ",
}


def messages(path):
    data = open(path, "rb").read()
    word = lambda at: int.from_bytes(data[at:at + 4], "little")
    if word(0) != 0x950412DE:
        return
    for i in range(word(8)):
        original = data[word(word(12) + 8 * i + 4):][:word(word(12) + 8 * i)]
        translated = data[word(word(16) + 8 * i + 4):][:word(word(16) + 8 * i)]
        if original:
            try:
                yield original.decode("utf-8"), translated.decode("utf-8")
            except UnicodeDecodeError:
                pass


def text_of(locale, language):
    seen = set()
    # Long running text first: names of places repeat foreign letters.
    paths = sorted(glob.glob(f"{locale}/{language}/LC_MESSAGES/*.mo"), key=lambda p: ("iso" in os.path.basename(p), p))
    letters = 0
    for path in paths:
        for original, translated in messages(path):
            if language == "en":
                translated = original
            elif original == translated:
                continue
            if translated in seen:
                continue
            seen.add(translated)
            # Out with markup, placeholders, options and words in capitals: they are not language.
            translated = re.sub(r"<[^>]*>|%[^\s]*|&[a-z]+;|--?[a-z-]+=?[A-Z]*|\$\{?\w+|https?:\S+|\\[nt]|_", "", translated)
            translated = unicodedata.normalize("NFC", translated)
            yield translated
            letters += sum(c.isalpha() for c in translated)
            if letters > MAX_LETTERS:
                return


def is_letter(c):
    # Vowel signs are letters here where they have bytes of their own (Hebrew, Arabic, Thai).
    return unicodedata.category(c) in ("Ll", "Lu", "Lo") and c not in "ªº" or 0x590 <= ord(c) <= 0xE7F


def main():
    locale, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    out = """// SPDX-License-Identifier: Apache-2.0
// Made by charset_make_tables.py from counts of letter pairs in Debian's translations; not edited.

#include "web/charset_language.h"

namespace crivello::web::internal {
namespace {

"""
    rows = []
    for language in LATIN + CYRILLIC + OTHER:
        sources = {"en": ["de", "fr"], "nb": ["nb", "nn"], "pt": ["pt", "pt_BR"]}.get(language, [language])
        pairs = collections.Counter()
        singles = collections.Counter()
        for source in sources:
            for text in text_of(locale, source) if language != "en" else english(locale, source):
                word = "".join(c.lower()[0] if is_letter(c) else " " for c in text)
                word = re.sub(" +", " ", " " + word + " ")
                for c in word:
                    singles[c] += 1
                pairs.update(zip(word, word[1:]))
        if language == "ro":  # old pages write the cedilla forms, which is all that windows-1250 has
            for old, new in (("\u0219", "\u015f"), ("\u021b", "\u0163")):
                singles[new] += singles[old]
        latin = language in LATIN
        total = sum(n for c, n in singles.items() if c != " ")
        extra = sorted((c for c, n in singles.items() if ord(c) > 0x7F and n > total * 3e-5),
                       key=lambda c: -singles[c])[:64]
        if language == "en":
            extra = []
        if language == "ro":
            forms = {"\u015f": "\u0219", "\u0163": "\u021b"}
            for (a, b), n in list(pairs.items()):
                for x in {a, next((k for k, v in forms.items() if v == a), a)}:
                    for y in {b, next((k for k, v in forms.items() if v == b), b)}:
                        if (x, y) != (a, b):
                            pairs[x, y] += n
        rare = RARE.get(language, "")
        extra += [c for c in rare if c not in extra]
        alphabet = " " + ("abcdefghijklmnopqrstuvwxyz" if latin else "") + "".join(sorted(extra))
        n = len(alphabet)
        costs = []
        for a in alphabet:
            row = [pairs[a, b] + 0.3 + (singles[a] * 1e-4 if b in rare else 0) for b in alphabet]
            whole = sum(row) + 1
            costs.append([min(255, round(-math.log2(x / whole) * 16)) for x in row])
        print(language, total, n, alphabet, file=sys.stderr)
        name = "k" + language.capitalize()
        out += "constexpr uint8_t %sCosts[] = {\n" % name
        out += "".join("    " + ", ".join(map(str, row)) + ",\n" for row in costs) + "};\n"
        script = "kLatin" if latin else "kCyrillic" if language in CYRILLIC else "kOther"
        letters = "".join("\\u%04x" % ord(c) for c in alphabet[27 if latin else 1:])
        rows.append('    {"%s", Script::%s, u"%s", %sCosts},\n' % (language, script, letters, name))
    out += "\n}  // namespace\n\nconst std::array<LanguageModel, %d> kLanguages = {{\n" % len(rows)
    out += "".join(rows) + "}};\n\n}  // namespace crivello::web::internal\n"
    open(os.path.join(here, "charset_language_table.cc"), "w").write(out)


def english(locale, source):
    for path in sorted(glob.glob(f"{locale}/{source}/LC_MESSAGES/*.mo")):
        for original, _ in messages(path):
            if len(original) > 40:
                yield re.sub(r"<[^>]*>|%[^\s]*|--?[a-z-]+=?[A-Z]*|_", "", original)


main()
