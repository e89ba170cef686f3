// SPDX-License-Identifier: Apache-2.0
#include "care/rederive.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_support.h"
#include "page/page_deriver.h"
#include "store/capture.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

constexpr store::VersionTime kRederiveTime = 1'700'000'000'000'000;

class RederiveTest : public testing::Test {
 protected:
  void SetUp() override {
    collection::CollectionOptions options;
    options.directory = folder_ / "collection";
    auto store = collection::Collection::Open(options);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    store_ = std::move(store).value();
  }

  std::string KeyOf(std::string_view url) { return web::RowKey(web::CanonicalUrl(url).value()).value(); }

  // A page as left by a crawl with another version of the program: archived, with a row that has neither text
  // nor links.
  void Archive(std::string_view url, std::string_view body, store::VersionTime time, int status = 200,
               uint32_t derived_by = 1) {
    collection::Tablet& tablet = *store_->tablet(0);
    const Sha1 payload = Sha1Of(body);
    const auto origin = tablet.table().FindPayload(payload).value();
    store::RevisitOf revisit = {.url = std::string(url), .date = time / 1'000'000};
    const std::string head = fmt::format("HTTP/1.1 {} OK\r\nContent-Type: text/html\r\n\r\n", status);
    store::EncodedCapture encoded;
    store::CaptureEncoder encoder;
    ASSERT_EQ(encoder.Encode({.url = url,
                              .date = time / 1'000'000,
                              .ip = "127.0.0.1",
                              .request_head = "",
                              .response_head = head,
                              .body = body,
                              .truncated = ""},
                             payload, origin ? &revisit : nullptr, &encoded),
              Status::Ok());
    store::FetchCell fetch;
    fetch.status = static_cast<uint16_t>(status);
    fetch.payload = payload;
    fetch.record = tablet.archive()->Append(encoded).value();
    fetch.revisit = origin.has_value();
    fetch.derived_by = derived_by;
    kv::Batch batch;
    ASSERT_EQ(tablet.table().Put(KeyOf(url), {.time = time, .fetch = &fetch}, &batch), Status::Ok());
    if (!origin) tablet.table().PutPayload(payload, KeyOf(url), time, &batch);
    ASSERT_EQ(tablet.db().Write(batch, {}), Status::Ok());
  }
  std::vector<store::Row> Rows(std::string_view url) {
    return store_->tablet(0)->table().Get(KeyOf(url), {.versions = 10, .text = true, .links = true}).value();
  }
  RederiveSummary Run(bool all = false) {
    SilentProgress progress;
    return Rederive(*store_, {.all = all}, progress).value();
  }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
};

constexpr std::string_view kPage =
    "<html lang=en><title>Sieves</title><meta name=robots content=noarchive>"
    "<nav><a href=/>Home</a> <a href=/all>All pages</a></nav>"
    "<article><h1>Sieves</h1><p>A sieve lets each address through once, and never again, however often it "
    "is found on the pages of the web.</p></article>";

TEST_F(RederiveTest, FillsRowsFromTheArchive) {
  Archive("https://a.example/x", kPage, kRederiveTime);
  const RederiveSummary summary = Run();
  EXPECT_EQ(summary.versions, 1u);
  EXPECT_EQ(summary.remade, 1u);
  EXPECT_EQ(summary.failed, 0u);
  const std::vector<store::Row> rows = Rows("https://a.example/x");
  ASSERT_EQ(rows.size(), 1u);
  const store::Row& row = rows.front();
  EXPECT_EQ(row.time, kRederiveTime);
  EXPECT_EQ(row.fetch.derived_by, page::kDerivedBy);
  EXPECT_TRUE(row.fetch.noarchive);
  EXPECT_NE(row.fetch.text_digest, 0u);
  ASSERT_TRUE(row.text.has_value());
  EXPECT_EQ((*row.text)->title, "Sieves");
  EXPECT_EQ((*row.text)->language, "en");
  const std::string text = (*row.text)->MainText();
  EXPECT_NE(text.find("lets each address through"), std::string::npos);
  EXPECT_EQ(text.find("All pages"), std::string::npos) << text;
  ASSERT_TRUE(row.links.has_value());
  EXPECT_EQ(row.links->size(), 2u);

  EXPECT_EQ(Run().remade, 0u);  // it is up to date now
  EXPECT_EQ(Run(true).remade, 1u);
}

TEST_F(RederiveTest, FindsTheURLThatAPageSaysIsItsOwn) {
  Archive("https://a.example/print?id=7", "<link rel=canonical href=/7><p>A page to be printed.",
          kRederiveTime);
  Archive("https://a.example/7", "<link rel=canonical href=/7><p>The page itself.", kRederiveTime);
  EXPECT_EQ(Run().remade, 2u);
  EXPECT_EQ(Rows("https://a.example/print?id=7").front().fetch.canonical, "https://a.example/7");
  EXPECT_EQ(Rows("https://a.example/7").front().fetch.canonical, "");
}

