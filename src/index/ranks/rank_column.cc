// SPDX-License-Identifier: Apache-2.0
#include "index/ranks/rank_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace crivello::index {
namespace {

std::vector<uint8_t> BlockMaxima(std::span<const uint8_t> codes) {
  std::vector<uint8_t> maxima;
  for (size_t begin = 0; begin < codes.size(); begin += RankColumn::kBlock) {
    const auto block = codes.subspan(begin, std::min<size_t>(RankColumn::kBlock, codes.size() - begin));
    maxima.push_back(*std::max_element(block.begin(), block.end()));
  }
  return maxima;
}

std::span<const uint8_t> AsCodes(Bytes bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<RankColumn> RankColumn::FromImage(Bytes image) {
  ImageReader reader(image, "rank column");
  RankColumn column;
  column.image_ = image;
  CRV_ASSIGN(column.scale_, RankScale::ReadFrom(reader));
  CRV_ASSIGN(const uint64_t documents, reader.WordAtMost(kEndDoc, "documents"));
  CRV_ASSIGN(const Bytes codes, reader.RawBytes(documents));
  CRV_ASSIGN(const Bytes maxima, reader.RawBytes((documents + kBlock - 1) / kBlock));
  CRV_TRY(reader.Finish());
  column.codes_ = AsCodes(codes);
  column.block_maxima_ = AsCodes(maxima);
  column.tail_maxima_.assign(column.block_maxima_.begin(), column.block_maxima_.end());
  for (size_t i = column.tail_maxima_.size(); i-- > 1;)
    column.tail_maxima_[i - 1] = std::max(column.tail_maxima_[i - 1], column.tail_maxima_[i]);
  return column;
}

Result<std::shared_ptr<const RankColumn>> RankColumn::Open(const std::string& path, Verify verify) {
  CRV_ASSIGN(FormatFile file, FormatFile::Open(path, kFileKind, {.verify = verify}));
  Result<RankColumn> column = FromImage(file.payload());
  if (!column.ok()) return column.status().WithContext(path);
  column->file_.emplace(std::move(file));
  return std::shared_ptr<const RankColumn>(std::make_shared<const RankColumn>(*std::move(column)));
}

std::shared_ptr<const RankColumn> RankColumn::Make(const RankScale& scale, std::span<const uint8_t> codes) {
  ImageWriter image;
  scale.AppendTo(image);
  image.Word(codes.size());
  image.RawBytes(std::as_bytes(codes));
  const std::vector<uint8_t> maxima = BlockMaxima(codes);
  image.RawBytes(std::as_bytes(std::span(maxima)));
  std::vector<uint64_t> words = std::move(image).Release();
  RankColumn column = *FromImage(std::as_bytes(std::span(words)));  // cannot fail: we just made it
  column.words_ = std::move(words);
  return std::make_shared<const RankColumn>(std::move(column));
}

Status RankColumn::Check() const {
  const std::vector<uint8_t> maxima = BlockMaxima(codes_);
  for (size_t i = 0; i < maxima.size(); i++) {
    if (maxima[i] != block_maxima_[i])
      return Status::Corruption(fmt::format("rank {}: block {} has another maximum", name(), i));
  }
  return Status::Ok();
}

Description RankColumn::Describe() const {
  Description description = scale_.Describe();
  description.push_back({"documents", uint64_t{documents()}});
  return description;
}

}  // namespace crivello::index
