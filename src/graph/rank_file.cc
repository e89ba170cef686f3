// SPDX-License-Identifier: Apache-2.0
#include "graph/rank_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graph/graph.h"

namespace crivello::graph {
namespace {

constexpr uint64_t kMaxTextBytes = 4096;
// Values to write at once; a multiple of the number in a word.
constexpr size_t kRankBatch = 1 << 16;

void AppendText(std::string_view text, ImageWriter& image) {
  image.Word(text.size());
  image.RawBytes(AsBytes(text));
}

Result<std::string> ReadText(ImageReader& reader, std::string_view name) {
  CRV_ASSIGN(const uint64_t size, reader.WordAtMost(kMaxTextBytes, name));
  CRV_ASSIGN(const Bytes bytes, reader.RawBytes(size));
  return std::string(AsText(bytes));
}

}  // namespace

Result<RankVector> RankVector::FromImage(Bytes image) {
  ImageReader reader(image, "rank vector");
  RankVector ranks;
  CRV_ASSIGN(const uint64_t nodes, reader.WordAtMost(kMaxNodes, "nodes"));
  CRV_ASSIGN(ranks.origin_.names_identity, reader.Word());
  CRV_ASSIGN(ranks.origin_.names, ReadText(reader, "bytes of the name of the list of names"));
  CRV_ASSIGN(ranks.origin_.how, ReadText(reader, "bytes of the text"));
  CRV_ASSIGN(const Bytes bytes, reader.RawBytes(nodes * sizeof(float)));
  CRV_TRY(reader.Finish());
  ranks.values_ = {reinterpret_cast<const float*>(bytes.data()), nodes};
  for (uint64_t node = 0; node < nodes; node++) {
    if (!std::isfinite(ranks.values_[node])) {
      return reader.Damaged(fmt::format("the value of node {} is {}", node, ranks.values_[node]));
    }
  }
  return ranks;
}

Description RankVector::Describe() const {
  Description all = {{"nodes", nodes()}, {"names", origin_.names}, {"how", origin_.how}};
  if (values_.empty()) return all;
  const auto [least, greatest] = std::minmax_element(values_.begin(), values_.end());
  double sum = 0;
  for (const float value : values_) sum += static_cast<double>(value);
  all.push_back({"least", static_cast<double>(*least)});
  all.push_back({"greatest", static_cast<double>(*greatest)});
  all.push_back({"sum", sum});
  return all;
}

Status WriteRankVector(const std::string& path, const RankOrigin& origin, std::span<const double> values,
                       FileSystem& fs) {
  if (origin.names.size() > kMaxTextBytes || origin.how.size() > kMaxTextBytes) {
    return Status::InvalidArgument(
        fmt::format("{}: a text of a rank has more than {} bytes", path, kMaxTextBytes));
  }
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, RankVector::kFileKind, fs));
  ImageWriter head;
  head.Word(values.size());
  head.Word(origin.names_identity);
  AppendText(origin.names, head);
  AppendText(origin.how, head);
  CRV_TRY(file.Append(head.bytes()));
  std::vector<float> batch;
  for (size_t begin = 0; begin < values.size(); begin += kRankBatch) {
    batch.clear();
    for (const double value : values.subspan(begin, std::min(kRankBatch, values.size() - begin))) {
      if (!std::isfinite(value)) {
        return Status::InvalidArgument(
            fmt::format("{}: the value of node {} is {}", path, begin + batch.size(), value));
      }
      constexpr double kLimit = std::numeric_limits<float>::max();
      batch.push_back(static_cast<float>(std::clamp(value, -kLimit, kLimit)));
    }
    CRV_TRY(file.Append(std::as_bytes(std::span(batch))));
  }
  return file.Finish();
}

}  // namespace crivello::graph
