// The search box in a page of another site.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { freePort, program, services, until, withPage } from "./world.mjs";

// A site of its own: another port is another origin.
async function startSite(page) {
  const site = http.createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page());
  });
  await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
  return { site, origin: `http://127.0.0.1:${site.address().port}` };
}

async function startService(folder, options) {
  const port = await freePort();
  const child = spawn(program, ["-C", path.join(folder, "c"), "serve", "--listen", `127.0.0.1:${port}`, ...options], { stdio: "ignore" });
  const base = `http://127.0.0.1:${port}`;
  services.push(base);
  await until("the server", async () => (await fetch(`${base}/health/readyz`)).ok);
  return { base, stop: () => new Promise((resolve) => { child.on("exit", resolve); child.kill("SIGINT"); }) };
}

test("a page of another origin searches, with and without a key, and only if it is allowed", { timeout: 120000 }, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "crivello-embed-"));
  const run = (...words) => new Promise((resolve) => spawn(program, ["-C", path.join(folder, "c"), ...words], { stdio: "ignore" }).on("exit", resolve));
  fs.writeFileSync(path.join(folder, "d.jsonl"), '{"url":"https://a.test/1","title":"<b>Quince</b>","text":"The quince is hard and sour."}\n');
  assert.equal(await run("import", path.join(folder, "d.jsonl")), 0);
  assert.equal(await run("index", "--quiet"), 0);
  let script = "";
  const { site, origin } = await startSite(() => `<!doctype html><title>Mine</title><h1>My site</h1><div id="here"></div>${script}`);
  const { site: stranger, origin: elsewhere } = await startSite(() => `<!doctype html><title>Other</title>${script}`);
  services.push(origin, elsewhere);
  const key = "a-search-key-of-this-test";
  fs.writeFileSync(path.join(folder, "keys"), `search sha256:${crypto.createHash("sha256").update(key).digest("hex")}\n`);
  const search = async (page, from) => {
    await page.goto(from);
    await page.locator(".crivello-input").fill("quince");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !["", "…"].includes(document.querySelector(".crivello-status").textContent));
    return { said: await page.locator(".crivello-status").innerText(), titles: await page.locator(".crivello-title").allInnerTexts() };
  };
  const allowed = /Failed to load resource|blocked by CORS/;
  try {
    for (const withKey of [false, true]) {
      const service = await startService(folder, ["--cors", origin, ...(withKey ? ["--keys", path.join(folder, "keys")] : [])]);
      script = `<script src="${service.base}/embed.js" data-target="#here"${withKey ? ` data-key="${key}"` : ""}></script>`;
      await withPage({}, async (page) => {
        assert.deepEqual(await search(page, origin), { said: "1 result", titles: ["<b>Quince</b>"] });
        assert.equal(await page.locator("#here .crivello-title").getAttribute("href"), "https://a.test/1");
        assert.equal(await page.locator("#here b").count(), 0);
      });
      if (withKey) {
        script = `<script src="${service.base}/embed.js"></script>`;
        await withPage({ allowed }, async (page) => assert.match((await search(page, origin)).said, /key/));
      }
      script = `<script src="${service.base}/embed.js"></script>`;
      await withPage({ allowed }, async (page) => {
        assert.match((await search(page, elsewhere)).said, /does not allow this page/);
      });
      await service.stop();
    }
  } finally {
    site.close();
    stranger.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
