// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/external_sorter.h"
#include "base/file_system.h"
#include "base/hash.h"
#include "base/scratch_file.h"
#include "base/status.h"
#include "graph/graph.h"
#include "succinct/front_coded_list.h"

namespace crivello::graph {

// Writes a list of names (name_list.h) in order, which replaces the previous file when finished.  Memory: a
// megabyte, and half a byte per name; names are buffered in a scratch file beside it.  One thread at a
// time.
class NameListWriter {
 public:
  struct Options {
    std::string path = {};
    std::string form = {};                  // NameList::form()
    std::optional<uint64_t> identity = {};  // default: computed from these names
    FileSystem* fs = &PosixFileSystem();
  };
  static Result<NameListWriter> Create(Options options);

  // InvalidArgument if the name does not come after the previous one, is empty or contains a NUL.
  Status Add(std::string_view name);
  uint64_t size() const { return list_.size(); }
  // node_of_rank[r] is the node with the r-th name; empty: nodes are in the order of their names.  Returns
  // the identity of the list.  REQUIRES: it is a permutation of the numbers below size().
  Result<uint64_t> Finish(std::span<const Node> node_of_rank = {});

 private:
  friend Status RemoveNames(const std::string& path, const std::function<bool(std::string_view)>& gone,
                            FileSystem& fs);
  NameListWriter(Options options, ScratchFile bytes)
      : options_(std::move(options)), bytes_(std::move(bytes)) {}
  // Adds a placeholder for a removed name.
  Status AddRemoved();
  Status Append(std::string_view text);

  Options options_;
  succinct::FrontCodedListBuilder list_;
  ScratchFile bytes_;  // of the list
  Hasher64 hasher_;
  std::string last_name_;
  uint32_t removed_since_ = 0;  // since the last name
  uint64_t removed_ = 0;
};

// Takes the names of nodes 0, 1, ... in the order of the nodes and writes their list.  Unsorted names are
// sorted externally.  One thread at a time.
class NameListBuilder {
 public:
  explicit NameListBuilder(const ExternalSortOptions& sort) : sorter_(sort) {}
  // InvalidArgument if the name is empty or contains a NUL.
  Status Add(std::string_view name);
  uint64_t size() const { return nodes_; }
  // InvalidArgument, with the name, if two nodes have the same.  Memory: 12 bytes per node if they are not in
  // order.
  Result<uint64_t> WriteTo(NameListWriter::Options options);

 private:
  ExternalSorter sorter_;
  std::string record_;
  uint64_t nodes_ = 0;
};

// Rewrites the list without the names that `gone` accepts, if there are any; nodes and identity do not
// change.  Durable when it returns.  NotFound if there is no such file.
Status RemoveNames(const std::string& path, const std::function<bool(std::string_view)>& gone,
                   FileSystem& fs = PosixFileSystem());

}  // namespace crivello::graph
