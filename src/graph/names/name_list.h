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

// The names of the nodes of a graph: strings that are distinct, not empty, and without NUL.  Maps nodes to
// names and names to nodes.
//
// The names are sorted (succinct/front_coded_list.h), 15 to 20 bytes for a URL.  Nodes are numbered in that
// order, or in another one given by a permutation, 2 log2(n) bits per node.  Name() and Find() take about a
// microsecond.
//
// A name can be removed (RemoveNames(), name_list_writer.h): its node remains, without a name.
//
// A view of its image (Mapped<NameList> opens a file), which must outlive this; immutable.  Whatever the
// bytes are, nothing outside the image is read and every call ends.  Format: docs/formats/name-list.md.
class NameList {
 public:
  static constexpr FileKind kFileKind = {.name = "name-list", .version = 1};
  static constexpr size_t kMaxFormBytes = 64;

  class Cursor;

  static Result<NameList> FromImage(Bytes image);

  uint64_t size() const { return names_.size(); }
  // A number that identifies this list of names in this order; it does not change when names are removed.
  uint64_t identity() const { return identity_; }
  // The kind of names, a word for the users of the list: "row-key".
  std::string_view form() const { return form_; }
  uint64_t removed() const { return removed_; }
  // Whether nodes are numbered in the order of their names.
  bool in_order() const { return !permuted_; }

  // Empty if the name was removed.  REQUIRES: node < size().
  std::string Name(Node node) const;
  std::optional<Node> Find(std::string_view name) const;
  // A cursor at the first name; at the first that is not less.
  Cursor Begin() const;
  Cursor Seek(std::string_view name) const;

  // Reads everything: Corruption if names are out of order or the permutation is invalid.
  Status Check() const;
  Description Describe() const;

 private:
  friend class Cursor;
  friend Status RemoveNames(const std::string& path, const std::function<bool(std::string_view)>& gone,
                            FileSystem& fs);
  // The node whose name has this rank, and the reverse; size() if the bytes are damaged.
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

// Iterates over names in order, skipping removed ones.  One thread at a time; the list must outlive it.
class NameList::Cursor {
 public:
  bool valid() const { return cursor_.valid(); }
  // REQUIRES for both: valid().  The name is valid until the cursor moves.
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
  // Skips removed names.
  void Settle();

  const NameList* list_;
  succinct::FrontCodedList::Cursor cursor_;
  Node node_ = 0;
};

}  // namespace crivello::graph
