// A search box with results for a page of another site (docs/embed.md):
//
//   <script src="https://search.example.org/embed.js" async></script>
//
// Attributes of the script: data-target (a selector; default: the place of the script), data-key (a search key),
// data-count, data-site, data-lang, data-label.  Everything is inserted as text, so no search result can add markup.

interface Found {
  url: string;
  title: string;
  snippet: string;
}
interface Answer {
  total: number;
  results: Found[];
  did_you_mean?: string;
  error?: { message: string };
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, text = ""): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

// Accepts only URLs of pages: a javascript: URL in an index must not become a link.
function isPage(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function resultOf(found: Found): HTMLElement {
  const item = element("li", "crivello-result");
  const link = element("a", "crivello-title", found.title || found.url);
  if (isPage(found.url)) link.href = found.url;
  item.append(link, element("div", "crivello-url", found.url), element("div", "crivello-snippet", found.snippet));
  return item;
}

function embed(script: HTMLScriptElement): void {
  const { target, key, count, site, lang, label } = script.dataset;
  const place = target ? document.querySelector(target) : null;
  const box = element("div", "crivello");
  const form = element("form", "crivello-form");
  const input = element("input", "crivello-input");
  const button = element("button", "crivello-button", label ?? "Search");
  const said = element("p", "crivello-status");
  const list = element("ol", "crivello-results");
  input.type = "search";
  input.setAttribute("aria-label", label ?? "Search");
  said.setAttribute("role", "status");
  form.append(input, button);
  box.append(form, said, list);
  // A script in the head, or before any text of the page, has no visible place.
  if (place) place.append(box);
  else if (script.closest("head")) document.body.append(box);
  else script.after(box);

  let asked = 0;
  const show = async (query: string): Promise<void> => {
    const turn = ++asked;
    const url = new URL("api/v1/search", new URL(".", script.src));
    url.searchParams.set("q", query);
    url.searchParams.set("n", count ?? "10");
    if (site) url.searchParams.set("site", site);
    if (lang) url.searchParams.set("lang", lang);
    said.textContent = "…";
    let answer: Answer;
    try {
      const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
      const response = await fetch(url, { headers, credentials: "omit", referrerPolicy: "no-referrer" });
      answer = (await response.json()) as Answer;
    } catch {
      answer = { total: 0, results: [], error: { message: "The search server does not answer, or does not allow this page to ask it." } };
    }
    if (turn !== asked) return; // a later search was sent meanwhile
    const results = answer.results ?? [];
    list.replaceChildren(...results.map(resultOf));
    said.textContent = answer.error ? answer.error.message : results.length === 0 ? `No results for “${query}”` : `${answer.total} ${answer.total === 1 ? "result" : "results"}`;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) void show(input.value);
  });
}

const own = document.currentScript;
if (own instanceof HTMLScriptElement) {
  // The target may come after the script.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => embed(own));
  else embed(own);
}
