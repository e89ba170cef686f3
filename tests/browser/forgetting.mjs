// Forgetting on the dashboard, while the built-in web is crawled.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { startDemo } from "./demo.mjs";
import { program, screenshots, until, withPage } from "./world.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "crivello-forgetting-"));
const collection = path.join(folder, "c");
let demo = null;

const found = async (query) => {
  const answer = await fetch(`${demo.base}/api/v1/search?${new URLSearchParams({ q: query, n: "100", all: "1" })}`);
  return (await answer.json()).results.map((result) => result.url);
};
const forgotten = async () => (await fetch(`${demo.base}/api/v1/forgotten`)).json();
const steer = (what) => fetch(`${demo.base}/api/v1/crawl/${what}`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });

describe("forgetting", () => {
  before(async () => (demo = await startDemo(collection)));
  after(async () => {
    await demo.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("a page that is forgotten during the crawl is found no more, and does not come back", () =>
    withPage({ allowed: /400/ }, async (page) => {
      const isHome = (url) => /^http:\/\/baeckerei-lindner\.test(:\d+)?\/$/.test(url);
      const home = await until("the bakery to be found", async () => (await found("lindner")).find(isHome));
      // The crawl stands still while the form is filled in, so that there is something left to crawl.
      await steer("pause");
      await until("the pause", async () => (await demo.crawl()).in_flight === 0);
      const crawledBefore = (await demo.crawl()).pages;
      await page.goto(`${demo.base}/dashboard`);
      const show = page.getByRole("button", { name: "Preview deletion" });
      const word = page.getByRole("button", { name: "Forget permanently" });
      await page.locator("#forget-target").fill("two words");
      await show.click();
      await until("the error", async () => /two words/.test(await page.locator("#forget-said").innerText()));
      assert.equal(await word.isVisible(), false);

      await page.locator("#forget-target").fill(home);
      await show.click();
      await word.waitFor();
      assert.match(await page.locator("#forget-preview").innerText(), /^1 page in 1 version, [\d.]+ (bytes|KiB), would be deleted/);
      assert.match(await page.locator("#forget-preview").innerText(), new RegExp(home));
      await word.click();
      await until("the question for a reason", async () => /reason/.test(await page.locator("#forget-said").innerText()));
      assert.equal((await forgotten()).forgotten.length, 0);

      await page.locator("#forget-reason").fill("asked for by <b>its</b> baker");
      await page.screenshot({ path: path.join(screenshots, "forget-light.png"), fullPage: true });
      await steer("resume");
      await word.click();
      await until("the word", async () => /Deletion is in progress|Forgotten\./.test(await page.locator("#forget-said").innerText()));
      assert.equal(await word.isVisible(), false);
      await until("the end", async () => (await page.locator("#forget-said").innerText()) === "Forgotten.");
      const state = await forgotten();
      assert.deepEqual([state.running, state.failed, state.forgotten[0].pages], [false, undefined, 1]);
      assert.ok(!(await found("lindner")).includes(home));
      assert.equal((await fetch(`${demo.base}/api/v1/document?${new URLSearchParams({ url: home })}`)).status, 404);
      await until("the list", async () => /asked for by <b>its<\/b> baker \(1 page/.test(await page.locator("#forgotten").innerText()));

      await until("the crawl to end", async () => (await demo.crawl()).state === "finished", 120);
      assert.ok((await demo.crawl()).pages > crawledBefore, "the crawl went on");
      const count = async () => (await (await fetch(`${demo.base}/api/v1/stats`)).json()).index.documents;
      let before = -1;
      await until("the index to be still", async () => before === (before = await count()));
      const left = await found("lindner");
      assert.ok(!left.includes(home) && left.length > 0, "the other pages of the bakery are there");
      const why = execFileSync(program, ["-C", collection, "why", home], { encoding: "utf8" });
      assert.match(why, /asked for by <b>its<\/b> baker/);
    }));
});
