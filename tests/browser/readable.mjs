// What every page must be, on every screen.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";

export const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
export const looks = { light: {}, dark: { colorScheme: "dark" }, phone };

// Accessible, and no wider than the screen.
export async function assertReadable(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { iframes: false }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], name);
  const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
  assert.ok(wide <= room, `${name} is ${wide} wide on a screen of ${room}`);
}
