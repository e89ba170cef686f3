// Requests of a crawl with --sign-key, and the directory of its key, judged by a library that is not ours.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { createVerifier, httpbis } from "http-message-signatures";
import { freePort, program, services, until } from "./world.mjs";

const run = promisify(execFile);

async function withFolder(use) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "crivello-signed-"));
  try {
    const { stdout } = await run(program, ["--json", "sign-key", "new", path.join(folder, "bot.pem")]);
    await use(folder, JSON.parse(stdout));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const keyOf = (jwk) => crypto.createPublicKey({ key: jwk, format: "jwk" });

function verify(config, message, request) {
  const [jwk] = config.keys;
  return httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) =>
        keyid === jwk.kid ? { id: keyid, algs: ["ed25519"], verify: createVerifier(keyOf(jwk), "ed25519") } : null,
      requiredFields: config.fields,
      requiredParams: ["created", "expires", "keyid", "tag"],
    },
    message,
    request,
  );
}

test("a signed crawl: each request is what its key has signed", () =>
  withFolder(async (folder, { keyid, directory }) => {
    const requests = [];
    const server = http.createServer((request, response) => {
      requests.push({ method: request.method, url: `http://${request.headers.host}${request.url}`, headers: request.headers });
      response.setHeader("Content-Type", request.url === "/robots.txt" ? "text/plain" : "text/html");
      response.end(request.url === "/" ? '<a href="/a%20b?x=1&y=%2F">one</a> <a href="/plain">two</a>' : "");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const crawl = (name, ...more) =>
      run(program, ["-C", path.join(folder, name), "crawl", `http://127.0.0.1:${server.address().port}/`, "--allow-private",
        "--delay", "1ms", "--ip-delay", "1ms", "--quiet", ...more]);
    try {
      await crawl("c", "--sign-key", path.join(folder, "bot.pem"), "--sign-agent", "https://bot.example/");
      assert.deepEqual(requests.map(({ url }) => new URL(url).pathname).sort(), ["/", "/a%20b", "/plain", "/robots.txt"]);
      const fields = ["@method", "@authority", "@path", "@query", "signature-agent"];
      for (const request of requests) {
        assert.equal(request.headers["signature-agent"], 'sig1="https://bot.example/.well-known/http-message-signatures-directory"');
        assert.match(request.headers["signature-input"], new RegExp(`;keyid="${keyid}";.*;tag="web-bot-auth"$`));
        assert.equal(await verify({ keys: directory.keys, fields }, request), true, request.url);
        // Anything else that the key has not signed.
        const others = [
          { ...request, url: `${request.url.split("?")[0]}?other` },
          { ...request, url: request.url.replace(/:\d+/, ":1") },
          { ...request, method: "POST" },
          { ...request, headers: { ...request.headers, "signature-agent": 'sig1="https://other.example/"' } },
        ];
        for (const other of others) {
          assert.notEqual(await verify({ keys: directory.keys, fields }, other).catch(() => false), true, other.url);
        }
      }
      const nonces = requests.map(({ headers }) => /;nonce="([^"]+)"/.exec(headers["signature-input"])[1]);
      assert.equal(new Set(nonces).size, requests.length);
      requests.length = 0;
      await crawl("unsigned");
      assert.ok(requests.length > 0 && requests.every(({ headers }) => headers.signature === undefined));
    } finally {
      server.close();
    }
  }));

test("the server publishes the key, signed for the name that it was called by", () =>
  withFolder(async (folder, { keyid, directory }) => {
    const documents = path.join(folder, "d.jsonl");
    fs.writeFileSync(documents, '{"url":"https://a.example/","text":"tortoise"}\n');
    await run(program, ["-C", path.join(folder, "c"), "import", documents]);
    await run(program, ["-C", path.join(folder, "c"), "index"]);
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    services.push(base);
    const child = spawn(
      program,
      ["-C", path.join(folder, "c"), "serve", "--listen", `127.0.0.1:${port}`, "--sign-key", path.join(folder, "bot.pem")],
      { stdio: "ignore" },
    );
    const ended = new Promise((resolve) => child.on("exit", resolve));
    try {
      const url = `${base}/.well-known/http-message-signatures-directory`;
      const answer = await until("the server", () => fetch(url));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("content-type"), "application/http-message-signatures-directory+json");
      const body = await answer.text();
      assert.deepEqual(JSON.parse(body), directory);
      // RFC 7638, by hand.
      const [jwk] = directory.keys;
      const thumbprint = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x });
      assert.equal(crypto.createHash("sha256").update(thumbprint).digest("base64url"), keyid);
      const headers = Object.fromEntries(answer.headers);
      assert.equal(headers["content-digest"], `sha-256=:${crypto.createHash("sha256").update(body).digest("base64")}:`);
      const fields = ["@authority", "content-digest"];
      const asked = (host) => ({ method: "GET", url: `http://${host}/.well-known/http-message-signatures-directory`, headers: { host } });
      const of = (host) => verify({ keys: directory.keys, fields }, { status: 200, headers }, asked(host)).catch(() => false);
      assert.equal(await of(`127.0.0.1:${port}`), true);
      assert.notEqual(await of("other.example"), true);
    } finally {
      child.kill("SIGINT");
      await ended;
    }
  }));
