// SPDX-License-Identifier: Apache-2.0
// The golden files for names and ranks of a graph's nodes.
#include "base/image.h"
#include "golden.h"
#include "graph/names/name_list.h"
#include "graph/names/name_list_writer.h"
#include "graph/rank_file.h"

namespace crivello {
namespace {

using graph::NameList;
using graph::Node;

// The names of nodes 0, 1, ...: more than a block of the list, unsorted.
std::vector<std::string> GoldenNames() {
  std::vector<std::string> names;
  for (int i = 0; i < 40; i++) {
    names.push_back("example,h" + std::to_string(i * 7 % 40) + ")https:443/" + std::string(size_t(i), 'p'));
  }
  return names;
}
bool IsGone(std::string_view name) { return name.starts_with("example,h3)"); }

Status WriteNames(const std::string& path) {
  graph::NameListBuilder builder({.folder = path + "-sort"});
  for (const std::string& name : GoldenNames()) CRV_TRY(builder.Add(name));
  CRV_TRY(builder.WriteTo({.path = path, .form = "row-key"}).status());
  return graph::RemoveNames(path, IsGone);
}

void CheckNames(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<NameList>::Open(path));
  EXPECT_EQ(file->Check(), Status::Ok());
  EXPECT_EQ(file->form(), "row-key");
  EXPECT_EQ(file->removed(), 1u);
  EXPECT_FALSE(file->in_order());
  const std::vector<std::string> names = GoldenNames();
  ASSERT_EQ(file->size(), names.size());
  for (Node node = 0; node < names.size(); node++) {
    EXPECT_EQ(file->Name(node), IsGone(names[node]) ? "" : names[node]);
    if (!IsGone(names[node])) {
      EXPECT_EQ(file->Find(names[node]), node);
    }
  }
}

const graph::RankOrigin kRankOrigin = {
    .names = "pages", .names_identity = 0x0123456789abcdef, .how = "pagerank alpha=0.85"};

void CheckRank(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<graph::RankVector>::Open(path));
  EXPECT_EQ(file->origin(), kRankOrigin);
  ASSERT_EQ(file->nodes(), 3u);
  EXPECT_EQ(file->values()[0], 0.5f);
  EXPECT_EQ(file->values()[1], 0.25f);
  EXPECT_EQ(file->values()[2], -1.0f);
}

}  // namespace

std::vector<Golden> GraphNamesGoldens() {
  return {{"name-list-v1", WriteNames, CheckNames},
          {"rank-vector-v1",
           [](const std::string& path) {
             return graph::WriteRankVector(path, kRankOrigin, std::vector<double>{0.5, 0.25, -1});
           },
           CheckRank}};
}

}  // namespace crivello
