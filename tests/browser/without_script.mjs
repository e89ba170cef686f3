import assert from "node:assert/strict";
import test from "node:test";
import { base, withPage } from "./world.mjs";

test("everything works without JavaScript", () =>
  withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(base);
    await page.locator("#q").fill("apple mela");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=apple\+mela/);
    assert.ok((await page.locator(".result").count()) > 1);
    assert.equal(await page.locator("#theme").isVisible(), false);

    await page.getByLabel("Language").selectOption("it");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/lang=it/);
    assert.equal(await page.locator(".result h2").first().innerText(), "La mela");
    await page.getByRole("link", { name: "Remove the filter: Italian" }).click();

    await page.locator("details.copies summary").first().click();
    assert.equal(await page.locator("details.copies li").first().isVisible(), true);
    await page.locator(".menu summary").first().click();
    await page.getByRole("link", { name: "Cached copy" }).first().click();
    await page.waitForURL(/\/cached/);
    assert.match(await page.locator(".banner").innerText(), /A copy of http/);
  }));
