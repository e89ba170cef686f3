// SPDX-License-Identifier: Apache-2.0
#include "charset/charset.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include "charset/charset_prescan.h"

namespace crivello::charset {
namespace {

// Converts UTF-8 to a charset with ICU, to make the input of the tests.
std::string Encode(std::string_view utf8, const char* charset) {
  UErrorCode error = U_ZERO_ERROR;
  std::string out(utf8.size() * 4 + 16, '\0');
  const int32_t size = ucnv_convert(charset, "UTF-8", out.data(), static_cast<int32_t>(out.size()),
                                    utf8.data(), static_cast<int32_t>(utf8.size()), &error);
  EXPECT_TRUE(U_SUCCESS(error)) << charset;
  out.resize(static_cast<size_t>(size));
  return out;
}

Encoding Detect(std::string_view bytes) { return DetectCharset(bytes).encoding; }

constexpr std::string_view kRussian =
    "Утром в городе шёл дождь, и люди спешили на работу под зонтами. К полудню небо прояснилось.";
constexpr std::string_view kUkrainian =
    "Уранці в місті йшов дощ, і люди поспішали на роботу під парасольками. Її сестра їде до Києва.";
constexpr std::string_view kPolish =
    "Rano w mieście padał deszcz, więc ludzie spieszyli się do pracy, żeby zdążyć.";
constexpr std::string_view kFrench =
    "Le matin, il a plu sur la ville ; les élèves étaient pressés d'arriver à l'école, où la fenêtre était "
    "fermée.";
constexpr std::string_view kGreek =
    "Το πρωί έβρεχε στην πόλη και ο κόσμος βιαζόταν να φτάσει στη δουλειά του.";
constexpr std::string_view kHebrew = "בבוקר ירד גשם בעיר והאנשים מיהרו לעבודה תחת מטריות צבעוניות.";
constexpr std::string_view kJapanese =
    "朝から町には雨が降っていて、人々は傘をさして仕事に急いでいました。昼には晴れました。";
constexpr std::string_view kChinese = "早上城里下雨，人们打着伞匆匆忙忙去上班。到了中午，天气就放晴了。";
constexpr std::string_view kTraditional = "早上城裡下雨，人們打著傘匆匆忙忙去上班。到了中午，天氣就放晴了。";
constexpr std::string_view kKorean =
    "아침에 도시에는 비가 내렸고 사람들은 우산을 쓰고 서둘러 일하러 갔습니다.";

TEST(CharsetTest, DecidesInTheOrderOfTheStandard) {
  const std::string page = "<meta charset=koi8-r>\xcf\xf0";
  EXPECT_EQ(DecideCharset("\xef\xbb\xbf" + page, "windows-1251").encoding, Encoding::kUtf8);
  const CharsetDecision http = DecideCharset(page, "windows-1251");
  EXPECT_EQ(http.encoding, Encoding::kWindows1251);
  EXPECT_EQ(http.source, CharsetSource::kHttp);
  const CharsetDecision meta = DecideCharset(page, "no-such-label");
  EXPECT_EQ(meta.encoding, Encoding::kKoi8R);
  EXPECT_EQ(CharsetSourceName(meta.source), "meta");
  const CharsetDecision plain = DecideCharset("plain", "", {.fallback = Encoding::kUtf8});
  EXPECT_EQ(plain.encoding, Encoding::kUtf8);
  EXPECT_EQ(plain.source, CharsetSource::kDefault);
}

TEST(CharsetTest, PrescansAsTheHtmlStandard) {
  const auto prescan = [](std::string_view bytes) { return PrescanEncoding(bytes, bytes.size()); };
  EXPECT_EQ(prescan("<META/CHARSET='big5'/>"), Encoding::kBig5);
  EXPECT_EQ(prescan("<meta charset=big5"), std::nullopt);
  EXPECT_EQ(prescan("<!--><meta charset=big5>"), Encoding::kBig5);
  EXPECT_EQ(prescan("<!-- <meta charset=big5> "), std::nullopt);
  EXPECT_EQ(prescan("<p title='<meta charset=big5>'>"), std::nullopt);
  EXPECT_EQ(prescan("<meta content='text/html; charset=big5'>"), std::nullopt);
  EXPECT_EQ(prescan("<meta content='text/html; charset=big5' http-equiv=Content-Type>"), Encoding::kBig5);
  EXPECT_EQ(prescan("<meta charset=nonsense><meta charset=utf-16>"), Encoding::kUtf8);
  EXPECT_EQ(prescan("<meta charset=x-user-defined>"), Encoding::kWindows1252);
  EXPECT_EQ(prescan("<meta charset=koi8-r charset=big5>"), Encoding::kKoi8R);
  EXPECT_EQ(prescan("<?xml version='1.0' encoding='Shift_JIS'?><p>"), Encoding::kShiftJis);
  EXPECT_EQ(prescan("<?xml version='1.0' encoding='Shift_JIS'?><meta charset=koi8-r>"), Encoding::kKoi8R);
  EXPECT_EQ(prescan(std::string_view("<\0?\0x\0m\0l\0", 10)), Encoding::kUtf16Le);
}

TEST(CharsetTest, FindsALateMetaOutsideOfScriptsOnly) {
  const std::string filler = "<!--" + std::string(2000, 'x') + "-->";
  EXPECT_EQ(PrescanEncoding(filler + "<meta charset=big5>", 4096), Encoding::kBig5);
  EXPECT_EQ(PrescanEncoding(filler + "<meta charset=big5>", 1024), std::nullopt);
  EXPECT_EQ(PrescanEncoding(filler + "<script>'<meta charset=big5>'</script>", 4096), std::nullopt);
  EXPECT_EQ(PrescanEncoding(filler + "<script>x</script><meta charset=big5>", 4096), Encoding::kBig5);
  EXPECT_EQ(PrescanEncoding("<script>'<meta charset=big5>'</script>", 4096), Encoding::kBig5);
}

TEST(CharsetTest, DetectsCyrillicInAllItsEncodings) {
  EXPECT_EQ(Detect(kRussian), Encoding::kUtf8);
  EXPECT_EQ(Detect(Encode(kRussian, "windows-1251")), Encoding::kWindows1251);
  EXPECT_EQ(Detect(Encode(kRussian, "koi8-r")), Encoding::kKoi8R);
  EXPECT_EQ(Detect(Encode(kRussian, "iso-8859-5")), Encoding::kIso8859_5);
  EXPECT_EQ(Detect(Encode(kRussian, "ibm866")), Encoding::kIbm866);
  EXPECT_EQ(Detect(Encode(kRussian, "x-mac-cyrillic")), Encoding::kMacCyrillic);
  EXPECT_EQ(Detect(Encode(kUkrainian, "koi8-u")), Encoding::kKoi8U);
  EXPECT_EQ(Detect(Encode(kUkrainian, "windows-1251")), Encoding::kWindows1251);
}

TEST(CharsetTest, DetectsLatinLettersByLanguage) {
  EXPECT_EQ(Detect(Encode(kPolish, "iso-8859-2")), Encoding::kIso8859_2);
  EXPECT_EQ(Detect(Encode(kPolish, "windows-1250")), Encoding::kWindows1250);
  EXPECT_EQ(Detect(Encode(kFrench, "windows-1252")), Encoding::kWindows1252);
  EXPECT_EQ(Detect(Encode(kFrench, "macintosh")), Encoding::kMacintosh);
}

TEST(CharsetTest, DetectsOtherScripts) {
  EXPECT_EQ(Detect(Encode(kGreek, "iso-8859-7")), Encoding::kIso8859_7);
  EXPECT_EQ(Detect(Encode(kHebrew, "windows-1255")), Encoding::kWindows1255);
  EXPECT_EQ(Detect(Encode(kJapanese, "shift_jis")), Encoding::kShiftJis);
  EXPECT_EQ(Detect(Encode(kJapanese, "euc-jp")), Encoding::kEucJp);
  EXPECT_EQ(Detect(Encode(kJapanese, "iso-2022-jp")), Encoding::kIso2022Jp);
  EXPECT_EQ(Detect(Encode(kChinese, "gb18030")), Encoding::kGbk);
  EXPECT_EQ(Detect(Encode(kTraditional, "big5")), Encoding::kBig5);
  EXPECT_EQ(Detect(Encode(kKorean, "windows-949")), Encoding::kEucKr);
}

TEST(CharsetTest, DetectsUtf16WithoutAMark) {
  EXPECT_EQ(Detect(Encode("plain text\n", "utf-16le")), Encoding::kUtf16Le);
  EXPECT_EQ(Detect(Encode("plain text\n", "utf-16be")), Encoding::kUtf16Be);
  EXPECT_EQ(Detect(Encode("Утром шёл дождь.\nОн шёл до полудня.\n", "utf-16le")), Encoding::kUtf16Le);
}

TEST(CharsetTest, ForgivesUtf8AStrayByteAndACutEnd) {
  std::string text;
  for (int i = 0; i < 5; i++) text += kRussian;
  EXPECT_EQ(Detect(text + "\xe9 fin"), Encoding::kUtf8);
  EXPECT_EQ(Detect(text.substr(0, text.size() - 2)), Encoding::kUtf8);
  EXPECT_EQ(Detect("caf\xe9"), Encoding::kWindows1252);
}

TEST(CharsetTest, LetsTheLanguageHintDecideBetweenEquals) {
  // FE alone: thorn, s with cedilla, t with cedilla...
  const std::string bytes = "\xfe";
  EXPECT_NE(DetectCharset(bytes, {.language = "tr"}).encoding,
            DetectCharset(bytes, {.language = "is"}).encoding);
}

TEST(CharsetTest, ReadsTheMarkupOnlyIfThereIsNothingElse) {
  const std::string page = "<p title='" + Encode(kRussian, "koi8-r") + "'>text</p>";
  EXPECT_EQ(Detect(page), Encoding::kKoi8R);
}

TEST(CharsetTest, AnswersForAnyBytes) {
  EXPECT_EQ(DetectCharset("").source, CharsetSource::kDefault);
  for (int c = 0; c < 256; c++) {
    const std::string bytes(5, static_cast<char>(c));
    const CharsetDecision decision = DecideCharset(bytes);
    EXPECT_GE(decision.confidence, 0);
    EXPECT_LE(decision.confidence, 1);
  }
}

}  // namespace
}  // namespace crivello::charset
