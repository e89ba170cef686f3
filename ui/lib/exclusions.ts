// Exclusions: first previews what one would drop, then asks for confirmation.
import { ask, messageOf } from "./api";
import { counted, element, examples } from "./markup";

interface Exclusion {
  kind: string;
  value: string;
}
interface Preview extends Exclusion {
  queued: number;
  queued_hosts: number;
  queued_examples: string[];
  unsifted: number;
  rows: number;
  row_examples: string[];
  seeds: string[];
}
interface Excluded {
  dropped: number | null;
  exclusions: Exclusion[];
}

const path = "/api/v1/crawl/exclusions";

function described(preview: Preview): HTMLElement[] {
  const queued =
    preview.queued === 0
      ? "No queued URL would be dropped."
      : `${counted(preview.queued, "queued URL", "queued URLs")} on ${counted(preview.queued_hosts, "host", "hosts")} would be dropped permanently:`;
  const rows =
    preview.rows === 0
      ? "No fetched page matches."
      : `${counted(preview.rows, "page", "pages")} already fetched ${preview.rows === 1 ? "matches: it stays" : "match: they stay"} and can still be found:`;
  const parts = [element("p", queued), ...examples(preview.queued_examples, preview.queued), element("p", rows), ...examples(preview.row_examples, preview.rows)];
  if (preview.unsifted > 0) parts.push(element("p", `${counted(preview.unsifted, "URL is", "URLs are")} still waiting for the sieve; the exclusion is applied to them later.`));
  if (preview.seeds.length > 0) parts.push(element("p", `The exclusion covers these seeds: ${preview.seeds.join(", ")}`));
  return parts;
}

export function bindExclusions(): void {
  const form = document.querySelector<HTMLFormElement>("#exclude");
  const kind = document.querySelector<HTMLSelectElement>("#exclude-kind");
  const value = document.querySelector<HTMLInputElement>("#exclude-value");
  const shown = document.getElementById("preview");
  const word = document.querySelector<HTMLButtonElement>("#exclude-now");
  const said = document.getElementById("exclude-said");
  const list = document.getElementById("exclusions");
  if (!form || !kind || !value || !shown || !word || !said || !list) return;
  let wanted: Exclusion | null = null;

  const forget = (): void => {
    wanted = null;
    shown.replaceChildren();
    word.hidden = true;
  };
  const act = async (work: () => Promise<string>): Promise<void> => {
    said.textContent = "";
    try {
      said.textContent = await work();
    } catch (error) {
      said.textContent = messageOf(error);
    }
  };
  const showList = (exclusions: Exclusion[]): void => {
    list.replaceChildren(...exclusions.map((one) => item(one)));
  };
  const item = (one: Exclusion): HTMLLIElement => {
    const made = element("li", `${one.kind} ${one.value} `);
    const back = element("button", "Remove");
    back.type = "button";
    back.setAttribute("aria-label", `Remove: ${one.kind} ${one.value}`);
    back.addEventListener("click", () =>
      act(async () => {
        const { exclusions } = await ask<Excluded>("POST", `${path}/remove`, one);
        showList(exclusions);
        return "Matching URLs are accepted again when a page links to them. What was dropped stays dropped.";
      }),
    );
    made.append(back);
    return made;
  };

  form.hidden = false;
  void act(async () => {
    showList((await ask<Excluded>("GET", path)).exclusions);
    return "";
  });
  kind.addEventListener("change", forget);
  value.addEventListener("input", forget);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    forget();
    void act(async () => {
      const query = new URLSearchParams({ kind: kind.value, value: value.value });
      const preview = await ask<Preview>("GET", `${path}/preview?${query}`);
      wanted = { kind: preview.kind, value: preview.value };
      shown.replaceChildren(...described(preview));
      word.hidden = false;
      return "";
    });
  });
  word.addEventListener("click", () => {
    const one = wanted;
    if (!one) return;
    forget();
    void act(async () => {
      const { dropped, exclusions } = await ask<Excluded>("POST", path, one);
      showList(exclusions);
      value.value = "";
      return dropped === null ? "Excluded. Matching URLs are being dropped from the queues." : `Excluded. ${counted(dropped, "URL", "URLs")} dropped.`;
    });
  });
}
