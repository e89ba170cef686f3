// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "base/file_system.h"
#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/lab/text_copies.h"
#include "cli/lab/text_terms.h"
#include "cli/output.h"
#include "collection/archived_page.h"
#include "engine/open_collection.h"
#include "html/html_tokenizer.h"
#include "html/html_tree.h"
#include "store/archive_reader.h"
#include "text/content/main_content.h"
#include "text/content/text_report.h"
#include "web/http/decompress.h"
#include "web/http/http_headers.h"
#include "web/page/page_scan.h"
#include "web/url/canonical.h"
#include "web/url/link_resolver.h"
#include "web/url/row_key.h"

namespace crivello::cli {
namespace {

struct TextFlags {
  std::string file;
  std::string url;
  std::string label;  // the charset according to HTTP
  bool links = false;
  bool tokens = false;
  bool tree = false;
  bool charset = false;
  bool blocks = false;
  bool compare = false;
  bool slope = false;
  TermsOptions terms;
  CopiesOptions copies;
};

// The tokenizer state that the tree builder would set for an element's content.
html::HtmlTokenizer::Content ContentOf(html::Tag tag) {
  using Content = html::HtmlTokenizer::Content;
  switch (tag) {
    case html::Tag::kScript:
      return Content::kScript;
    case html::Tag::kTitle:
    case html::Tag::kTextarea:
      return Content::kRcdata;
    case html::Tag::kStyle:
    case html::Tag::kXmp:
    case html::Tag::kIframe:
    case html::Tag::kNoembed:
    case html::Tag::kNoframes:
      return Content::kRawtext;
    case html::Tag::kPlaintext:
      return Content::kPlaintext;
    default:
      return Content::kData;
  }
}

// Prints one token per line.
class TokenPrinter final : public html::TokenSink {
 public:
  explicit TokenPrinter(Writer& out) : out_(out) {}
  void set_tokenizer(html::HtmlTokenizer* tokenizer) { tokenizer_ = tokenizer; }

  void OnText(std::string_view text) override { out_.Print("text     {}\n", Printable(text)); }
  void OnStartTag(const html::TagToken& token) override {
    out_.Print("start    {}", Printable(token.name));
    for (const auto& attribute : token.attributes) {
      out_.Print(" {}=\"{}\"", Printable(attribute.name), Printable(attribute.value));
    }
    out_.Print("\n");
    tokenizer_->SetContent(ContentOf(token.tag));
  }
  void OnEndTag(const html::TagToken& token) override { out_.Print("end      {}\n", Printable(token.name)); }
  void OnComment(std::string_view text) override { out_.Print("comment  {}\n", Printable(text)); }