// As after a crawl that was killed: what was learnt of the site before some page is lost, or is more than
// what the other crawl had learnt.
TEST_F(RederiveTest, MakesTheSameTextsWhateverWasLearntBefore) {
  const auto page = [](int i) {
    std::string html =
        "<html lang=en><title>Page</title><div>Home of the harbour, All pages of it, Contact</div><article>";
    for (int p = 0; p < 4; ++p)
      html += fmt::format("<p>Paragraph {} of page {} says what no other one says.</p>", p, i * 31);
    return html + "</article><div>l1 l2 l3 of the lighthouse keepers and their families</div>";
  };
  constexpr int kPages = 12;
  for (int i = 0; i < kPages; ++i) Archive(fmt::format("https://a.example/{:02}", i), page(i), kRederiveTime);
  const auto texts = [&] {
    std::vector<std::string> found;
    for (int i = 0; i < kPages; ++i) {
      found.push_back((*Rows(fmt::format("https://a.example/{:02}", i)).front().text)->MainText());
    }
    return found;
  };
  Run();  // with nothing learnt
  const std::vector<std::string> unlearnt = texts();
  Run(true);
  const std::vector<std::string> learnt = texts();
  EXPECT_NE(learnt, unlearnt) << "the pages of this test have nothing in common that is learnt";
  Run(true);
  EXPECT_EQ(texts(), learnt);
  // Something else was learnt about the site.
  page::PageDeriver deriver({});
  const web::Url url = web::CanonicalUrl("https://a.example/00").value();
  const web::HttpResponse head = web::ParseHttpResponse("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
  for (int i = 0; i < 40; ++i) {
    const std::string body = page(0);
    ASSERT_TRUE(deriver
                    .Derive({.url = url, .fields = head.fields, .body = body, .now = 1},
                            store_->tablet(0)->templates())
                    .ok());
  }
  Run(true);
  EXPECT_EQ(texts(), learnt);
}

TEST_F(RederiveTest, RemakesEachVersionFromItsOwnRecord) {
  Archive("https://a.example/x", "<p>The first version of this page tells of one thing.", kRederiveTime);
  Archive("https://a.example/x", "<p>The second version of it tells of another thing.",
          kRederiveTime + 1'000'000);
  // The first body again, on another page: archived as a revisit, without it.
  Archive("https://a.example/y", "<p>The first version of this page tells of one thing.",
          kRederiveTime + 2'000'000);
  EXPECT_EQ(Run().remade, 3u);
  const std::vector<store::Row> rows = Rows("https://a.example/x");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NE((*rows[0].text)->MainText().find("second version"), std::string::npos);
  EXPECT_NE((*rows[1].text)->MainText().find("first version"), std::string::npos);
  EXPECT_EQ(store_->tablet(0)->table().Newest(KeyOf("https://a.example/x")).value(),
            kRederiveTime + 1'000'000);
  const std::vector<store::Row> revisits = Rows("https://a.example/y");
  ASSERT_EQ(revisits.size(), 1u);
  EXPECT_TRUE(revisits[0].fetch.revisit);
  EXPECT_EQ((*revisits[0].text)->MainText(), (*rows[1].text)->MainText());
  EXPECT_EQ(revisits[0].fetch.text_digest, rows[1].fetch.text_digest);
}

TEST_F(RederiveTest, LeavesErrorsAloneAndTellsOfRecordsThatAreGone) {
  Archive("https://a.example/missing", "<p>No such page.", kRederiveTime, 404);
  Archive("https://a.example/gone", "<p>A page whose record will be gone.", kRederiveTime);
  collection::Tablet& tablet = *store_->tablet(0);
  store::FetchCell fetch = Rows("https://a.example/gone").front().fetch;
  fetch.record.file = 77;
  kv::Batch batch;
  tablet.table().Replace(KeyOf("https://a.example/gone"), {.time = kRederiveTime, .fetch = &fetch}, &batch);
  ASSERT_EQ(tablet.db().Write(batch, {}), Status::Ok());

  const RederiveSummary summary = Run();
  EXPECT_EQ(summary.versions, 2u);
  EXPECT_EQ(summary.remade, 0u);
  EXPECT_EQ(summary.failed, 1u);
  ASSERT_EQ(summary.sentences.size(), 1u);
  EXPECT_NE(summary.sentences[0].find("gone"), std::string::npos);
  EXPECT_FALSE(Rows("https://a.example/missing").front().text.has_value());
}

}  // namespace
}  // namespace crivello::care
