// The dashboard during a crawl of the built-in web, by a process of its own.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { startDemo } from "./demo.mjs";
import { assertReadable, looks } from "./readable.mjs";
import { program, screenshots, until, withPage } from "./world.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "crivello-dashboard-"));
const collection = path.join(folder, "c");
let board = "";
let demo = null;

async function start() {
  demo = await startDemo(collection);
  board = demo.base;
}
const stop = () => demo.stop();
const crawl = () => demo.crawl();

// What the command line says, of each host.
function report() {
  const lines = execFileSync(program, ["-C", collection, "--json", "report"], { encoding: "utf8" }).trim().split("\n");
  const hosts = lines.map((line) => JSON.parse(line)).filter((line) => line.host !== undefined);
  const sum = (name) => hosts.reduce((all, host) => all + host[name], 0);
  return { hosts, pages: sum("pages"), queued: sum("queued") };
}
const number = async (page, name) => Number((await page.locator(`[data-live="${name}"]`).first().innerText()).replaceAll(",", ""));
const shows = (page, name, wanted) => until(`${name} to be ${wanted}`, async () => (await number(page, name)) === wanted, 20);

describe("the dashboard", () => {
  before(start);
  after(async () => {
    await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("pause stops fetching within a second, and the numbers agree with the report", () =>
    withPage({}, async (page) => {
      await page.goto(`${board}/dashboard`);
      const pause = page.getByRole("button", { name: "Pause (stays paused after a restart)" });
      const resume = page.getByRole("button", { name: "Resume" });
      // This web is small, and its queues are short: a pause that found them empty is taken back.
      await until("a pause with something queued", async () => {
        if ((await crawl()).state === "paused") await resume.click();
        await until("a queue", async () => (await crawl()).queued > 5);
        await pause.click();
        await resume.waitFor({ timeout: 3000 });
        return report().queued > 1;
      });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const still = await crawl();
      assert.equal(still.state, "paused");
      assert.equal(still.in_flight, 0);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const later = await crawl();
      assert.deepEqual([later.bytes, later.pages], [still.bytes, still.pages], "nothing was fetched");
      const { pages, queued } = report();
      assert.ok(queued > 0, "the pause came before the end");
      await shows(page, "rows", pages);
      await shows(page, "queued", queued);
    }));

  test("an exclusion drops what its preview said, and the crawl obeys", () =>
    withPage({ allowed: /400/ }, async (page) => {
      const { hosts, queued } = report();
      const most = hosts.reduce((a, b) => (b.queued > a.queued ? b : a));
      await page.goto(`${board}/dashboard`);
      await page.locator("#exclude-value").fill("nonsense(");
      await page.locator("#exclude-kind").selectOption("filter");
      await page.getByRole("button", { name: "Preview exclusion" }).click();
      await until("the error", async () => /nonsense/.test(await page.locator("#exclude-said").innerText()));

      await page.locator("#exclude-kind").selectOption("host");
      await page.locator("#exclude-value").fill(most.host);
      await page.getByRole("button", { name: "Preview exclusion" }).click();
      await page.locator("#preview p").first().waitFor();
      const text = await page.locator("#preview").innerText();
      const previewed = Number(/^([\d,]+) queued URL/.exec(text)[1].replaceAll(",", ""));
      assert.equal(previewed, most.queued);
      if (most.pages > 0) assert.match(text, new RegExp(`${most.pages} pages? already fetched match`));
      await page.screenshot({ path: path.join(screenshots, "exclude-light.png"), fullPage: true });
      await page.getByRole("button", { name: "Exclude it" }).click();
      await until("the answer", async () => (await page.locator("#exclude-said").innerText()).startsWith("Excluded."));
      assert.equal(await page.locator("#exclude-said").innerText(), `Excluded. ${previewed.toLocaleString("en")} ${previewed === 1 ? "URL" : "URLs"} dropped.`);
      const now = report();
      assert.equal(now.queued, queued - previewed);
      assert.equal(now.hosts.find((host) => host.host === most.host).queued, 0);
      await shows(page, "queued", now.queued);

      const before = await number(page, "pages");
      await page.getByRole("button", { name: "Resume" }).click();
      await until("the number of pages to grow without a reload", async () => (await number(page, "pages")) > before, 30);
      const drawn = () => page.locator('[data-chart="progress"] path').first().getAttribute("d");
      await until("a line to be drawn", async () => (await drawn()).split("L").length > 2, 30);
      assert.equal(await page.locator("#lost").isVisible(), false);
      await until("the crawl to end", async () => (await crawl()).state === "finished", 120);
      const end = report().hosts.find((host) => host.host === most.host);
      assert.equal(end.pages, most.pages, "nothing more of that host was fetched");
      await page.getByRole("button", { name: `Remove: host ${most.host}` }).click();
      await until("the list to be empty", async () => (await page.locator("#exclusions li").count()) === 0);
      // It looks whether there is something to fetch now.
      await until("the crawl to end again", async () => (await crawl()).state === "finished", 120);
    }));

  test("the dashboard shows its moment and its past without JavaScript", () =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      // What is counted of all rows is some seconds old at times.
      await until("the number of rows", async () => {
        await page.goto(`${board}/dashboard`);
        return (await number(page, "rows")) === report().pages;
      });
      assert.ok((await page.locator('[data-chart="memory"] path').first().getAttribute("d")).length > 10);
      assert.equal(await page.locator("#pause").isVisible(), false);
      await page.getByRole("link", { name: "6 hours" }).click();
      assert.equal(await page.locator(".charts").getAttribute("data-span"), "21600");
    }));

  test("the hosts and their links are the same in the picture, in the tables and in the report", () =>
    withPage({}, async (page) => {
      const { hosts } = report();
      const wanted = hosts.map((host) => [host.host, host.pages, host["2xx"], host["3xx"], host["4xx"], host["5xx"]].join(" ")).sort();
      await until("the hosts of the report", async () => {
        await page.goto(`${board}/hosts`);
        const rows = await page.getByRole("region", { name: "Contents of the hosts" }).locator("tbody tr").allInnerTexts();
        const shown = rows.map((text) => text.split("\t")).map((row) => [row[0], row[2], ...row.slice(4, 8)].join(" "));
        return JSON.stringify(shown.sort()) === JSON.stringify(wanted);
      });
      assert.equal(await page.locator(".map circle").count(), Math.min(hosts.length, 40));
      await page.getByText("The same as a table").click();
      assert.equal(await page.getByRole("region", { name: "Links" }).locator("tbody tr").count(), await page.locator(".map .lines path").count());
    }));

  for (const [look, options] of Object.entries(looks)) {
    test(`the dashboard and the hosts are accessible and fit: ${look}`, () =>
      withPage(options, async (page) => {
        for (const name of ["dashboard", "hosts"]) {
          await page.goto(`${board}/${name}`);
          if (name === "dashboard") await page.locator("#steer").waitFor();
          await page.screenshot({ path: path.join(screenshots, `${name}-${look}.png`), fullPage: true });
          await assertReadable(page, `${name}, ${look}`);
        }
      }));
  }

  test("seeds are added, or the page says why not", () =>
    withPage({ allowed: /400/ }, async (page) => {
      await page.goto(`${board}/dashboard`);
      await page.locator("#seed").fill("http://not a url/");
      await page.getByRole("button", { name: "Add" }).click();
      await until("the error", async () => (await page.locator("#seeds-said").innerText()) !== "");
      const before = (await crawl()).seeds.length;
      await page.locator("#seed").fill("http://late.test/<script>alert(1)</script>");
      await page.getByRole("button", { name: "Add" }).click();
      await until("the seed", async () => (await crawl()).seeds.length === before + 1);
      await page.reload();
      assert.match(await page.locator("#seeds").innerText(), /late\.test/);
    }));

  test("pause outlasts a restart", () =>
    withPage({ allowed: /ERR_|Failed to load/ }, async (page) => {
      await page.goto(`${board}/dashboard`);
      await page.getByRole("button", { name: "Pause (stays paused after a restart)" }).click();
      await until("it to be paused", async () => (await crawl()).state === "paused");
      await stop();
      await page.locator("#lost").waitFor();
      await start();
      assert.equal((await crawl()).state, "paused");
      await page.goto(`${board}/dashboard`);
      await page.getByRole("button", { name: "Resume" }).click();
      await until("it to go on", async () => (await crawl()).state !== "paused");
    }));
});
