import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { assertReadable, axe, looks } from "./readable.mjs";
import { base, focusedBox, screenshots, web, withPage } from "./world.mjs";

fs.rmSync(screenshots, { recursive: true, force: true });
fs.mkdirSync(screenshots, { recursive: true });

const apple = encodeURIComponent(web.url("orchard.test", "/apple"));
const pages = {
  home: "/",
  results: "/?q=apple+orchard",
  filtered: "/?q=mela&lang=it",
  nothing: "/?q=zzyzxqq",
  cached: `/cached?url=${apple}`,
  explain: `/explain?q=apple+orchard&url=${apple}`,
  why: `/why?url=${apple}`,
  similar: `/similar?url=${apple}`,
  missing: "/no-such-page",
};

for (const [look, options] of Object.entries(looks)) {
  test(`all pages are accessible and fit: ${look}`, () =>
    withPage({ ...options, allowed: /404/ }, async (page) => {
      for (const [name, target] of Object.entries(pages)) {
        await page.goto(base + target);
        await page.screenshot({ path: path.join(screenshots, `${name}-${look}.png`) });
        await assertReadable(page, `${name}, ${look}`);
      }
    }));
}

test("what opens is accessible too", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=apple+cider`);
    await page.locator("details.copies summary").first().click();
    await page.locator(".menu summary").nth(1).click();
    await page.screenshot({ path: path.join(screenshots, "menu-light.png") });
    await page.evaluate(axe);
    assert.deepEqual((await page.evaluate(() => globalThis.axe.run())).violations.map(({ id }) => id), []);
    await page.goto(base);
    await focusedBox(page);
    await page.keyboard.type("m");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.screenshot({ path: path.join(screenshots, "suggestions-light.png") });
    await page.evaluate(axe);
    assert.deepEqual((await page.evaluate(() => globalThis.axe.run())).violations.map(({ id }) => id), []);
  }));

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("colours follow the system, or the switch, which is remembered", () =>
  withPage({}, async (page) => {
    await page.goto(base);
    const light = await paper(page);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await paper(page);
    assert.notEqual(dark, light);
    await page.locator("#theme").click(); // light
    assert.equal(await paper(page), light);
    await page.goto(`${base}/?q=apple`);
    assert.equal(await paper(page), light);
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("#theme").click(); // dark
    assert.equal(await paper(page), dark);
    await page.reload();
    assert.equal(await paper(page), dark);
    await page.locator("#theme").click(); // as the system
    assert.equal(await paper(page), light);
    assert.equal(await page.evaluate(() => document.cookie), "");
  }));

test("the keyboard reaches the content at once, and focus shows", () =>
  withPage({}, async (page) => {
    await page.goto(`${base}/?q=apple`);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    assert.equal(await skip.evaluate((link) => link === document.activeElement), true);
    assert.equal(await skip.evaluate((link) => link.getBoundingClientRect().top >= 0 && getComputedStyle(link).outlineStyle !== "none"), true);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  }));
