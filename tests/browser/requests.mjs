// Comes last: what all the others made the browser do.
import assert from "node:assert/strict";
import test from "node:test";
import { requests, services } from "./world.mjs";

test("no page asks anyone but the service", () => {
  assert.ok(requests.length > 20);
  assert.deepEqual(requests.filter((url) => !services.some((base) => url.startsWith(`${base}/`)) && !url.startsWith("data:")), []);
});
