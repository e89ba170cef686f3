// SPDX-License-Identifier: Apache-2.0
#include "index/terms/term_dictionary.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::index {
namespace {

constexpr unsigned kSignatureBits = 8;

}  // namespace

TermDictionaryBuilder::TermDictionaryBuilder(const succinct::StaticFunctionOptions& function)
    : map_({.signature_bits = kSignatureBits, .function = function}) {}

Status TermDictionaryBuilder::Add(std::string_view term, uint64_t start) {
  if (!starts_.empty() && start < starts_.back()) {
    return Status::InvalidArgument(fmt::format("term dictionary: the list of term {} starts at {}, before {}",
                                               size(), start, starts_.back()));
  }
  CRV_TRY(map_.Add(term));
  list_.Add(term);
  starts_.push_back(start);
  return Status::Ok();
}

Result<ImageWriter> TermDictionaryBuilder::Build() const {
  CRV_ASSIGN(const ImageWriter map, map_.Build());
  ImageWriter image;
  image.Nested(map);
  succinct::EliasFanoBuilder starts(starts_.size(), starts_.empty() ? 0 : starts_.back());
  for (const uint64_t start : starts_) starts.Add(start);
  CRV_TRY(starts.AppendTo(image));
  list_.AppendTo(image);
  return image;
}

Result<TermDictionary> TermDictionary::FromImage(Bytes image) {
  ImageReader reader(image, "term dictionary");
  CRV_ASSIGN(const Bytes nested, reader.Nested());
  CRV_ASSIGN(succinct::TermMap map, succinct::TermMap::FromImage(nested));
  TermDictionary dictionary(std::move(map));
  CRV_ASSIGN(dictionary.starts_, succinct::EliasFano::ReadFrom(reader));
  CRV_ASSIGN(dictionary.list_, succinct::FrontCodedList::ReadFrom(reader));
  CRV_TRY(reader.Finish());
  if (dictionary.map_.size() != dictionary.size() || dictionary.starts_.size() != dictionary.size()) {
    return reader.Damaged(fmt::format("{} terms, {} ranks and {} starts", dictionary.size(),
                                      dictionary.map_.size(), dictionary.starts_.size()));
  }
  dictionary.map_bytes_ = nested.size();
  dictionary.image_bytes_ = image.size();
  return dictionary;
}

std::optional<TermEntry> TermDictionary::Find(std::string_view term) const {
  const auto rank = map_.Rank(term);
  if (!rank) return std::nullopt;
  const uint64_t start = starts_.Access(*rank);  // first, so its cache misses overlap with those of the list
  if (!list_.IsAt(*rank, term)) return std::nullopt;
  return TermEntry{*rank, start};
}

Description TermDictionary::Describe() const {
  const auto bits = [this](uint64_t bytes) {
    return 8 * static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(size(), 1));
  };
  return {{"terms", size()},
          {"first", size() > 0 ? TermAt(0) : std::string()},
          {"last", size() > 0 ? TermAt(size() - 1) : std::string()},
          {"bits-per-term", bits(image_bytes_)},
          {"map-bits-per-term", bits(map_bytes_)},
          {"list-bits-per-term", bits(list_.bytes())}};
}

}  // namespace crivello::index
