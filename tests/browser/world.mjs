// The program crawling a small web, and a browser: shared by all tests.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { startWeb } from "./web.mjs";

export const program = process.env.CRIVELLO_PROGRAM;
export const screenshots = path.join(path.dirname(program), "screenshots");

export async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function until(what, check, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await check().catch(() => undefined);
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const web = await startWeb();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "crivello-browser-"));
fs.writeFileSync(path.join(folder, "hosts"), web.hosts.map((host) => `127.0.0.1 ${host}\n`).join(""));
const port = await freePort();
export const base = `http://127.0.0.1:${port}`;
// Where the program answers; tests that start it again add to these.
export const services = [base];
const log = fs.openSync(path.join(path.dirname(program), "browser", "program.log"), "w");
const child = spawn(
  program,
  ["-C", path.join(folder, "c"), "up", web.url("orchard.test"), "--listen", `127.0.0.1:${port}`, "--scope", "any", "--allow-private",
    "--hosts-file", path.join(folder, "hosts"), "--delay", "600ms", "--ip-delay", "20ms",
    "--contact", "https://crivello.test/"],
  { stdio: ["ignore", log, log] },
);
let ended = false;
child.on("exit", () => (ended = true));

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  // Tests may run as root, in a container.
  args: ["--no-sandbox"],
});

// Every request that any page made, but for those of the crawl.
export const requests = [];

// A page in a profile of its own.  It fails the test if its console shows an error that is not `allowed`.
export async function withPage(options, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  context.setDefaultTimeout(10000);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  context.on("request", (request) => requests.push(request.url()));
  try {
    await use(page);
    const unexpected = errors.filter((error) => !options.allowed?.test(error));
    if (unexpected.length > 0) throw new Error(`the console says: ${unexpected.join("\n")}`);
  } finally {
    await context.close();
  }
}

// The first page puts the cursor into the box; browsers do that some time after they load it.
export const focusedBox = (page) => page.waitForFunction(() => document.activeElement?.id === "q");

// Until the index has the whole orchard.
export async function crawled() {
  await until("the orchard to be searchable", async () => {
    if (ended) throw new Error("the program ended: see program.log");
    const text = await (await fetch(`${base}/?q=mulberry+pear+mela+ivy&lang=`)).text();
    return ["/mulberry", "/pear", "/mela", "hostile.test"].every((part) => text.includes(part));
  });
}

export async function close() {
  await browser.close();
  web.close();
  if (!ended) {
    child.kill("SIGINT");
    await until("the program to end", async () => ended, 30).catch(() => child.kill("SIGKILL"));
  }
  fs.rmSync(folder, { recursive: true, force: true });
}
