// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/description.h"
#include "base/file_format.h"
#include "base/image.h"
#include "base/status.h"
#include "graph/graph.h"
#include "succinct/compact_array.h"
#include "succinct/front_coded_list.h"

namespace crivello::graph {

// The names of the nodes of a graph: strings, all different, not empty, without NUL.  The list gives the name
// of a node and the node of a name.
//
// The names are kept sorted (succinct/front_coded_list.h), 15 to 20 bytes for a URL, and nodes are numbered
// in that order, or in another one of which a permutation is kept, 2 log2(n) bits a node.  Name() and Find()
// take about a microsecond.
//
// A name can be removed (RemoveNames(), name_list_writer.h): its node stays, and has none.
//
// A view of its image (Mapped<NameList> opens a file), which must outlive it; immutable.  Whatever the bytes
// are, nothing outside the image is read and every call ends.  Format: docs/formats/name-list.md.
class NameList {
 public:
  static constexpr FileKind kFileKind = {.name = "name-list", .version = 1};
  static constexpr size_t kMaxFormBytes = 64;

  class Cursor;

  static Result<NameList> FromImage(Bytes image);

  uint64_t size() const { return names_.size(); }
  // A number that belongs to this list of names, in this order, and keeps when names are removed.
  uint64_t identity() const { return identity_; }
  // What the names are, a word for those who use them: "row-key".
  std::string_view form() const { return form_; }
  uint64_t removed() const { return removed_; }
  // Whether nodes are numbered in the order of their names.
  bool in_order() const { return !permuted_; }

  // Empty if it was removed.  REQUIRES: node < size().
  std::string Name(Node node) const;
  std::optional<Node> Find(std::string_view name) const;
  // A cursor on the first name; on the first that is not less.
  Cursor Begin() const;
  Cursor Seek(std::string_view name) const;

  // Reads all: Corruption if names are out of order or the permutation is none.
  Status Check() const;
  Description Describe() const;

 private:
  friend class Cursor;
  friend Status RemoveNames(const std::string& path, const std::function<bool(std::string_view)>& gone,
                            FileSystem& fs);
  // A node whose name has that rank, and back; size() if the bytes are damaged.
  uint64_t NodeOfRank(uint64_t rank) const;
  uint64_t RankOfNode(uint64_t node) const;

  uint64_t identity_ = 0;
  uint64_t removed_ = 0;
  uint64_t image_bytes_ = 0;
  std::string_view form_;
  bool permuted_ = false;
  succinct::FrontCodedList names_;
  succinct::CompactArray rank_of_node_;
  succinct::CompactArray node_of_rank_;
};

// Walks names in their order, without those that were removed.  One thread at a time; the list outlives it.
class NameList::Cursor {
 public:
  bool valid() const { return cursor_.valid(); }
  // REQUIRES for both: valid().  The name is good until the cursor moves.
  std::string_view name() const { return cursor_.text(); }
  Node node() const { return node_; }
  void Next() {
    cursor_.Next();
    Settle();
  }

 private:
  friend class NameList;
  Cursor(const NameList& list, succinct::FrontCodedList::Cursor cursor)
      : list_(&list), cursor_(std::move(cursor)) {
    Settle();
  }
  // Passes over what is no name.
  void Settle();

  const NameList* list_;
  succinct::FrontCodedList::Cursor cursor_;
  Node node_ = 0;
};

}  // namespace crivello::graph
