// Forgetting: first previews what would be deleted, then asks for confirmation, then waits for the end.
import { ask, messageOf } from "./api";
import { refresh } from "./fresh_sections";
import { counted, element, examples } from "./markup";

interface Preview {
  target: string;
  pages: number;
  versions: number;
  bytes: number;
  examples: string[];
}
interface State {
  running: boolean;
  failed?: string;
}

const path = "/api/v1/forgotten";
const kLook = 1000;

function sizeOf(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.length; unit++) bytes /= 1024;
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

function described(preview: Preview): HTMLElement[] {
  const text =
    preview.pages === 0
      ? "No stored page matches. The target would be kept out from now on."
      : `${counted(preview.pages, "page", "pages")} in ${counted(preview.versions, "version", "versions")}, ${sizeOf(preview.bytes)}, would be deleted permanently and kept out:`;
  return [element("p", text), ...examples(preview.examples, preview.pages)];
}

export function bindForgetting(): void {
  const form = document.querySelector<HTMLFormElement>("#forget");
  const target = document.querySelector<HTMLInputElement>("#forget-target");
  const reason = document.querySelector<HTMLInputElement>("#forget-reason");
  const shown = document.getElementById("forget-preview");
  const word = document.querySelector<HTMLButtonElement>("#forget-now");
  const said = document.getElementById("forget-said");
  if (!form || !target || !reason || !shown || !word || !said) return;
  let wanted: string | null = null;

  const clear = (): void => {
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
  // Polls until it has ended; if the server does not answer meanwhile, tries again.
  const watch = async (): Promise<string> => {
    said.textContent = "Deletion is in progress. It continues even if you leave this page.";
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, kLook));
      const state = await ask<State>("GET", path).catch(() => null);
      if (state === null || state.running) continue;
      await refresh().catch(() => undefined);
      return state.failed === undefined ? "Forgotten." : `The deletion was interrupted: ${state.failed}`;
    }
  };

  form.hidden = false;
  void act(async () => ((await ask<State>("GET", path)).running ? watch() : ""));
  target.addEventListener("input", clear);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clear();
    void act(async () => {
      const preview = await ask<Preview>("GET", `${path}/preview?${new URLSearchParams({ target: target.value.trim() })}`);
      wanted = preview.target;
      shown.replaceChildren(...described(preview));
      word.hidden = false;
      return "";
    });
  });
  word.addEventListener("click", () => {
    const one = wanted;
    if (one === null) return;
    word.disabled = true;
    void act(async () => {
      await ask<State>("POST", path, { target: one, reason: reason.value });
      clear();
      form.reset();
      void refresh().catch(() => undefined);
      return watch();
    }).finally(() => (word.disabled = false));
  });
}
