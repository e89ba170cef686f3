import assert from "node:assert/strict";
import test from "node:test";
import { base, web, withPage } from "./world.mjs";

const copyOf = (host, path) => `${base}/cached?url=${encodeURIComponent(web.url(host, path))}`;
const contentOf = (host, path) => `${base}/cached/content?url=${encodeURIComponent(web.url(host, path))}`;

test("a cached copy is shown with its date, and its links lead to copies", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=quince`);
    await page.locator(".result .menu summary").first().click();
    await page.getByRole("link", { name: "Cached copy" }).first().click();
    await page.waitForURL(/\/cached\?/);
    assert.match(await page.locator(".banner").innerText(), /as it was on \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    const frame = page.frameLocator("iframe");
    assert.equal(await frame.locator("h1").innerText(), "The quince");
    assert.equal(await frame.getByRole("link", { name: "elsewhere" }).getAttribute("href"), "http://elsewhere.test/");
    assert.equal(await frame.getByRole("link", { name: "a private page" }).getAttribute("href"), web.url("orchard.test", "/private"));
    await frame.getByRole("link", { name: "the medlar" }).click();
    await page.waitForURL(/medlar/);
    assert.equal(await page.frameLocator("iframe").locator("h1").innerText(), "The medlar");
  }));

test("no copy is shown of a page that asks for none", () =>
  withPage({ allowed: /404/ }, async (page) => {
    assert.equal((await page.goto(copyOf("orchard.test", "/private"))).status(), 404);
    assert.match(await page.locator("main").innerText(), /asks that no copy be shown/);
    assert.equal((await page.goto(contentOf("orchard.test", "/private"))).status(), 404);
  }));

test("a copy runs, sends and loads nothing", () =>
  withPage({}, async (page) => {
    web.leaks.length = 0;
    for (const address of [copyOf("hostile.test", "/"), contentOf("hostile.test", "/")]) {
      await page.goto(address, { waitUntil: "networkidle" });
      const frame = page.frames().at(-1);
      assert.equal(await frame.locator("h1").innerText(), "Poison ivy");
      await frame.locator("h1").click();
      await frame.getByText("a script").click();
      assert.equal(await frame.evaluate(() => window.taken), undefined);
      assert.equal(await frame.locator("script, form, iframe, object, link, [onclick], [onmouseover]").count(), 0);
    }
    assert.deepEqual(web.leaks, []);
  }));

test("a copy could not read what the service keeps, nor call it, even if it ran", () =>
  withPage({ allowed: /Content Security Policy|Failed to fetch|CORS|sandbox/i }, async (page) => {
    await page.goto(base);
    await page.evaluate(() => {
      localStorage.setItem("theme", "dark");
      document.cookie = "secret=1";
    });
    for (const address of [copyOf("hostile.test", "/"), contentOf("hostile.test", "/")]) {
      await page.goto(address);
      const frame = page.frames().at(-1);
      const tried = await frame.evaluate(async () => {
        const outcome = (attempt) => {
          try {
            return String(attempt());
          } catch (error) {
            return error.name;
          }
        };
        return {
          origin: self.origin,
          cookie: outcome(() => document.cookie),
          storage: outcome(() => localStorage.getItem("theme")),
          parent: self === top ? "SecurityError" : outcome(() => top.document.title),
          api: await fetch("/api/v1/search?q=apple").then(() => "answered", (error) => error.name),
        };
      });
      assert.deepEqual(tried, { origin: "null", cookie: "SecurityError", storage: "SecurityError", parent: "SecurityError", api: "TypeError" });
    }
  }));

test("a hostile title is text among the results", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=poison+ivy`);
    assert.equal(await page.locator(".result h2").first().innerText(), "Poison ivy <script>window.taken = true</script>");
    assert.match(await page.locator(".snippet").first().innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await page.evaluate(() => window.taken), undefined);
  }));
