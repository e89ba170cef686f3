// SPDX-License-Identifier: Apache-2.0
#include "index/build/posting_run.h"

#include <algorithm>
#include <cstring>

namespace crivello::index {
namespace {

constexpr size_t kChecksumBytes = 8;
constexpr size_t kRunBufferBytes = size_t{64} << 10;
// For a number of up to 33 bits.
constexpr size_t kMaxNumberBytes = 5;

uint8_t* PutNumber(uint64_t value, uint8_t* to) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to++ = static_cast<uint8_t>(value);
  return to;
}

void AppendNumber(uint64_t value, std::vector<uint8_t>* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

// Takes a number from the front; ~0 if there is none of at most kMaxNumberBytes bytes.
constexpr uint64_t kNoNumber = ~uint64_t{0};
inline uint64_t TakeNumber(const uint8_t*& at, const uint8_t* end) {
  if (at < end && *at < 0x80) [[likely]]
    return *at++;
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 7 * kMaxNumberBytes && at < end; shift += 7) {
    const uint64_t byte = *at++;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return kNoNumber;
}

uint8_t* PutPostings(PostingContents contents, std::span<const uint64_t> occurrences, uint8_t* to) {
  uint64_t next = 0;  // the least document that may come next
  for (size_t i = 0; i < occurrences.size();) {
    const uint64_t doc = occurrences[i] >> 32;
    size_t end = i + 1;
    while (end < occurrences.size() && occurrences[end] >> 32 == doc) end++;
    const uint64_t gap = doc - next;
    next = doc + 1;
    if (contents == PostingContents::kDocuments) {
      to = PutNumber(gap, to);
    } else {
      to = PutNumber(gap << 1 | (end - i == 1 ? 1 : 0), to);
      if (end - i > 1) to = PutNumber(end - i - 2, to);
    }
    if (contents == PostingContents::kPositions) {
      uint32_t least = 0;
      for (size_t j = i; j < end; j++) {
        const auto position = static_cast<uint32_t>(occurrences[j]);
        to = PutNumber(position - least, to);
        least = position + 1;
      }
    }
    i = end;
  }
  return to;
}

}  // namespace

RunWriter::RunWriter(PostingContents contents, std::span<const uint32_t> lengths, std::vector<uint8_t>* out)
    : contents_(contents), out_(out), start_(out->size()) {
  AppendNumber(lengths.size(), out_);
  if (contents_ == PostingContents::kDocuments) return;
  for (const uint32_t length : lengths) AppendNumber(length, out_);
}

void RunWriter::Add(std::string_view term, std::span<const uint64_t> occurrences) {
  const size_t shared = static_cast<size_t>(
      std::mismatch(last_.begin(), last_.end(), term.begin(), term.end()).first - last_.begin());
  AppendNumber(shared, out_);
  AppendNumber(term.size() - shared, out_);
  out_->insert(out_->end(), term.begin() + static_cast<std::ptrdiff_t>(shared), term.end());
  last_.assign(term);
  // A posting takes two numbers, and one per occurrence.
  postings_.resize(std::max(postings_.size(), 3 * kMaxNumberBytes * occurrences.size()));
  const uint8_t* end = PutPostings(contents_, occurrences, postings_.data());
  AppendNumber(static_cast<uint64_t>(end - postings_.data()), out_);
  out_->insert(out_->end(), const_cast<const uint8_t*>(postings_.data()), end);
}

void RunWriter::Finish() {
  const uint64_t hash = Hash64(std::as_bytes(std::span(*out_)).subspan(start_));
  for (unsigned i = 0; i < kChecksumBytes; i++) out_->push_back(static_cast<uint8_t>(hash >> 8 * i));
}

RunReader::RunReader(PostingContents contents, const RunPlace& place) : contents_(contents), place_(place) {
  if (place_.file != nullptr) return;
  place_.size = place_.memory.size();
  if (place_.size < kChecksumBytes) return;
  buffered_ = place_.memory.first(place_.size - kChecksumBytes);
  hasher_.Update(buffered_);
  read_ = buffered_.size();
}

Status RunReader::Damaged(std::string_view why) const {
  std::string where = place_.file != nullptr ? place_.file->path() : "in memory";
  return Status::Corruption("run, " + where + ", byte " + std::to_string(place_.offset + read_ - left()) +
                            ": " + std::string(why));
}

// Makes the buffer hold at least this many bytes from at_ on, or all that are left.
Status RunReader::NeedBytes(size_t bytes) {
  if (place_.size < kChecksumBytes) return Damaged("truncated");
  const uint64_t unread = place_.size - kChecksumBytes - read_;
  if (left() >= bytes || unread == 0) return Status::Ok();
  const size_t kept = left();
  if (kept > 0) std::memmove(buffer_.data(), buffer_.data() + at_, kept);
  const size_t more =
      static_cast<size_t>(std::min<uint64_t>(unread, std::max(bytes - kept, kRunBufferBytes)));
  if (buffer_.size() < kept + more) buffer_.resize(kept + more);
  CRV_ASSIGN(const size_t got,
             place_.file->Read(place_.offset + read_, std::span(buffer_).subspan(kept, more)));
  if (got < more) return Damaged("the file is truncated");
  buffered_ = Bytes(buffer_).first(kept + more);
  hasher_.Update(buffered_.subspan(kept));
  at_ = 0;
  read_ += more;
  return Status::Ok();
}

Result<uint64_t> RunReader::Number(uint64_t limit) {
  if (left() < kMaxNumberBytes) CRV_TRY(NeedBytes(kMaxNumberBytes));
  const auto* begin = reinterpret_cast<const uint8_t*>(buffered_.data());
  const uint8_t* at = begin + at_;
  const uint64_t value = TakeNumber(at, begin + buffered_.size());
  at_ = static_cast<size_t>(at - begin);
  if (value > limit) return Damaged("impossible number");
  return value;
}

Result<DocId> RunReader::ReadLengths(std::vector<uint32_t>* lengths) {
  CRV_ASSIGN(const uint64_t documents, Number(kEndDoc));
  if (contents_ != PostingContents::kDocuments) {
    if (documents > place_.size) return Damaged("more documents than bytes");
    for (uint64_t i = 0; i < documents; i++) {
      CRV_ASSIGN(const uint64_t length, Number(kEndDoc));
      lengths->push_back(static_cast<uint32_t>(length));
    }
  }
  return static_cast<DocId>(documents);
}

Result<bool> RunReader::Next() {
  at_ += postings_bytes_;
  postings_bytes_ = 0;
  if (left() == 0) CRV_TRY(NeedBytes(1));
  if (left() == 0) {
    std::array<std::byte, kChecksumBytes> checksum;
    if (place_.file != nullptr) {
      CRV_ASSIGN(const size_t got, place_.file->Read(place_.offset + read_, checksum));
      if (got < kChecksumBytes) return Damaged("the file is truncated");
    } else {
      std::memcpy(checksum.data(), place_.memory.data() + read_, kChecksumBytes);
    }
    uint64_t hash = 0;
    std::memcpy(&hash, checksum.data(), sizeof(hash));
    if (hash != hasher_.Digest()) return Damaged("checksum mismatch");
    return false;
  }
  CRV_ASSIGN(const uint64_t shared, Number(term_.size()));
  CRV_ASSIGN(const uint64_t more, Number(place_.size));
  CRV_TRY(NeedBytes(static_cast<size_t>(more)));
  if (left() < more) return Damaged("truncated term");
  const std::string_view suffix = AsText(buffered_.subspan(at_, static_cast<size_t>(more)));
  if (started_ && suffix <= std::string_view(term_).substr(static_cast<size_t>(shared))) {
    return Damaged("terms do not increase");
  }
  term_.resize(static_cast<size_t>(shared));
  term_.append(suffix);
  started_ = true;
  at_ += more;
  CRV_ASSIGN(const uint64_t bytes, Number(place_.size));
  CRV_TRY(NeedBytes(static_cast<size_t>(bytes)));
  if (left() < bytes) return Damaged("truncated postings");
  postings_bytes_ = static_cast<size_t>(bytes);
  return true;
}

Status DecodePostings(PostingContents contents, Bytes postings, DocId first, DocId documents,
                      std::vector<uint32_t>* positions, PostingEncoder* encoder) {
  const auto damaged = [] { return Status::Corruption("run: impossible postings"); };
  const auto* at = reinterpret_cast<const uint8_t*>(postings.data());
  const uint8_t* end = at + postings.size();
  uint64_t next = 0;
  while (at < end) {
    uint64_t gap = TakeNumber(at, end);
    uint64_t count = 1;
    if (contents != PostingContents::kDocuments) {
      if ((gap & 1) == 0) count = TakeNumber(at, end) + 2;
      gap >>= 1;
    }
    if (gap >= documents - next) return damaged();
    const auto doc = static_cast<DocId>(first + next + gap);
    next += gap + 1;
    if (contents != PostingContents::kPositions) {
      encoder->Add(doc, static_cast<uint32_t>(count));
      continue;
    }
    if (count > static_cast<uint64_t>(end - at)) return damaged();
    if (positions->size() < count) positions->resize(static_cast<size_t>(count));
    uint32_t least = 0;
    for (uint32_t* to = positions->data(); to < positions->data() + count; to++) {
      *to = least + static_cast<uint32_t>(TakeNumber(at, end));
      least = *to + 1;
    }
    encoder->Add(doc, static_cast<uint32_t>(count), std::span(*positions).first(static_cast<size_t>(count)));
  }
  return Status::Ok();
}

}  // namespace crivello::index
