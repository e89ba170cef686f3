import assert from "node:assert/strict";
import test from "node:test";
import { base, until, withPage } from "./world.mjs";

test("the first page counts while the crawl goes on", () =>
  withPage({}, async (page) => {
    await page.goto(base);
    const counted = async () => Number(await page.locator("#counts").getAttribute("data-documents"));
    assert.equal(await page.locator("#counts").getAttribute("data-growing"), "true");
    const before = await counted();
    await until("the counts to grow without a reload", async () => (await counted()) > before, 40);
  }));

test("results appear during the crawl, and the page says so", () =>
  withPage({}, async (page) => {
    await until("a first tortoise", async () => {
      await page.goto(`${base}/?q=tortoise`);
      return (await page.locator(".result").count()) > 0;
    });
    const offer = page.locator("#newer a");
    await offer.waitFor({ state: "visible", timeout: 40000 });
    const before = Number(await page.locator("#found").getAttribute("data-total"));
    await offer.click();
    await page.waitForLoadState();
    assert.ok(Number(await page.locator("#found").getAttribute("data-total")) > before);
  }));
