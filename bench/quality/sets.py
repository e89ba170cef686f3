"""Test sets for searches, made of the pages of a crawl: what they are is in README.md.

A page is known by its URL; its `key` is the same for its copies and translations, any of which answers a query for it.
"""

import collections
import gzip
import hashlib
import html
import pathlib
import random
import re
import urllib.parse
import zlib

LANGUAGE = re.compile(r"^[a-z]{2}(?:[-_][a-z]{2})?$")
TAG = re.compile(rb"<[^>]*>")
LINK = re.compile(rb"<a\b([^>]*)>(.*?)</a\s*>", re.I | re.S)
HREF = re.compile(rb"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.I)
TITLE = re.compile(rb"<title[^>]*>(.*?)</title", re.I | re.S)
CHARSET = re.compile(rb"""charset\s*=\s*["']?([A-Za-z0-9_-]+)""", re.I)
STOP = set("a an the of to in on for and or with by at from is are be as it its this that how what "
           "le la les un une des de du et en au aux pour par sur dans der die das den dem ein eine und von zu im mit "
           "el los las una y del al il lo gli i e di da".split())


class Page:
    def __init__(self, url, head, body):
        self.url, self.head, self.body = url, head, body
        parts = urllib.parse.urlsplit(url)
        self.host, self.path = parts.hostname, parts.path
        labels = self.host.split(".")
        if len(labels) > 2 and LANGUAGE.match(labels[0]):
            labels = labels[1:]
        self.site = ".".join(labels)
        # The same path but for what names a language.
        pieces = [p for p in re.split(r"[/.]", self.path) if p and not LANGUAGE.match(p)]
        self.translation = self.site + "/" + "/".join("" if p == "index" else p for p in pieces)
        found = CHARSET.search(body[:4096])
        self.encoding = found[1].decode() if found else "utf-8"
        title = TITLE.search(body)
        self.title = self.text(title[1]) if title else ""
        plain = re.sub(rb"(?is)<(script|style)\b.*?</\1\s*>|<[^>]*>", b" ", body)
        self.digest = hashlib.sha1(b" ".join(plain.split())).digest()[:8]

    def text(self, piece):
        """What people see of a piece of HTML, in small letters where it is compared."""
        try:
            said = TAG.sub(b" ", piece).decode(self.encoding, "replace")
        except LookupError:
            said = TAG.sub(b" ", piece).decode("utf-8", "replace")
        return " ".join(html.unescape(said).split())

    def links(self):
        """(match, target, text) of each link that leads to another page."""
        for match in LINK.finditer(self.body):
            href = HREF.search(match[1])
            if not href:
                continue
            href = html.unescape((href[1] or href[2] or href[3] or b"").decode("utf-8", "replace")).strip()
            try:
                target = urllib.parse.urldefrag(urllib.parse.urljoin(self.url, href))[0]
            except ValueError:
                continue
            if target != self.url:
                yield match, target, self.text(match[2]).lower()


def records(path):
    """The records of a WARC file: (fields, block)."""
    data, at = memoryview(pathlib.Path(path).read_bytes()), 0
    while at < len(data):
        # Piece by piece: what is left over of the last one is copied.
        inflate, pieces = zlib.decompressobj(wbits=31), []
        while not inflate.eof and at < len(data):
            pieces.append(inflate.decompress(data[at:at + 65536]))
            at = min(at + 65536, len(data))
        at -= len(inflate.unused_data)
        member = b"".join(pieces)
        head, _, rest = member.partition(b"\r\n\r\n")
        fields = dict((name.lower(), value.strip()) for name, _, value in
                      (line.partition(b":") for line in head.split(b"\r\n")[1:]))
        yield fields, rest[:int(fields[b"content-length"])]


def pages_of(collection):
    """The pages of HTML that a crawl found, one for each URL."""
    pages = {}
    for path in sorted(pathlib.Path(collection).rglob("*.warc.gz")):
        for fields, block in records(path):
            if fields.get(b"warc-type") != b"response":
                continue
            head, _, body = block.partition(b"\r\n\r\n")
            if b" 200" not in head[:16] or not re.search(rb"(?im)^content-type:\s*text/html", head):
                continue
            if re.search(rb"(?im)^content-encoding:\s*gzip", head):
                try:
                    body = gzip.decompress(body)
                except (OSError, EOFError, zlib.error):
                    continue
            url = fields[b"warc-target-uri"].decode()
            pages[url] = Page(url, head, body)
    return pages


def families(pages):
    """The key of each page: copies and translations have the same, through one another too."""
    first, parent = {}, {url: url for url in pages}

    def root(url):
        while parent[url] != url:
            parent[url] = parent[parent[url]]
            url = parent[url]
        return url
    for url, page in pages.items():
        for mark in (page.digest, page.translation):
            parent[root(url)] = root(first.setdefault(mark, url))
    for url, page in pages.items():
        page.key = root(url)
    members = collections.defaultdict(list)
    for url, page in pages.items():
        members[page.key].append(url)
    return members


def content_words(text):
    return [w for w in re.findall(r"\w+", text.lower()) if w not in STOP and not w.isdigit()]


class Sets:
    """Queries of a name: (id, text, relevant URLs, site), of each set."""

    def __init__(self, pages, seed):
        self.pages, self.chance = pages, random.Random(seed)
        self.members = families(pages)
        self.sets = collections.defaultdict(list)
        self.left_out = set()  # (key of the target, text): links of the known items
        self.quartile = {}

    def add(self, kind, text, page, relevant=None):
        name = f"{kind}{len(self.sets[kind]) + 1:05d}"
        self.sets[kind].append((name, text, sorted(relevant or self.members[page.key]), page.site))
        return name

    def known_items(self, wanted):
        said, targets = collections.defaultdict(lambda: collections.defaultdict(set)), collections.defaultdict(set)
        for page in self.pages.values():
            for _, target, text in page.links():
                if target in self.pages and text:
                    said[self.pages[target].key][text].add(page.url)
                    targets[text].add(self.pages[target].key)
        found = []
        for key in sorted(said):
            titles = {self.pages[url].title.lower() for url in self.members[key]}
            texts = [t for t in sorted(said[key]) if len(targets[t]) <= 2 and len(content_words(t)) >= 2
                     and t not in titles and len(t) < 100]
            if len(said[key]) >= 2 and texts:
                sources = set().union(*said[key].values())
                found.append((key, self.chance.choice(texts), len(sources)))
        self.chance.shuffle(found)
        found = found[:wanted]
        degrees = sorted(degree for _, _, degree in found)
        for key, text, degree in found:
            self.left_out.add((key, text))
            name = self.add("known", text, self.pages[key])
            self.quartile[name] = 1 + sum(degree > degrees[len(degrees) * q // 4] for q in (1, 2, 3))

    def names(self, wanted):
        by_title = collections.defaultdict(set)
        for page in self.pages.values():
            if page.title:
                by_title[page.title.lower()].add(page.key)
        unique = sorted(t for t, keys in by_title.items() if len(keys) == 1 and content_words(t) and len(t.split()) <= 12)
        self.chance.shuffle(unique)
        hosts = sorted({(p.site, p.key) for p in self.pages.values() if p.path == "/"})
        self.chance.shuffle(hosts)
        for site, key in hosts[:wanted // 10]:
            home = [p.url for p in self.pages.values() if p.path == "/" and p.site == site]
            self.add("name", site.split(".")[0].replace("-", " "), self.pages[key], set(home) | set(self.members[key]))
        for i, title in enumerate(unique[:wanted - len(self.sets["name"])]):
            page, words = self.pages[next(iter(by_title[title]))], title.split()
            content = [k for k, w in enumerate(words) if content_words(w)]
            if i % 2 == 1 and len(content) >= 3:
                words.pop(self.chance.choice(content))
                self.add("part", " ".join(words), page)
            else:
                self.add("title", title, page)

    def misspelt(self, wanted):
        before = [(text, urls, site) for kind in ("known", "name", "title", "part") for _, text, urls, site in self.sets[kind]]
        self.chance.shuffle(before)
        letters = "abcdefghijklmnopqrstuvwxyz"
        for text, urls, site in before:
            words = text.split()
            fit = [i for i, w in enumerate(words) if len(w) >= 4 and w.isascii() and w.isalpha() and w not in STOP]
            if not fit or len(self.sets["misspelt"]) >= wanted:
                continue
            i = self.chance.choice(fit)
            word, at, kind = words[i], self.chance.randrange(1, len(words[i]) - 1), self.chance.randrange(4)
            other = {0: word[:at] + word[at + 1:], 1: word[:at] + self.chance.choice(letters) + word[at:],
                     2: word[:at] + self.chance.choice(letters) + word[at + 1:],
                     3: word[:at] + word[at + 1] + word[at] + word[at + 2:]}[kind]
            if other == word:
                continue
            number = f"{len(self.sets['misspelt']) + 1:05d}"
            self.sets["misspelt"].append((f"misspelt{number}", " ".join(words[:i] + [other] + words[i + 1:]), urls, site))
            self.sets["wellspelt"].append((f"wellspelt{number}", text, urls, site))

    def written(self, kind, path, port):
        """Lines: question, TAB, URLs without scheme and port, parted by blanks."""
        for line in pathlib.Path(path).read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            text, _, answers = line.partition("\t")
            relevant = set()
            for answer in answers.split():
                host, _, path_of = answer.partition("/")
                url = f"http://{host}:{port}/{path_of}"
                if url not in self.pages:
                    raise SystemExit(f"{path.name}: no page {url}")
                relevant |= set(self.members[self.pages[url].key])
            self.add(kind, text, self.pages[url], relevant)

    def without_links(self, page):
        """The page's HTML, its links that are left out turned into plain text."""
        pieces, at = [], 0
        for match, target, text in page.links():
            if target in self.pages and (self.pages[target].key, text) in self.left_out:
                pieces += [page.body[at:match.start()], match[2]]
                at = match.end()
        return b"".join(pieces) + page.body[at:]

    def write_pages(self, path):
        """A WARC file of all pages, without the links that are left out."""
        with open(path, "wb") as out:
            for number, page in enumerate(self.pages.values()):
                body = self.without_links(page)
                head = b"\r\n".join(line for line in page.head.split(b"\r\n")
                                    if not re.match(rb"(?i)(content-encoding|content-length|transfer-encoding)\s*:", line))
                block = head + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body
                record = (b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n" % number
                          + b"WARC-Date: 2026-11-01T00:00:00Z\r\nWARC-Target-URI: " + page.url.encode()
                          + b"\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(block)
                          + block + b"\r\n\r\n")
                out.write(gzip.compress(record, 1))

    def write(self, folder):
        """For each set and half its topics and judgements, as `eval` reads them."""
        for kind, queries in self.sets.items():
            for half in ("tuning", "reporting"):
                chosen = [q for q in queries if half_of(q[3]) == half]
                topics = pathlib.Path(folder) / f"{kind}-{half}"
                topics.with_suffix(".topics").write_text("".join(f"{name}\t{text}\n" for name, text, _, _ in chosen))
                topics.with_suffix(".qrels").write_text(
                    "".join(f"{name} 0 {url} 1\n" for name, _, urls, _ in chosen for url in urls))


def half_of(site):
    """A site is in one half with all its pages and queries."""
    return ("tuning", "reporting")[hashlib.sha1(site.encode()).digest()[0] & 1]
