// SPDX-License-Identifier: Apache-2.0
#include "kv/levels.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/table_properties.h>

#include <cstdarg>
#include <filesystem>
#include <memory>
#include <utility>

#include "kv/open_rocksdb.h"

namespace crivello::kv {
namespace {

namespace fs = std::filesystem;

uint64_t NumberOf(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, const std::string& property) {
  uint64_t number = 0;
  return db.GetIntProperty(family, property, &number) ? number : 0;
}

LevelStats InMemory(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family) {
  LevelStats memory = {.family = family->GetName()};
  for (const char* which : {"active", "imm"}) {
    const std::string table =
        std::string(which) + (std::string(which) == "imm" ? "-mem-tables" : "-mem-table");
    memory.entries += NumberOf(db, family, "rocksdb.num-entries-" + table);
    memory.tombstones += NumberOf(db, family, "rocksdb.num-deletes-" + table);
  }
  memory.files = memory.entries > 0 ? 1 : 0;
  memory.bytes = memory.entries > 0 ? NumberOf(db, family, "rocksdb.cur-size-all-mem-tables") : 0;
  return memory;
}

// Allows a log with merges to be replayed, whatever they mean: entries are counted, and values ignored.
class AnyMerge final : public rocksdb::AssociativeMergeOperator {
 public:
  const char* Name() const override { return "crivello.any"; }
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice*, const rocksdb::Slice& value, std::string* result,
             rocksdb::Logger*) const override {
    result->assign(value.data(), value.size());
    return true;
  }
};

// RocksDB writes a text log beside the data, but reading must not change the folder.
class NoLogBeside final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

// A database opened for reading, closed in the right order.
struct ReadDatabase {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;

  ~ReadDatabase() {
    for (rocksdb::ColumnFamilyHandle* handle : handles)
      db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
};

}  // namespace

bool IsDatabase(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_regular_file(fs::path(path) / "CURRENT", error);
}

Result<std::vector<LevelStats>> DescribeLevels(const std::string& path) {
  if (!IsDatabase(path)) return Status::NotFound(path + " is not a database");
  std::vector<std::string> names;
  if (const auto listed = rocksdb::DB::ListColumnFamilies({}, path, &names); !listed.ok())
    return FromRocksDb(listed, path);
  rocksdb::DBOptions options;
  options.info_log = std::make_shared<NoLogBeside>();
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) {
    rocksdb::ColumnFamilyOptions family;
    family.merge_operator = std::make_shared<AnyMerge>();
    families.emplace_back(name, family);
  }
  ReadDatabase read;
  rocksdb::DB* db = nullptr;
  if (const auto opened = rocksdb::DB::OpenForReadOnly(options, path, families, &read.handles, &db);
      !opened.ok())
    return FromRocksDb(opened, path);
  read.db.reset(db);

  std::vector<LevelStats> levels;
  for (rocksdb::ColumnFamilyHandle* const handle : read.handles) {
    if (LevelStats memory = InMemory(*db, handle); memory.entries > 0) levels.push_back(std::move(memory));
    rocksdb::ColumnFamilyMetaData files;
    db->GetColumnFamilyMetaData(handle, &files);
    rocksdb::TablePropertiesCollection tables;
    if (const auto found = db->GetPropertiesOfAllTables(handle, &tables); !found.ok())
      return FromRocksDb(found, path);
    for (const rocksdb::LevelMetaData& level : files.levels) {
      if (level.files.empty()) continue;
      LevelStats stats = {
          .family = files.name, .level = level.level, .files = level.files.size(), .bytes = level.size};
      for (const rocksdb::SstFileMetaData& file : level.files) {
        for (const auto& [name, table] : tables) {
          if (!name.ends_with(file.name)) continue;
          stats.entries += table->num_entries;
          stats.tombstones += table->num_deletions;
          stats.filter_bytes += table->filter_size;
          stats.index_bytes += table->index_size;
        }
      }
      levels.push_back(std::move(stats));
    }
  }
  return levels;
}

}  // namespace crivello::kv
