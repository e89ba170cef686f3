"""What the benches have in common: where things are, figures beside their bars, webs to crawl, a client of the API."""

import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("CRIVELLO_SHARED", ROOT.parent / "shared"))
WEBBOX = SHARED / "webbox"
CRIVELLO = pathlib.Path(os.environ.get("CRIVELLO", ROOT / "build/release/crivello"))

missed = []  # bars


def bar(what, value, least=None, most=None, unit=""):
    ok = (least is None or value >= least) and (most is None or value <= most)
    if not ok:
        missed.append(what)
    limit = f"at least {least:,.4g}" if least is not None else f"at most {most:,.4g}"
    print(f"{what}: {value:,.4g}{unit} (bar: {limit}) {'met' if ok else 'MISSED'}", flush=True)


def status():
    """The exit status of a bench, which names what was missed."""
    if missed:
        print(f"{pathlib.Path(sys.argv[0]).name}: missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def program():
    """Whether there is something to measure, and something to measure it on; if not, the exit status."""
    if not WEBBOX.is_dir():
        print("skipped: no ../shared")
        sys.exit(0)
    if not CRIVELLO.exists():
        sys.exit("build it first: cmake --preset release && cmake --build build/release")


def crivello(collection, *arguments):
    """The lines that a command prints, read as JSON."""
    command = [CRIVELLO, "-C", collection, "--quiet", "--json", *arguments]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextlib.contextmanager
def serving(*command):
    """`crivello up` or `serve`, by its command line: its address and its process."""
    running = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(running.stdout.readline())["url"], running
    finally:
        running.terminate()
        running.wait()


@contextlib.contextmanager
def box_served(box, port):
    """A web of real pages, at the addresses of its file `hosts`."""
    subprocess.run([str(WEBBOX / "serve"), str(box), str(port)], check=True, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        subprocess.run([str(WEBBOX / "stop"), str(box)], check=False, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def random_web(folder, port, **options):
    """A synthetic web, its seeds and addresses in files of `folder`."""
    command = [WEBBOX / "random-web", folder, "--port", port]
    for name, value in options.items():
        command += ["--" + name.replace("_", "-"), value]
    server = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    try:
        while not (folder / "seeds.txt").exists() or time.time() - (folder / "seeds.txt").stat().st_mtime < 0.5:
            if server.poll() is not None:
                sys.exit("random-web did not start")
            time.sleep(0.2)
        yield
    finally:
        server.terminate()
        server.wait()


class Client:
    """One connection to the API of a running service."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(url).netloc)

    def ask(self, method, path, body=None, kind="application/json"):
        self.connection.request(method, "/api/v1/" + path, body, {"Content-Type": kind} if body else {})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def get(self, path, **parameters):
        status, said = self.ask("GET", f"{path}?{urllib.parse.urlencode(parameters)}")
        if status != 200:
            sys.exit(f"{path} {parameters}: {status} {said}")
        return said
