"""A small scripted web on loopback for benches that injure or kill the program, and what a collection of it holds."""

import collections
import gzip
import http.server
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time
import zlib

import common

HOSTS = ["k1.test", "k2.test", "k3.test"]
PAGES = 24  # of each host
NAVIGATION = "".join(f'<a href="/section-{i}">Section {i} of the collected works</a> ' for i in range(6))
WORDS = "river stone bridge window garden harbour letter winter market paper lantern forest meadow castle valley".split()


def paragraph(seed, length):
    """Words that depend on the seed alone."""
    words = []
    for i in range(length):
        seed = (seed * 1103515245 + 12345) % (1 << 31)
        words.append(WORDS[seed // 65536 % len(WORDS)])
    return " ".join(words)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        site = self.server.site
        site.requests += 1
        host = self.headers["Host"]
        name, path = host.split(":")[0], self.path
        site.log.append((time.monotonic(), name, path))
        status, kind, body, more = 404, "text/html", "<title>nothing</title>There is nothing here.", {}
        if path == "/robots.txt":
            status, kind, body = 200, "text/plain", "User-agent: *\nDisallow: /private\n"
        elif path == "/old":
            status, body, more = 301, "", {"Location": "/p0"}
        elif path == "/" or (path.startswith("/p") and path[2:].isdigit() and int(path[2:]) < PAGES):
            number = 0 if path == "/" else int(path[2:])
            seed = number + 1000 * HOSTS.index(name) + 7
            port = self.server.server_port
            # A front page of all others: the crawl has few levels, and so waits little.
            links = [f"/p{n}" for n in range(PAGES)] if path == "/" else [f"/p{(number + 1) % PAGES}"]
            links += ["/old", "/missing", "/private/x"]
            links += [f"http://{other}:{port}/p{number}" for other in HOSTS if other != name]
            shown = "".join(f'<p>{paragraph(seed * 31 + i, 40)}.</p>' for i in range(6 + number % 5))
            anchors = "".join(f'<li><a href="{link}">{link}</a>' for link in links)
            status = 200
            body = (f"<!doctype html><html lang=en><title>Page {number} of {name}</title><nav>{NAVIGATION}</nav>"
                    f"<article><h1>Page {number}</h1><p>unique{seed} everywhere.</p>{shown}</article><ul>{anchors}</ul>"
                    f"<footer>{paragraph(HOSTS.index(name), 30)}</footer></html>")
        data = body.encode()
        self.send_response(status)
        for field, value in {"Content-Type": kind, "Content-Length": str(len(data)), **more}.items():
            self.send_header(field, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that was killed is no news."""


class Site:
    """Serves until the process ends; `requests` counts what was asked, `log` has the time, host and path of each."""

    def __init__(self, *addresses):
        self.requests = 0
        self.log = []
        self.addresses = addresses or ("127.0.0.1",)
        self.port = 0
        for address in self.addresses:
            server = Server((address, self.port), Handler)  # of all addresses the same one
            server.site = self
            self.port = server.server_port
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def address_of(self, host):
        return self.addresses[HOSTS.index(host) % len(self.addresses)]

    def write_hosts(self, path):
        path.write_text("".join(f"{self.address_of(host)} {host}\n" for host in HOSTS))
        return path

    def crawl(self, hosts, *more):
        """Arguments of a crawl of the whole site."""
        seeds = [f"http://{host}:{self.port}/" for host in HOSTS]
        return ["crawl", *seeds, *crawl_options(hosts), *more]


def crawl_options(hosts):
    return ["--hosts-file", str(hosts), "--allow-private", "--delay", "1ms", "--ip-delay", "0", "--back-off", "20ms",
            "--memory", "32M", "--min-free", "1M"]


Outcome = collections.namedtuple("Outcome", "code text seconds")


def command_line(collection, arguments):
    return [str(part) for part in [common.CRIVELLO, "-C", collection, "--quiet", *arguments]]


def run(collection, *arguments, limit=60):
    """One command to its end.  Code 1000: it did not end within the limit; negative: a signal ended it."""
    begun = time.monotonic()
    try:
        done = subprocess.run(command_line(collection, arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit,
                              check=False)
    except subprocess.TimeoutExpired as error:
        return Outcome(1000, (error.stdout or b"").decode(errors="replace"), limit)
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - begun)


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=lambda _, names: [name for name in names if name == "socket"])
    return target


def rows(collection):
    """URL -> status of its newest version; None if it cannot be read to its end."""
    done = run(collection, "--json", "scan")
    if done.code != 0:
        return None
    return {row["url"]: row["status"] for row in map(json.loads, done.text.splitlines()) if "url" in row}


def records(collection):
    """The URLs of the responses in the archive that can be read."""
    found = set()
    for path in pathlib.Path(collection).glob("tablets/*/archive/*.warc.gz"):
        try:
            text = gzip.GzipFile(fileobj=io.BytesIO(path.read_bytes())).read()
        except (OSError, EOFError, ValueError, zlib.error):
            continue
        for record in text.split(b"WARC/1.1\r\n")[1:]:
            fields = dict(line.split(b": ", 1) for line in record.split(b"\r\n\r\n", 1)[0].split(b"\r\n") if b": " in line)
            if fields.get(b"WARC-Type") in (b"response", b"revisit"):
                found.add(fields[b"WARC-Target-URI"].decode())
    return found


def end(process, how=signal.SIGTERM, limit=60):
    """Ends a process of ours: its exit code, or 1000 if it had to be killed."""
    if process.poll() is None:
        process.send_signal(how)
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return 1000