 private:
  Writer& out_;
  html::HtmlTokenizer* tokenizer_ = nullptr;
};

// A link resolved if possible, otherwise as it is in the page.
std::string Resolved(const web::Link& link, const web::LinkResolver& resolver) {
  web::Url url;
  return resolver.Resolve(link.href, &url) ? url.href() : std::string(link.href);
}

// Keeps the line breaks of the page; makes everything else printable.
void PrintLines(Writer& out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.Print("{}\n", Printable(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Every block with its number, its kind, and how it was classified.
void PrintBlocks(Writer& out, const text::Document& document) {
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    const text::Block& block = document.blocks[i];
    out.Print("{:>5} {:<10} {:<10} {}\n", i, text::CutReasonName(block.cut), text::BlockKindName(block.kind),
              Printable(block.text));
  }
}

Json BlocksJson(const text::Document& document) {
  Json blocks = Json::array();
  for (const text::Block& block : document.blocks) {
    blocks.push_back({{"kind", text::BlockKindName(block.kind)},
                      {"level", block.level},
                      {"main", block.main},
                      {"why", text::CutReasonName(block.cut)},
                      {"path", block.path},
                      {"linked", block.linked},
                      {"text", block.text}});
  }
  return blocks;
}

Json PageJson(const web::Page& page, const text::Document& document, const charset::CharsetDecision& charset,
              const web::LinkResolver& resolver) {
  Json links = Json::array();
  for (const web::Link& link : page.links) {
    links.push_back({{"kind", web::LinkKindName(link.kind)},
                     {"url", Resolved(link, resolver)},
                     {"text", link.text},
                     {"rel", link.rel}});
  }
  Json published;
  if (document.published) published = *document.published;
  return {{"title", document.title},
          {"text", document.MainText()},
          {"author", document.author},
          {"site", document.site},
          {"description", document.description},
          {"published", std::move(published)},
          {"charset", charset::EncodingName(charset.encoding)},
          {"charset_source", charset::CharsetSourceName(charset.source)},
          {"canonical", page.canonical},
          {"links", std::move(links)}};
}

// A document and its metadata.
struct Source {
  std::string bytes;
  std::string name;                          // of the file, or the URL
  std::string url;                           // the URL it came from; may be empty
  std::string label;                         // the charset according to HTTP
  page::SiteTemplates* templates = nullptr;  // of its site, if it is from a collection
};

// The newest version of a page in the collection; nullopt if there is none.
Result<std::optional<Source>> ArchivedSource(collection::Collection& store, const std::string& address) {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(address));
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  CRV_ASSIGN(collection::Tablet* const found, store.TabletOfHost(url.hostname()));
  collection::Tablet& tablet = *found;
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet.table().Get(key));
  if (rows.empty()) return std::optional<Source>();
  CRV_ASSIGN(const collection::ArchivedPage page,
             collection::ReadArchivedPage(tablet, store::ArchiveReader(tablet.archive_directory()),
                                          rows.front().fetch));
  return std::optional(Source{
      .bytes = std::string(web::DecodeContent(page.body, page.http.fields.Joined("content-encoding")).body()),
      .name = url.href(),
      .url = url.href(),
      .label = web::ParseMediaType(page.http.fields.Find("content-type").value_or("")).charset,
      .templates = &tablet.templates()});
}

Result<int> PrintSource(const Session& session, const TextFlags& options, const Source& source) {
  const std::string& bytes = source.bytes;
  // A document other than HTML has no markup tokens: its tokens are the words.
  CopiesOptions of_other_format = options.copies;
  of_other_format.words = options.copies.words || options.tokens;
  if (const auto printed = PrintOtherFormat(session, bytes, source.name, options.terms, of_other_format)) {
    return *printed;
  }
  const charset::CharsetDecision charset = charset::DecideCharset(bytes, source.label);
  const auto decoded = charset::DecodeToUtf8(bytes, charset.encoding);
  if (options.charset && !session.json) {
    session.out->Print("{} ({}, {} replacement characters)\n", charset::EncodingName(charset.encoding),
                       charset::CharsetSourceName(charset.source), decoded.replacements());
    return kDone;
  }
  if (options.tokens) {
    TokenPrinter printer(*session.out);
    html::HtmlTokenizer tokenizer(&printer, html::TokenizerLimits());
    printer.set_tokenizer(&tokenizer);
    tokenizer.Feed(decoded.text());
    tokenizer.Finish();
    return kDone;
  }
  const html::HtmlTree tree = html::ParseHtml(decoded.text());
  if (options.tree) {
    PrintLines(*session.out, tree.Dump());
    return kDone;
  }
  text::HtmlDocument content = text::ReadHtmlDocument(tree, {.url = source.url});
  if (options.compare || options.slope) {
    session.out->Print("{}", options.compare ? text::CompareReport(content) : text::SlopeDrawing(content));
    return kDone;
  }
  web::Url address;
  if (!source.url.empty() && !address.Parse(source.url))
    return Status::InvalidArgument(fmt::format("invalid URL: {}", source.url));
  if (source.templates != nullptr) {
    CRV_TRY(
        source.templates->Mark(address.hostname(), &content, page::SiteTemplates::Learning::kOff).status());
  } else {
    text::MarkMainContent(&content);
  }
  const text::Document& document = content.document;
  const web::Page page = web::ScanPage(decoded.text(), {});
  if (options.terms.terms) {
    return PrintTerms(session, document.MainText(), document.language, options.terms);
  }
  if (options.copies.any()) return PrintCopies(session, document.MainText(), options.copies);
  const web::LinkResolver resolver(address, page.base, charset.encoding);
  if (session.json) {
    Json json = PageJson(page, document, charset, resolver);
    if (options.blocks) json["blocks"] = BlocksJson(document);
    AddLanguage(document.MainText(), document.language, &json);
    PrintJson(session, json);
  } else if (options.blocks) {
    PrintBlocks(*session.out, document);
  } else if (options.links) {
    for (const web::Link& link : page.links) {
      session.out->Print("{:<8} {}  {}\n", web::LinkKindName(link.kind), Printable(Resolved(link, resolver)),
                         Printable(link.text));
    }
  } else {
    session.out->Print("{}\n\n", Printable(document.title));
    PrintLines(*session.out, document.MainText());
  }
  return kDone;
}

Result<int> PrintText(const Session& session, const TextFlags& options) {
  const bool is_address = options.file.starts_with("http://") || options.file.starts_with("https://");
  if (is_address) {
    CRV_ASSIGN(const auto store, engine::OpenToRead(session.collection));
    CRV_ASSIGN(const std::optional<Source> source, ArchivedSource(*store, options.file));
    if (source) return PrintSource(session, options, *source);
    session.err->Print(
        "crivello: {} is not in this collection; run 'crivello why URL' to see what was decided about it\n",
        Printable(options.file));
    return kNothingFound;
  }
  CRV_ASSIGN(std::string bytes, ReadFile(options.file));
  return PrintSource(
      session, options,
      {.bytes = std::move(bytes), .name = options.file, .url = options.url, .label = options.label});
}

}  // namespace

void AddTextCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("text", "Extract title and main text of a page or document");
  auto options = std::make_shared<TextFlags>();
  command->add_option("PAGE", options->file, "File, or URL of a page that the collection has archived")
      ->required();
  command->add_option("--url", options->url, "URL of the file, to resolve its links")->type_name("URL");
  command->add_option("--http-charset", options->label, "Charset that the server declared")
      ->type_name("LABEL");
  CLI::Option_group* what = command->add_option_group("what", "What to print instead of title and main text");
  what->add_flag("--links", options->links, "Print the links, each with its kind and text");
  what->add_flag("--tokens", options->tokens, "Print the tokens of HTML, or the words of other formats");
  what->add_flag("--tree", options->tree, "Print the HTML tree in the format of html5lib's tests");
  what->add_flag("--charset", options->charset, "Print the encoding and how it was detected");
  what->add_flag("--blocks", options->blocks, "Print all blocks, each with its kind and why it was cut");
  what->add_flag("--compare", options->compare, "Print an HTML report of what each method kept and cut");
  what->add_flag("--slope", options->slope, "Print the document slope curve as SVG");
  what->add_flag("--terms", options->terms.terms, "Print the terms, each with its position and offsets");
  what->add_flag("--words", options->copies.words, "Print the words that are compared to find duplicates");
  what->add_flag("--checksums", options->copies.checksums,
                 "Print the sum of the bytes and the CRC, byte by byte, and digests of the words");
  what->add_flag("--shingles", options->copies.shingles,
                 "Print the shingles (n-grams), their Rabin fingerprints, and which of them are selected");
  what->add_flag("--simhash", options->copies.simhash,
                 "Print the features with weights and hashes, their vector, and the SimHash");
  what->require_option(0, 1);
  command
      ->add_option("--shingle-size", options->copies.size,
                   "Words or characters in a shingle (0: 5, and 1 for --simhash)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--shingle-unit", options->copies.unit, "What a shingle consists of: words or characters")
      ->type_name("UNIT")
      ->check(CLI::IsMember({"words", "characters"}))
      ->capture_default_str();
  command->add_flag("--no-overlap", options->copies.apart, "Cut shingles that do not overlap");
  command
      ->add_option("--select", options->copies.select,
                   "Which fingerprints to keep: all, mod:P (0 mod P), winnow:W or min:S")
      ->type_name("RULE")
      ->capture_default_str();
  command->add_option("--bits", options->copies.bits, "Bits of the SimHash, 1 to 128")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--analyser", options->terms.analyser, "How text is split into terms (docs/analysers.md)")
      ->type_name("STEPS")
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  crivello text https://example.org/ --blocks\n"
      "  crivello text page.html --links --url https://example.org/\n"
      "  crivello text page.html --compare > report.html\n"
      "  crivello text page.html --terms --analyser 'words fold accents stem:it'\n"
      "  crivello text fish.txt --shingles --shingle-size 3 --select mod:4\n"
      "  crivello text fish.txt --simhash --bits 8\n"
      "  crivello --json text page.html");
  Runs(*command, session, [&session, options] { return PrintText(session, *options); });
}

}  // namespace crivello::cli
