import { after, before } from "node:test";
import { close, crawled } from "./world.mjs";

before(crawled, { timeout: 90000 });
after(close);

const wanted = (process.env.CRIVELLO_TESTS ?? "").split(" ").filter(Boolean);
for (const part of ["growth", "search", "without_script", "copies", "looks", "dashboard", "forgetting", "embed", "signed", "requests"]) {
  if (wanted.length === 0 || wanted.includes(part)) await import(`./${part}.mjs`);
}
