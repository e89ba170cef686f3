// SPDX-License-Identifier: Apache-2.0
// A collection of pages that link to one another.  Included by _test.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/test_support.h"
#include "care/importer.h"
#include "collection/collection.h"

namespace crivello::engine {

class LinkedCollection {
 public:
  LinkedCollection() {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    options.tablets = 2;
    auto store = collection::Collection::Open(options);
    EXPECT_TRUE(store.ok()) << store.status().ToString();
    store_ = *std::move(store);
  }
  collection::Collection& operator*() { return *store_; }
  const std::string& directory() const { return store_->directory(); }

  void Put(const std::string& url, const std::vector<std::string>& links) {
    std::string html = "<title>walnut</title><p>walnut ";
    for (const std::string& link : links) html += "<a href='" + link + "'>next</a> ";
    care::Importer importer(*store_, {});
    page::DocumentLineParser parser;
    page::ImportedDocument document;
    ASSERT_EQ(parser.Parse(R"({"url": ")" + url + R"(", "html": ")" + html + R"("})", &document),
              Status::Ok());
    ASSERT_EQ(importer.Add(document), Status::Ok());
    ASSERT_EQ(importer.Finish(), Status::Ok());
  }
  // Three hosts: a and b link to c, c to a; no page links to page /2 of c, which links to b.
  void PutExample() {
    Put("https://a.example/", {"https://c.example/"});
    Put("https://b.example/", {"https://c.example/"});
    Put("https://c.example/", {"https://a.example/"});
    Put("https://c.example/2", {"https://b.example/"});
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
};

}  // namespace crivello::engine
