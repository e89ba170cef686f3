// `crivello demo`: the program crawling the built-in web, by a process of its own.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { freePort, program, services, until } from "./world.mjs";

// Answers when this returns; the collection stays when it is stopped.
export async function startDemo(collection) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  services.push(base);
  const log = fs.openSync(path.join(path.dirname(program), "browser", "dashboard.log"), "a");
  const child = spawn(program, ["demo", "--keep", collection, "--listen", `127.0.0.1:${port}`], { stdio: ["ignore", log, log] });
  let ended = false;
  child.on("exit", () => (ended = true));
  await until("the demo to answer", async () => (await fetch(`${base}/health/livez`)).ok);
  return {
    base,
    crawl: async () => (await fetch(`${base}/api/v1/crawl`)).json(),
    stop: async () => {
      child.kill("SIGINT");
      await until("the demo to end", async () => ended, 30);
    },
  };
}
