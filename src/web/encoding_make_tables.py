#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes encoding_labels_table.cc and encoding_single_byte_table.cc from a checkout of whatwg/encoding.

usage: encoding_make_tables.py CHECKOUT   (writes into the folder of this script)
"""
import json
import os
import sys

HEAD = """// SPDX-License-Identifier: Apache-2.0
// Made by encoding_make_tables.py from the Encoding standard's data (whatwg/encoding, BSD-3-Clause); not edited.

"""


def enum(name):
    """ISO-8859-8-I is kIso8859_8I, windows-1252 kWindows1252, x-mac-cyrillic kMacCyrillic."""
    name = name.lower().replace("iso-8859-", "iso8859+").replace("utf-16", "utf-16-").replace("x-", "")
    parts = name.replace("_", "-").split("-")
    return "k" + "".join(part[:1].upper() + part[1:] for part in parts).replace("+", "_").replace("8i", "8I")


def main():
    source, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    groups = json.load(open(os.path.join(source, "encodings.json")))
    indexes = json.load(open(os.path.join(source, "indexes.json")))
    encodings = [e for group in groups for e in group["encodings"]]
    labels = sorted((label, e["name"]) for e in encodings for label in e["labels"])

    out = HEAD + '#include "web/encoding.h"\n#include "web/encoding_tables.h"\n\nnamespace crivello::web::internal {\n\n'
    out += "// By label, so that a lookup is a binary search.\n"
    out += "const std::array<EncodingLabel, %d> kEncodingLabels = {{\n" % len(labels)
    out += "".join('    {"%s", Encoding::%s},\n' % (label, enum(name)) for label, name in labels)
    out += "}};\n\n// By Encoding.\n"
    out += "const std::array<std::string_view, %d> kEncodingNames = {\n" % len(encodings)
    out += "".join('    "%s",\n' % e["name"] for e in encodings) + "};\n\n}  // namespace crivello::web::internal\n"
    open(os.path.join(here, "encoding_labels_table.cc"), "w").write(out)

    single = [e["name"] for g in groups if "single-byte" in g["heading"] for e in g["encodings"]]
    out = HEAD + '#include "web/encoding_tables.h"\n\nnamespace crivello::web::internal {\n\n'
    out += "// The code points of bytes 80 to FF, 0 where there is none; by Encoding from kFirstSingleByte.\n"
    out += "const std::array<std::array<char16_t, 128>, %d> kSingleByte = {{\n" % len(single)
    for name in single:
        key = {"iso-8859-8-i": "iso-8859-8"}.get(name.lower(), name.lower())
        table = [c or 0 for c in indexes[key]]
        assert len(table) == 128
        out += "    // " + name + "\n    {{" + ", ".join("0x%x" % c for c in table) + "}},\n"
    out += "}};\n\n}  // namespace crivello::web::internal\n"
    open(os.path.join(here, "encoding_single_byte_table.cc"), "w").write(out)
    print("enum class Encoding : uint8_t {\n" + "".join("  %s,\n" % enum(e["name"]) for e in encodings) + "};")
    print(len(single), "single-byte")


main()
