import assert from "node:assert/strict";
import test from "node:test";
import { base, focusedBox, web, withPage } from "./world.mjs";

const titles = (page) => page.locator(".result h2").allInnerTexts();

test("a search from the first page shows results with their words marked", () =>
  withPage({}, async (page) => {
    await page.goto(base);
    await focusedBox(page);
    await page.keyboard.type("quince sugar");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?q=quince\+sugar$/);
    assert.equal((await titles(page))[0], "The quince");
    assert.deepEqual([...new Set(await page.locator(".result").first().locator("mark").allInnerTexts())].map((word) => word.toLowerCase()).sort(), ["quince", "sugar"]);
    assert.match(await page.locator("#found").innerText(), /^\d+ matching pages? in \d+ ms( · \d+ (copy or translation|copies or translations) hidden)?$/);
    assert.equal(await page.locator(".result h2 a").first().getAttribute("href"), web.url("orchard.test", "/quince"));
  }));

test("filters are chosen, shown and removed", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=mela+apple`);
    await page.getByLabel("Language").selectOption("it");
    await page.waitForURL(/lang=it/);
    assert.deepEqual(await titles(page), ["La mela", "Il frutteto"]);
    await page.getByRole("link", { name: "Remove the filter: Italian" }).click();
    await page.waitForURL((url) => !url.search.includes("lang"));
    assert.ok((await titles(page)).includes("The apple"));
    await page.getByLabel("Site").fill("mirror.test");
    await page.keyboard.press("Enter");
    await page.waitForURL(/site=mirror\.test/);
    for (const crumbs of await page.locator(".results .crumbs").allInnerTexts()) assert.match(crumbs, /^mirror\.test/);
    await page.goto(`${base}/?q=apple&date=day`);
    assert.ok((await titles(page)).length > 0);
    await page.goto(`${base}/?q=apple&date=2001`);
    assert.equal((await titles(page)).length, 0);
  }));

test("copies are folded under the best of them", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=apple+cider+juice`);
    const copies = page.locator(".result").first().locator("details.copies");
    assert.equal(await copies.locator("summary").innerText(), "2 similar pages");
    assert.equal(await copies.locator("li").first().isVisible(), false);
    await copies.locator("summary").click();
    assert.equal(await copies.locator("li").count(), 2);
    assert.equal(await copies.locator("li").first().isVisible(), true);
  }));

test("results of one site are grouped", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=trees+orchard`);
    await page.getByRole("link", { name: /more from orchard\.test/ }).click();
    await page.waitForURL(/site=orchard\.test/);
    assert.equal((await titles(page)).length, 10);
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL(/page=2/);
    assert.ok((await titles(page)).length > 0);
  }));

test("suggestions are chosen by keyboard", () =>
  withPage({}, async (page) => {
    await page.goto(base);
    await focusedBox(page);
    await page.keyboard.type("medl");
    const list = page.getByRole("listbox");
    await list.waitFor();
    assert.equal(await page.locator("#q").getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    const first = await list.getByRole("option", { selected: true }).innerText();
    assert.equal(await page.locator("#q").inputValue(), first);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#q").inputValue(), "medl");
    assert.equal(await list.isVisible(), false);
    await page.keyboard.type("a");
    await list.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?q=medlar$/);
    assert.equal((await titles(page))[0], "The medlar");
  }));

test("the box is reached by / and by Ctrl-K, and / can be switched off", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=fig`);
    const focused = () => page.evaluate(() => document.activeElement?.id);
    const leave = () => page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("/");
    assert.equal(await focused(), "q");
    assert.equal(await page.locator("#q").inputValue(), "fig");
    await leave();
    await page.keyboard.press("Control+k");
    assert.equal(await focused(), "q");
    await page.locator("#slash").uncheck();
    await page.reload();
    await page.keyboard.press("/");
    assert.notEqual(await focused(), "q");
  }));

test("a score is explained, with the links to the page", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=pear+cellar`);
    await page.locator(".result .menu summary").first().click();
    await page.getByRole("link", { name: "How this result was ranked" }).first().click();
    await page.waitForURL(/\/explain\?/);
    assert.match(await page.locator(".about").first().innerText(), /Result 1 for pear cellar/);
    assert.ok((await page.locator("table.score meter").count()) > 2);
    assert.match(await page.locator(".inlinks").innerText(), /all about the pear on The orchard/);
  }));

test("the menu closes by Escape, and leads to what was decided and to similar pages", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=plums`);
    const menu = page.locator(".result .menu").first();
    await menu.locator("summary").click();
    await page.keyboard.press("Escape");
    assert.equal(await menu.getAttribute("open"), null);
    await menu.locator("summary").click();
    await menu.getByRole("link", { name: "Crawl history of this page" }).click();
    assert.match(await page.locator(".ledger").innerText(), /fetched, the server answered 200/);
    await page.goto(`${base}/similar?url=${encodeURIComponent(web.url("orchard.test", "/apple"))}`);
    assert.ok((await titles(page)).length > 0);
  }));

test("a misspelt word is set right, and nothing found says what was tried", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=mulbery`);
    assert.equal(await page.locator(".note").innerText(), 'no page has "mulbery": these are results for mulberry');
    assert.equal((await titles(page))[0], "The mulberry");
    await page.goto(`${base}/?q=zzyzxqq`);
    assert.match(await page.locator("main").innerText(), /No results for “zzyzxqq”/);
    assert.equal(await page.locator(".meant").count(), 0);
  }));

test("the same results come as JSON, CSV and RSS", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=quince`);
    for (const [name, type] of [["JSON", "application/json"], ["CSV", "text/csv"], ["RSS", "application/rss+xml"]]) {
      const target = await page.getByRole("link", { name, exact: true }).getAttribute("href");
      const answer = await fetch(base + target);
      assert.equal(answer.status, 200, target);
      assert.ok(answer.headers.get("content-type").startsWith(type), name);
      assert.match(await answer.text(), /orchard\.test:\d+\/quince/);
    }
  }));
