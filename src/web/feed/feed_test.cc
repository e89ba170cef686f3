// SPDX-License-Identifier: Apache-2.0
#include "web/feed/feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/test_waiting.h"
#include "web/feed/feed_internal.h"

namespace crivello::web {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// 2004-01-05T10:20:30Z.
constexpr int64_t kFeedMoment = 1073298030;

Feed Parse(std::string_view text, const FeedOptions& options = {}) {
  auto feed = ParseFeed(text, options);
  EXPECT_TRUE(feed.ok()) << feed.status().ToString() << "\n" << text;
  return feed.ok() ? *std::move(feed) : Feed();
}

// The one item of an RSS feed with these children.
FeedItem RssItem(const std::string& children) {
  const Feed feed = Parse("<rss version='2.0'><channel><item>" + children + "</item></channel></rss>");
  EXPECT_EQ(feed.items.size(), 1U) << children;
  return feed.items.empty() ? FeedItem() : feed.items[0];
}

FeedItem AtomEntry(const std::string& children) {
  const Feed feed = Parse("<feed xmlns='http://www.w3.org/2005/Atom'><entry>" + children + "</entry></feed>");
  EXPECT_EQ(feed.items.size(), 1U) << children;
  return feed.items.empty() ? FeedItem() : feed.items[0];
}

TEST(FeedTest, ReadsRss) {
  const Feed feed = Parse(R"(<?xml version="1.0"?>
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
         xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel>
      <title>News &amp; views</title><link>http://a/</link><description>About <![CDATA[<b>things</b>]]></description>
      <language>en_us</language><lastBuildDate>Mon, 05 Jan 2004 10:20:30 GMT</lastBuildDate>
      <managingEditor>ed@a (Ed)</managingEditor><category domain="http://d/">news</category>
      <atom:link rel="self" href="http://a/feed"/><atom:link rel="hub" href="http://hub/"/><atom:link rel="hub" href="http://hub2/"/>
      <ttl>60</ttl><skipHours><hour>0</hour><hour>23</hour><hour>24</hour></skipHours><skipDays><day>Sunday</day></skipDays>
      <sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
      <image><title>not this</title><link>http://not/</link><url>http://a/i.png</url></image>
      <item>
        <title>One</title><link>http://a/1</link><guid isPermaLink="false">id-1</guid><pubDate>5 Jan 2004 10:20:30 GMT</pubDate>
        <description>Short &lt;i&gt;text&lt;/i&gt;</description><content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
        <dc:creator>Ann</dc:creator><category>x</category><dc:subject>y</dc:subject><comments>http://a/1#c</comments>
        <enclosure url="http://a/1.mp3" type="audio/mpeg" length="123"/>
      </item>
      <item><guid>http://a/2</guid></item>
    </channel></rss>)");
  EXPECT_EQ(feed.format, FeedFormat::kRss);
  EXPECT_EQ(feed.version, "2.0");
  EXPECT_EQ(feed.title.value, "News & views");
  EXPECT_EQ(feed.description.value, "About <b>things</b>");
  EXPECT_EQ(feed.description.PlainText(), "About things");
  EXPECT_EQ(feed.link, "http://a/");
  EXPECT_EQ(feed.self, "http://a/feed");
  EXPECT_THAT(feed.hubs, ElementsAre("http://hub/", "http://hub2/"));
  EXPECT_EQ(feed.language, "en-us");
  EXPECT_EQ(feed.updated.seconds, kFeedMoment);
  EXPECT_EQ(feed.ttl_minutes, 60U);
  EXPECT_EQ(feed.skip_hours.to_ulong(), 1UL | 1UL << 23);
  EXPECT_EQ(feed.skip_days.to_ulong(), 1UL);
  EXPECT_EQ(feed.poll_interval_s(), 21600);
  ASSERT_EQ(feed.authors.size(), 1U);
  EXPECT_EQ(feed.authors[0].name, "Ed");
  EXPECT_EQ(feed.authors[0].email, "ed@a");
  ASSERT_EQ(feed.categories.size(), 1U);
  EXPECT_EQ(feed.categories[0].scheme, "http://d/");

  ASSERT_EQ(feed.items.size(), 2U);
  const FeedItem& item = feed.items[0];
  EXPECT_EQ(item.title.value, "One");
  EXPECT_EQ(item.title.type, FeedText::Type::kText);
  EXPECT_EQ(item.link, "http://a/1");
  EXPECT_EQ(item.id, "id-1");
  EXPECT_FALSE(item.id_is_permalink);
  EXPECT_EQ(item.published.text, "5 Jan 2004 10:20:30 GMT");
  EXPECT_EQ(item.date_seconds(), kFeedMoment);
  EXPECT_EQ(item.summary.value, "Short <i>text</i>");
  EXPECT_EQ(item.summary.type, FeedText::Type::kHtml);
  EXPECT_EQ(item.content.value, "<p>Long</p>");
  ASSERT_EQ(item.authors.size(), 1U);
  EXPECT_EQ(item.authors[0].name, "Ann");
  ASSERT_EQ(item.categories.size(), 2U);
  EXPECT_EQ(item.categories[1].term, "y");
  EXPECT_EQ(item.comments, "http://a/1#c");
  ASSERT_EQ(item.enclosures.size(), 1U);
  EXPECT_EQ(item.enclosures[0].url, "http://a/1.mp3");
  EXPECT_EQ(item.enclosures[0].length_bytes, 123U);
  EXPECT_TRUE(feed.items[1].id_is_permalink);
  EXPECT_EQ(feed.items[1].link, "http://a/2");
}

TEST(FeedTest, ReadsRdf) {
  const Feed feed = Parse(
      R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://a/"><title>T</title><link>http://a/</link>
      <items><rdf:Seq><rdf:li resource="http://a/1"/></rdf:Seq></items></channel>
      <item rdf:about="http://a/1"><title>One</title><link>http://a/1</link><dc:date>2004-01-05T10:20:30Z</dc:date></item>
      <item rdf:about="http://a/2"><title>Two</title></item></rdf:RDF>)");
  EXPECT_EQ(feed.format, FeedFormat::kRdf);
  EXPECT_EQ(feed.title.value, "T");
  ASSERT_EQ(feed.items.size(), 2U);
  EXPECT_EQ(feed.items[0].id, "http://a/1");
  EXPECT_EQ(feed.items[0].updated.seconds, kFeedMoment);
  EXPECT_EQ(feed.items[1].link, "http://a/2");
}

TEST(FeedTest, ReadsAtom) {
  const Feed feed = Parse(R"(<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="http://a/b/">
      <id>urn:x</id><title type="html">A &amp;lt;b&amp;gt;</title><subtitle>S</subtitle><updated>2004-01-05T10:20:30Z</updated>
      <link href="/"/><link rel="self" href="feed.atom"/><link rel="next" href="?page=2"/>
      <author><name>Ann</name><email>ann@a</email><uri>~ann</uri></author>
      <entry xml:base="c/"><id>tag:1</id><title>One</title><link rel="alternate" type="application/pdf" href="1.pdf"/>
        <link rel="alternate" type="text/html" href="1.html"/><link rel="enclosure" href="1.mp3" length="9"/>
        <published>2004-01-05T10:20:30Z</published><updated>2004-01-06T10:20:30Z</updated>
        <summary type="xhtml" xml:lang="en"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &lt; <b>b</b><br/></p></div></summary>
        <content type="video/mp4" src="1.mp4"/><category term="t" label="L" scheme="s"/>
        <source><title>Other feed</title><id>urn:other</id><link href="http://other/"/></source></entry></feed>)");
  EXPECT_EQ(feed.format, FeedFormat::kAtom);
  EXPECT_EQ(feed.version, "1.0");
  EXPECT_EQ(feed.id, "urn:x");
  EXPECT_EQ(feed.title.value, "A &lt;b&gt;");
  EXPECT_EQ(feed.title.PlainText(), "A <b>");
  EXPECT_EQ(feed.language, "de");
  EXPECT_EQ(feed.link, "http://a/");
  EXPECT_EQ(feed.self, "http://a/b/feed.atom");
  EXPECT_EQ(feed.next, "http://a/b/?page=2");
  ASSERT_EQ(feed.authors.size(), 1U);
  EXPECT_EQ(feed.authors[0].uri, "http://a/b/~ann");
  ASSERT_EQ(feed.items.size(), 1U);
  const FeedItem& item = feed.items[0];
  EXPECT_EQ(item.id, "tag:1");
  EXPECT_EQ(item.title.value, "One");
  EXPECT_EQ(item.link, "http://a/b/c/1.html") << "the HTML one of the alternates";
  EXPECT_EQ(item.base, "http://a/b/c/");
  EXPECT_EQ(item.summary.value, "<p>a &lt; <b>b</b><br/></p>");
  EXPECT_EQ(item.summary.type, FeedText::Type::kXhtml);
  EXPECT_EQ(item.summary.PlainText(), "a < b");
  EXPECT_EQ(item.summary.language, "en");
  EXPECT_EQ(item.title.language, "de");
  EXPECT_EQ(item.content.src, "http://a/b/c/1.mp4");
  EXPECT_EQ(item.published.seconds, kFeedMoment);
  EXPECT_EQ(item.updated.seconds, kFeedMoment + 86400);
  ASSERT_EQ(item.enclosures.size(), 1U);
  EXPECT_EQ(item.enclosures[0].url, "http://a/b/c/1.mp3");
  ASSERT_EQ(item.categories.size(), 1U);
  EXPECT_EQ(item.categories[0].label, "L");
}

TEST(FeedTest, ReadsAnAtomEntryOnItsOwn) {
  const Feed feed = Parse("<entry xmlns='http://www.w3.org/2005/Atom'><title>One</title></entry>");
  ASSERT_EQ(feed.items.size(), 1U);
  EXPECT_EQ(feed.items[0].title.value, "One");
}

TEST(FeedTest, ReadsJsonFeed) {
  const Feed feed =
      Parse(R"({"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "http://a/",
      "feed_url": "http://a/feed.json", "next_url": "?2", "language": "it", "authors": [{"name": "Ann"}],
      "hubs": [{"type": "WebSub", "url": "http://hub/"}],
      "items": [{"id": 7, "url": "/1", "title": "One", "content_html": "<p>x</p>", "content_text": "x", "summary": "s",
        "date_published": "2004-01-05T10:20:30Z", "tags": ["a", 1, "b"],
        "attachments": [{"url": "http://a/1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5}]},
       "nonsense", {"id": "http://a/2", "content_text": "plain"}]})",
            {.base_url = "http://a/feed.json"});
  EXPECT_EQ(feed.format, FeedFormat::kJson);
  EXPECT_EQ(feed.version, "1.1");
  EXPECT_EQ(feed.title.value, "T");
  EXPECT_EQ(feed.link, "http://a/");
  EXPECT_EQ(feed.next, "http://a/feed.json?2");
  EXPECT_THAT(feed.hubs, ElementsAre("http://hub/"));
  ASSERT_EQ(feed.items.size(), 2U);
  EXPECT_EQ(feed.items[0].id, "7");
  EXPECT_EQ(feed.items[0].link, "http://a/1");
  EXPECT_EQ(feed.items[0].content.value, "<p>x</p>");
  EXPECT_EQ(feed.items[0].content.type, FeedText::Type::kHtml);
  EXPECT_EQ(feed.items[0].date_seconds(), kFeedMoment);
  EXPECT_EQ(feed.items[0].categories.size(), 2U);
  EXPECT_EQ(feed.items[0].language, "it");
  ASSERT_EQ(feed.items[0].enclosures.size(), 1U);
  EXPECT_EQ(feed.items[0].enclosures[0].length_bytes, 5U);
  EXPECT_EQ(feed.items[1].link, "http://a/2");
  EXPECT_EQ(feed.items[1].content.value, "plain");
}

TEST(FeedTest, ReadsCdf) {
  const Feed feed = Parse(
      "<CHANNEL HREF='http://a/' BASE='http://a/b/' LASTMOD='2004-01-05T10:20:30Z'><TITLE>T</TITLE>"
      "<ABSTRACT>A</ABSTRACT><ITEM HREF='1' LASTMOD='2004-01-05'><TITLE>One</TITLE></ITEM></CHANNEL>");
  EXPECT_EQ(feed.format, FeedFormat::kCdf);
  EXPECT_EQ(feed.link, "http://a/");
  EXPECT_EQ(feed.description.value, "A");
  EXPECT_EQ(feed.updated.seconds, kFeedMoment);
  ASSERT_EQ(feed.items.size(), 1U);
  EXPECT_EQ(feed.items[0].link, "http://a/b/1");
  EXPECT_EQ(feed.items[0].title.value, "One");
}

TEST(FeedTest, DecodesAtomsWaysOfWritingText) {
  const auto value = [](const std::string& element) { return AtomEntry(element).summary.value; };
  EXPECT_EQ(value("<summary>a &lt;b></summary>"), "a <b>");
  EXPECT_EQ(AtomEntry("<summary>a &lt;b></summary>").summary.PlainText(), "a <b>");
  EXPECT_EQ(value("<summary type='html'>&lt;b>x&lt;/b></summary>"), "<b>x</b>");
  EXPECT_EQ(value("<summary type='html'><![CDATA[<b>x</b>]]></summary>"), "<b>x</b>");
  EXPECT_EQ(value("<summary type='text/html' mode='escaped'>&lt;b></summary>"), "<b>");
  EXPECT_EQ(value("<summary mode='base64' type='text/html'>PGI+eDwvYj4=</summary>"), "<b>x</b>");
  EXPECT_EQ(value("<summary type='application/octet-stream'>PGI+ eDwv\nYj4=</summary>"), "<b>x</b>");
  EXPECT_EQ(value("<summary type='application/x-custom'>test</summary>"), "test")
      << "would be base64, but of no text";
  EXPECT_EQ(value("<summary><p>naked</p></summary>"), "<p>naked</p>");
  EXPECT_EQ(AtomEntry("<content type='xhtml'><x:div "
                      "xmlns:x='http://www.w3.org/1999/xhtml'><x:i>a</x:i></x:div></content>")
                .content.value,
            "<i>a</i>");
  EXPECT_EQ(AtomEntry("<content type='xhtml'><div>a</div><div>b</div></content>").content.value,
            "<div>a</div><div>b</div>");
  EXPECT_EQ(AtomEntry("<content type='application/xml'><item xmlns=''>a</item></content>").content.value,
            "<item xmlns=''>a</item>");
}

TEST(FeedTest, PrefersTheFeedsOwnElements) {
  EXPECT_EQ(RssItem("<media:title>m</media:title><dc:title>d</dc:title><title>t</title>").title.value, "t");
  EXPECT_EQ(RssItem("<title>t</title><dc:title>d</dc:title>").title.value, "t");
  EXPECT_EQ(RssItem("<dc:title>d</dc:title>").title.value, "d");
  EXPECT_EQ(RssItem("<x:title xmlns:x='http://x/'>x</x:title>").title.value, "");
  EXPECT_EQ(RssItem("<itunes:summary>i</itunes:summary><description>d</description>").summary.value, "d");
  EXPECT_EQ(
      RssItem(
          "<media:group><media:title>m</media:title><media:description>d</media:description></media:group>")
          .summary.value,
      "d");
  EXPECT_EQ(AtomEntry("<issued>2004-01-01</issued><published>2004-01-02</published>").published.text,
            "2004-01-02");
  EXPECT_EQ(AtomEntry("<image><id>no</id><title>no</title></image><id>yes</id>").id, "yes");
  EXPECT_EQ(RssItem("<description>d</description><summary>s</summary>").content.value, "s");
}

TEST(FeedTest, KnowsWhenAGuidIsALink) {
  EXPECT_EQ(RssItem("<guid>http://a/1</guid>").link, "http://a/1");
  EXPECT_EQ(RssItem("<guid isPermaLink='false'>http://a/1</guid>").link, "");
  EXPECT_EQ(RssItem("<guid>12345</guid>").link, "");
  EXPECT_EQ(RssItem("<link>http://a/2</link><guid>http://a/1</guid>").link, "http://a/2");
}

TEST(FeedTest, ReadsMalformedFeeds) {
  // Missing end tags.
  Feed feed = Parse("<rss><channel><title>T<item><title>One<link>http://a/1</link><item><title>Two</title>");
  EXPECT_EQ(feed.items.size(), 2U);
  EXPECT_EQ(feed.title.value, "T");
  feed = Parse(
      "<rss><channel><item><title>One</title><description>a <br> b<img "
      "src='x'></description><link>http://a/1</link></item>");
  ASSERT_EQ(feed.items.size(), 1U);
  EXPECT_EQ(feed.items[0].summary.PlainText(), "a b");
  EXPECT_EQ(feed.items[0].link, "http://a/1");
  // Stray ampersands, junk before the root, no root, other letter case, undeclared prefixes.
  EXPECT_EQ(RssItem("<link>http://a/?x=1&y=2</link>").link, "http://a/?x=1&y=2");
  EXPECT_EQ(Parse("  junk <rss><channel><title>T</title></channel></rss>").title.value, "T");
  EXPECT_EQ(Parse("<channel><title>T</title><item/></channel>").items.size(), 1U);
  EXPECT_EQ(Parse("<RSS><Channel><Item><PUBDATE>2004-01-05</PUBDATE></Item></Channel></RSS>")
                .items.at(0)
                .published.text,
            "2004-01-05");
  EXPECT_EQ(RssItem("<content:encoded>x</content:encoded>").content.value, "x");
  EXPECT_EQ(RssItem("<link>\n http://a/1\n2 </link>").link, "http://a/12");
}

TEST(FeedTest, RefusesWhatIsNoFeed) {
  for (const char* text : {"", "text", "<html><body><rss/></body></html>", "<a><b/></a>", "{}",
                           "{\"a\":", "{\"items\":3}", "[1]", "<urlset/>"}) {
    const auto feed = ParseFeed(text);
    ASSERT_FALSE(feed.ok()) << text;
    EXPECT_EQ(feed.status().code(), StatusCode::kCorruption);
  }
}

TEST(FeedTest, KeepsToItsLimits) {
  std::string text = "<rss><channel>";
  for (int i = 0; i < 10; i++)
    text += "<item><title>abcdefg\xC3\xA9</title><category>a</category><category>b</category></item>";
  const Feed feed = Parse(text, {.max_items = 3, .max_text_bytes = 8, .max_list = 1});
  EXPECT_EQ(feed.items.size(), 3U);
  EXPECT_EQ(feed.items_dropped, 7U);
  EXPECT_EQ(feed.items[0].title.value, "abcdefg") << "not cut within a character";
  EXPECT_EQ(feed.texts_cut, 3U);
  EXPECT_EQ(feed.items[0].categories.size(), 1U);
  const Feed json = Parse("{\"items\":[{\"id\":\"1\",\"title\":\"abcdefg\xC3\xA9\"},{\"id\":\"2\"}]}",
                          {.max_items = 1, .max_text_bytes = 8});
  EXPECT_EQ(json.items.size(), 1U);
  EXPECT_EQ(json.items_dropped, 1U);
  EXPECT_EQ(json.items[0].title.value, "abcdefg");
}

TEST(FeedTest, DoesNotLetALongBaseMultiply) {
  const std::string base = "http://a/" + std::string(100'000, 'x') + "/";
  std::string text = "<rss xml:base='" + base + "' xml:lang='" + base + "'><channel>";
  for (int i = 0; i < 1000; i++)
    text += "<item xml:base='y'><title xml:lang='z'>t</title><link>1</link></item>";
  const Feed feed = Parse(text, {.base_url = "http://b/"});
  ASSERT_EQ(feed.items.size(), 1000U);
  EXPECT_EQ(feed.items[0].link, "http://b/1");
  EXPECT_EQ(feed.language, "");
}

TEST(FeedTest, FindsAnItemWithinAnUnclosedAuthor) {
  EXPECT_EQ(
      Parse("<rss><channel><item><author>Ann<item><title>Two</title></item></channel></rss>").items.size(),
      2U);
}

TEST(FeedTest, SurvivesAnyBytes) {
  constexpr std::string_view kPieces[] = {"<rss>",
                                          "<channel>",
                                          "<item>",
                                          "</item>",
                                          "<title>",
                                          "</title>",
                                          "<link>",
                                          "</link>",
                                          "<feed>",
                                          "<entry>",
                                          "<author>",
                                          "<name>",
                                          "<category term='",
                                          "'>",
                                          "http://a/",
                                          "<div>",
                                          "</div>",
                                          "<content type='xhtml'>",
                                          "<x:y ",
                                          "&amp;",
                                          "<![CDATA[",
                                          "]]>",
                                          " xml:base='../'"};
  for (uint64_t seed = 0; seed < 3000; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    std::string input = seed % 2 == 0 ? "<rss>" : "<feed>";
    for (uint64_t n = random.Below(40); n > 0; n--) input += kPieces[random.Below(std::size(kPieces))];
    (void)ParseFeed(input, {.base_url = "http://a/b/c"}).ok();
  }
}

TEST(FeedTest, IsLinearOnHostileInput) {
  const auto expect_linear = [](std::string_view before, std::string_view piece, auto read) {
    const double growth = GrowthOfCost(256 << 10, kLinearGrowth, [&](size_t bytes) {
      std::string all(before);
      while (all.size() < bytes) all += piece;
      read(all);
    });
    EXPECT_LT(growth, kLinearGrowth) << before << piece << "...";
  };
  const auto parse = [](const std::string& text) { (void)ParseFeed(text).ok(); };
  for (const std::string_view piece :
       {"<item>", "<title>", "<entry><content type='xhtml'><div>", "<author>", "<title><div xml:base='x/'>",
        "<link href='../x'/>", "<x>", "<item><title>x</title></item>",
        "<item><description>&lt;!--</description></item>", "<category>a</category>", "<div>", "</div>"}) {
    expect_linear("<rss><channel>", piece, parse);
    expect_linear("<feed><entry><summary type='xhtml'>", piece, parse);
  }
  for (const std::string_view piece :
       {"<", "<!--", "<script>", "<style", "</", "<a href=\"", "&", "<a '", "</script"}) {
    expect_linear("", piece, [](const std::string& text) { (void)MarkupToText(text); });
  }
}

TEST(FeedTextTest, MakesTextOfMarkup) {
  EXPECT_EQ(MarkupToText("a <b>b</b>c<br>d<p>e</p>f"), "a bc d e f");
  EXPECT_EQ(MarkupToText("  a\n\n b&nbsp;&amp;&lt;c&gt; "), "a b\xC2\xA0&<c>");
  EXPECT_EQ(MarkupToText("x<script>if (a < b) '</p>'</script>y<STYLE>z</style>w<!-- v -->u"), "x y wu");
  EXPECT_EQ(MarkupToText("<a title=\"a > b\" href='#'>link</a>"), "link");
  EXPECT_EQ(MarkupToText("1 < 2, <3"), "1 < 2, <3");
  EXPECT_EQ(MarkupToText("x<script>y"), "x");
  EXPECT_EQ(MarkupToText("x<!-- y"), "x");
  EXPECT_EQ(MarkupToText(""), "");
}

TEST(FeedLinkTest, ResolvesAsBrowsersDoAndKeepsWhatIsNoUrl) {
  using internal::ResolveLink;
  EXPECT_EQ(ResolveLink("http://a/b/c?d", "../e"), "http://a/e");
  EXPECT_EQ(ResolveLink("http:///a/b", " c\n"), "http://a/c") << "a base that a browser would repair";
  EXPECT_EQ(ResolveLink("no url", "HTTP://A"), "http://a/");
  EXPECT_EQ(ResolveLink("", " g\n"), "g");
  EXPECT_EQ(ResolveLink("http://a/", "  "), "");
  EXPECT_EQ(ResolveLink("http://a/", "http://b:port/"), "http://b:port/");
}

}  // namespace
}  // namespace crivello::web
