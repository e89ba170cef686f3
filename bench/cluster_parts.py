"""Servers and agents of a cluster on one machine, for benches, and what its shared folder holds."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

import common
import read_warc

os.environ["PATH"] += ":/usr/sbin"
LEASE = "8s"


def free_ports(count):
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


@contextlib.contextmanager
def nats(work, count=1):
    """So many NATS servers, which form a cluster if there are several: their URLs."""
    ports, routes = free_ports(count), free_ports(count)
    servers = []
    try:
        for i in range(count):
            text = f'server_name: s{i}\nlisten: 127.0.0.1:{ports[i]}\njetstream {{ store_dir: "{work}/js{i}" }}\n'
            if count > 1:
                others = ", ".join(f"nats://127.0.0.1:{route}" for route in routes if route != routes[i])
                text += f"cluster {{ name: bench, listen: 127.0.0.1:{routes[i]}, routes: [ {others} ] }}\n"
            (work / f"nats{i}.conf").write_text(text)
            with open(work / f"nats{i}.log", "wb") as log:
                servers.append(subprocess.Popen(["nats-server", "-c", str(work / f"nats{i}.conf")], stderr=log))
        yield ",".join(f"nats://127.0.0.1:{port}" for port in ports)
    finally:
        for server in servers:
            server.terminate()
            server.wait()


class Agent:
    """`crivello agent`; what it says goes to a file."""

    def __init__(self, work, url, folder, name, *more):
        self.log = work / f"{folder}-{name}.log"
        command = [common.CRIVELLO, "agent", "--nats", url, "--bucket", folder, "--shared", work / folder, "--name", name, "--lease", LEASE,
                   "--allow-private", "--min-free", "64M", *more]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([str(part) for part in command], stderr=log)
        while "has joined" not in self.log.read_text():
            if self.process.poll() is not None:
                sys.exit(f"agent {name} ended: {self.log.read_text()}")
            time.sleep(0.05)

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mb(self):
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()


def await_owners(url, bucket, tablets):
    for _ in range(600):
        done = subprocess.run([str(common.CRIVELLO), "cluster", "status", "--nats", url, "--bucket", bucket, "--json"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            states = [tablet["state"] for tablet in json.loads(done.stdout)["tablets"]]
            if states.count("open") == tablets:
                return
        time.sleep(0.5)
    sys.exit("some tablets have no owner")


def crawl(url, bucket, *more):
    """`cluster crawl --wait` to its end: what it reports."""
    command = [common.CRIVELLO, "cluster", "crawl", "--nats", url, "--bucket", bucket, *more, "--wait", "--json"]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def plain_copy(shared, target):
    """The newest complete epoch of each tablet, as the collection of a single process.  REQUIRES: no agent runs."""
    shutil.copytree(shared, target, ignore=lambda folder, names: names if pathlib.Path(folder).name == "tablets" else ["agents", "socket"])
    for tablet in sorted((shared / "tablets").iterdir()):
        newest = max(path for path in tablet.glob("e*") if (path / "READY").exists())
        shutil.copytree(newest, target / "tablets" / tablet.name)
        # The journal belongs to the epoch; agents have compared the tablet with it at each opening.
        for name in ("READY", "commits"):
            (target / "tablets" / tablet.name / name).unlink()
    return target


def epochs(shared):
    """Tablet -> its highest epoch."""
    return {tablet.name: max(int(path.name[len("EPOCH-"):]) for path in tablet.glob("EPOCH-*")) for tablet in (shared / "tablets").iterdir()}


def digests(collection):
    """URL -> the digests of the payloads that were archived for it."""
    found = {}
    for path in sorted(pathlib.Path(collection).glob("tablets/*/archive/*.warc.gz")):
        for member in read_warc.members(path.read_bytes()):
            fields = read_warc.record(member)
            if fields["warc-type"] in ("response", "revisit"):
                found.setdefault(fields["warc-target-uri"], []).append(fields.get("warc-payload-digest"))
    return found
