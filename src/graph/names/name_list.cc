// SPDX-License-Identifier: Apache-2.0
#include "graph/names/name_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace crivello::graph {
namespace {

bool IsRemoved(std::string_view text) { return text.find('\0') != std::string_view::npos; }

}  // namespace

Result<NameList> NameList::FromImage(Bytes image) {
  ImageReader reader(image, "list of names");
  NameList list;
  list.image_bytes_ = image.size();
  CRV_ASSIGN(list.identity_, reader.Word());
  CRV_ASSIGN(list.removed_, reader.WordAtMost(kMaxNodes, "removed names"));
  CRV_ASSIGN(const uint64_t form_bytes, reader.WordAtMost(kMaxFormBytes, "bytes of the form"));
  CRV_ASSIGN(const Bytes form, reader.RawBytes(form_bytes));
  list.form_ = AsText(form);
  CRV_ASSIGN(const uint64_t permuted, reader.WordAtMost(1, "mark of a permutation"));
  list.permuted_ = permuted == 1;
  if (list.permuted_) {
    CRV_ASSIGN(list.rank_of_node_, succinct::CompactArray::ReadFrom(reader));
    CRV_ASSIGN(list.node_of_rank_, succinct::CompactArray::ReadFrom(reader));
  }
  CRV_ASSIGN(list.names_, succinct::FrontCodedList::ReadFrom(reader));
  CRV_TRY(reader.Finish());
  const uint64_t names = list.names_.size();
  if (names > kMaxNodes || list.removed_ > names ||
      (list.permuted_ && (list.rank_of_node_.size() != names || list.node_of_rank_.size() != names))) {
    return reader.Damaged(fmt::format("{} names, {} removed, and a permutation of {}", names, list.removed_,
                                      list.rank_of_node_.size()));
  }
  return list;
}

uint64_t NameList::NodeOfRank(uint64_t rank) const {
  return permuted_ ? std::min(node_of_rank_[rank], size()) : rank;
}

uint64_t NameList::RankOfNode(uint64_t node) const {
  return permuted_ ? std::min(rank_of_node_[node], size()) : node;
}

std::string NameList::Name(Node node) const {
  std::string name(names_.At(RankOfNode(node)).text());
  if (IsRemoved(name)) name.clear();
  return name;
}

std::optional<Node> NameList::Find(std::string_view name) const {
  if (IsRemoved(name)) return std::nullopt;
  const succinct::FrontCodedList::Cursor cursor = names_.Seek(name);
  if (!cursor.valid() || cursor.text() != name) return std::nullopt;
  const uint64_t node = NodeOfRank(cursor.rank());
  if (node >= size()) return std::nullopt;
  return static_cast<Node>(node);
}

NameList::Cursor NameList::Begin() const { return {*this, names_.At(0)}; }
NameList::Cursor NameList::Seek(std::string_view name) const { return {*this, names_.Seek(name)}; }

void NameList::Cursor::Settle() {
  for (; cursor_.valid(); cursor_.Next()) {
    if (IsRemoved(cursor_.text())) continue;
    const uint64_t node = list_->NodeOfRank(cursor_.rank());
    if (node >= list_->size()) continue;
    node_ = static_cast<Node>(node);
    return;
  }
}

Status NameList::Check() const {
  std::string last;
  uint64_t rank = 0;
  uint64_t removed = 0;
  for (auto cursor = names_.At(0); cursor.valid(); cursor.Next(), rank++) {
    if (rank > 0 && cursor.text() <= last) {
      return Status::Corruption(fmt::format("name {} of {} is out of order", rank, size()));
    }
    last = cursor.text();
    if (IsRemoved(last)) removed++;
    const uint64_t node = NodeOfRank(rank);
    if (node >= size() || RankOfNode(node) != rank) {
      return Status::Corruption(fmt::format("the number of name {} of {} is damaged", rank, size()));
    }
  }
  if (rank != size() || removed != removed_) {
    return Status::Corruption(fmt::format("found {} names and {} removed ones, expected {} and {}", rank,
                                          removed, size(), removed_));
  }
  return Status::Ok();
}

Description NameList::Describe() const {
  Description all = {{"names", size()},
                     {"form", std::string(form_)},
                     {"identity", fmt::format("{:016x}", identity_)},
                     {"in-order", in_order() ? "yes" : "no"},
                     {"removed", removed_}};
  if (size() > 0) {
    all.push_back({"bytes-per-name", static_cast<double>(image_bytes_) / static_cast<double>(size())});
    all.push_back({"first", std::string(Begin().valid() ? Begin().name() : std::string_view())});
  }
  return all;
}

}  // namespace crivello::graph
