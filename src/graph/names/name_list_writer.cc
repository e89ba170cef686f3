// SPDX-License-Identifier: Apache-2.0
#include "graph/names/name_list_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/image.h"
#include "graph/names/name_list.h"

namespace crivello::graph {
namespace {

constexpr uint64_t kHeldBytes = 1 << 20;

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Appends a number so that bytes compare like numbers.
void AppendBigEndian(uint32_t number, std::string* out) {
  for (const int shift : {24, 16, 8, 0}) out->push_back(static_cast<char>(number >> shift & 0xff));
}

uint32_t LoadBigEndian(std::string_view bytes) {
  uint32_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

}  // namespace

Result<NameListWriter> NameListWriter::Create(Options options) {
  if (options.form.size() > NameList::kMaxFormBytes) {
    return Status::InvalidArgument(fmt::format("{}: the form of names has {} bytes, at most {} are possible",
                                               options.path, options.form.size(), NameList::kMaxFormBytes));
  }
  CRV_ASSIGN(ScratchFile bytes, ScratchFile::Create(FolderOf(options.path), *options.fs));
  return NameListWriter(std::move(options), std::move(bytes));
}

Status NameListWriter::Append(std::string_view text) {
  list_.Add(text);
  if (list_.held_bytes() < kHeldBytes) return Status::Ok();
  return bytes_.Append(AsBytes(list_.TakeBytes()));
}

Status NameListWriter::Add(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) {
    return Status::InvalidArgument(
        fmt::format("{}: a name of a node is empty or holds a NUL", options_.path));
  }
  if (list_.size() == kMaxNodes) {
    return Status::InvalidArgument(fmt::format("{}: more than {} names", options_.path, kMaxNodes));
  }
  if (list_.size() > 0 && name <= std::string_view(list_.last())) {
    return Status::InvalidArgument(
        name == list_.last() ? fmt::format("{}: two nodes are named '{}'", options_.path, name)
                             : fmt::format("{}: the name '{}' comes too late", options_.path, name));
  }
  last_name_ = name;
  removed_since_ = 0;
  hasher_.Update(AsBytes(name));
  hasher_.Update(AsBytes(std::string_view("\0", 1)));
  return Append(name);
}

// Sorts between the last name and the next, because these contain no NUL, and reveals nothing of the name.
Status NameListWriter::AddRemoved() {
  std::string place = last_name_;
  place += '\0';
  AppendBigEndian(removed_since_++, &place);
  removed_++;
  return Append(place);
}

Result<uint64_t> NameListWriter::Finish(std::span<const Node> node_of_rank) {
  assert(node_of_rank.empty() || node_of_rank.size() == list_.size());
  CRV_TRY(bytes_.Append(AsBytes(list_.TakeBytes())));
  if (!node_of_rank.empty()) hasher_.Update(std::as_bytes(node_of_rank));
  const uint64_t identity = options_.identity.value_or(hasher_.Digest());
  ImageWriter front;
  front.Word(identity);
  front.Word(removed_);
  front.Word(options_.form.size());
  front.RawBytes(AsBytes(options_.form));
  front.Word(node_of_rank.empty() ? 0 : 1);
  if (!node_of_rank.empty()) {
    const auto width = std::max(1u, static_cast<unsigned>(std::bit_width(list_.size() - 1)));
    std::vector<Node> rank_of_node(node_of_rank.size());
    for (size_t rank = 0; rank < node_of_rank.size(); rank++) {
      rank_of_node[node_of_rank[rank]] = static_cast<Node>(rank);
    }
    for (const std::span<const Node> numbers : {std::span<const Node>(rank_of_node), node_of_rank}) {
      succinct::CompactArrayBuilder packed(width);
      for (const Node number : numbers) packed.Add(number);
      packed.AppendTo(front);
    }
  }
  list_.AppendFrontTo(front);
  CRV_ASSIGN(auto file, FormatFileWriter::Create(options_.path, NameList::kFileKind, *options_.fs));
  CRV_TRY(file.Append(front.bytes()));
  std::vector<std::byte> buffer(kHeldBytes);
  for (uint64_t at = 0; at < bytes_.size();) {
    CRV_ASSIGN(const size_t read, bytes_.input().Read(at, buffer));
    if (read == 0) return Status::IoError(fmt::format("{}: its scratch file was cut", options_.path));
    CRV_TRY(file.Append(std::span(buffer).first(read)));
    at += read;
  }
  CRV_TRY(file.Finish());
  return identity;
}

Status NameListBuilder::Add(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) {
    return Status::InvalidArgument(fmt::format("the name of node {} is empty or holds a NUL", nodes_));
  }
  if (nodes_ == kMaxNodes) return Status::InvalidArgument(fmt::format("more than {} names", kMaxNodes));
  record_.assign(name);
  record_ += '\0';
  AppendBigEndian(static_cast<uint32_t>(nodes_++), &record_);
  return sorter_.Add(record_);
}

Result<uint64_t> NameListBuilder::WriteTo(NameListWriter::Options options) {
  CRV_ASSIGN(NameListWriter writer, NameListWriter::Create(std::move(options)));
  CRV_TRY(sorter_.Sort());
  std::vector<Node> node_of_rank;  // from the first unsorted name on
  while (sorter_.Next()) {
    const std::string_view record = sorter_.record();
    constexpr size_t kTail = 1 + sizeof(uint32_t);
    const uint64_t rank = writer.size();
    const Node node = LoadBigEndian(record.substr(record.size() - sizeof(uint32_t)));
    CRV_TRY(writer.Add(record.substr(0, record.size() - kTail)));
    if (node_of_rank.empty() && node == rank) continue;
    if (node_of_rank.empty()) {
      node_of_rank.reserve(nodes_);
      for (uint64_t before = 0; before < rank; before++) node_of_rank.push_back(static_cast<Node>(before));
    }
    node_of_rank.push_back(node);
  }
  CRV_TRY(sorter_.status());
  return writer.Finish(node_of_rank);
}

Status RemoveNames(const std::string& path, const std::function<bool(std::string_view)>& gone,
                   FileSystem& fs) {
  CRV_ASSIGN(const auto file, Mapped<NameList>::Open(path, {.pattern = AccessPattern::kSequential}));
  const NameList& list = *file;
  bool any = false;
  for (NameList::Cursor cursor = list.Begin(); cursor.valid() && !any; cursor.Next())
    any = gone(cursor.name());
  if (!any) return Status::Ok();
  CRV_ASSIGN(NameListWriter writer,
             NameListWriter::Create(
                 {.path = path, .form = std::string(list.form()), .identity = list.identity(), .fs = &fs}));
  for (auto cursor = list.names_.At(0); cursor.valid(); cursor.Next()) {
    const bool keep = cursor.text().find('\0') == std::string::npos && !gone(cursor.text());
    CRV_TRY(keep ? writer.Add(cursor.text()) : writer.AddRemoved());
  }
  if (writer.size() != list.size()) return Status::Corruption(fmt::format("{}: names are missing", path));
  std::vector<Node> node_of_rank;
  if (!list.in_order()) {
    CRV_TRY(list.Check().WithContext(path));
    for (uint64_t rank = 0; rank < list.size(); rank++) {
      node_of_rank.push_back(static_cast<Node>(list.NodeOfRank(rank)));
    }
  }
  return writer.Finish(node_of_rank).status();
}

}  // namespace crivello::graph
