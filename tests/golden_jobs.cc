// SPDX-License-Identifier: Apache-2.0
// The golden files of src/jobs.
#include <algorithm>
#include <cstring>

#include "base/image.h"
#include "golden.h"
#include "jobs/links/links_file.h"
#include "jobs/links/links_writer.h"

namespace crivello {
namespace {

using jobs::LinkKind;
using jobs::LinkRecord;

const jobs::LinksOrigin kLinksOrigin = {
    .tablet = {2, 2},
    .sources = {{.tablet = {1, 0}, .sequence = 300}, {.tablet = {2, 2}}, {.tablet = {2, 3}, .sequence = 7}}};

// Every kind and flag, texts that repeat, and enough links to one page for a second block.
std::vector<LinkRecord> GoldenLinks(std::vector<std::string>* sources) {
  std::vector<LinkRecord> links = {
      {.target = "example,a)https:443/", .source = "example,a)https:443/about", .text = "Home"},
      {.target = "example,a)https:443/",
       .source = "example,b)https:443/",
       .kind = LinkKind::kArea,
       .flags = jobs::link_flag::kNofollow,
       .text = "Home"},
      {.target = "example,a)https:443/old",
       .source = "example,c)http:80/",
       .kind = LinkKind::kRedirect,
       .flags = jobs::link_flag::kSourceFailed},
      {.target = "example,never-fetched)https:443/caf%C3%A9?q=1",
       .source = "example,b)https:443/",
       .kind = LinkKind::kRefresh,
       .flags = jobs::link_flag::kAll,
       .text = "caffè"},
  };
  sources->reserve(5400);  // they are viewed
  for (int i = 0; i < 5400; i++) {
    std::string digits = std::to_string(i);
    sources->push_back("example,site)https:443/page/" + std::string(6 - digits.size(), '0') + digits);
    links.push_back({.target = "example,popular)https:443/",
                     .source = sources->back(),
                     .text = i % 8 == 0 ? "a popular page" : ""});
  }
  std::stable_sort(links.begin(), links.end(),
                   [](const LinkRecord& a, const LinkRecord& b) { return a.target < b.target; });
  return links;
}

Status WriteLinks(const std::string& path) {
  std::vector<std::string> sources;
  CRV_ASSIGN(jobs::LinksWriter writer, jobs::LinksWriter::Create(path, kLinksOrigin));
  for (const LinkRecord& link : GoldenLinks(&sources)) CRV_TRY(writer.Add(link));
  return writer.Finish();
}

void CheckLinks(const std::string& path) {
  std::vector<std::string> sources;
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<jobs::LinksFile>::Open(path));
  EXPECT_EQ(file->origin(), kLinksOrigin);
  EXPECT_EQ(file->links(), 5404u);
  EXPECT_EQ(file->targets(), 4u);
  EXPECT_EQ(file->blocks(), 2u);
  EXPECT_EQ(file->Check(), Status::Ok());
  jobs::LinksCursor cursor(*file);
  for (const LinkRecord& link : GoldenLinks(&sources)) {
    ASSERT_TRUE(cursor.Next()) << cursor.status().ToString();
    EXPECT_EQ(cursor.link(), link);
  }
  EXPECT_FALSE(cursor.Next());
}

}  // namespace

std::vector<Golden> JobsGoldens() { return {{"links-v1", WriteLinks, CheckLinks}}; }

}  // namespace crivello
