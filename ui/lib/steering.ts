// Pause, resume and seeds.
import { ask, messageOf } from "./api";

function bindButton(id: string, path: string, done: string): void {
  const button = document.getElementById(id) as HTMLButtonElement | null;
  const said = document.getElementById("said");
  button?.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await ask("POST", path, {});
      if (said) said.textContent = done;
    } catch (error) {
      if (said) said.textContent = messageOf(error);
    }
    button.disabled = false;
  });
}

function bindSeeds(): void {
  const form = document.querySelector<HTMLFormElement>("#add-seeds");
  const field = document.querySelector<HTMLTextAreaElement>("#seed");
  const said = document.getElementById("seeds-said");
  if (!form || !field || !said) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const urls = field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    try {
      const { seeds } = await ask<{ seeds: string[] }>("POST", "/api/v1/crawl/seeds", { urls });
      const list = document.getElementById("seeds");
      const items = seeds.slice(0, 20).map((seed) => {
        const item = document.createElement("li");
        item.textContent = seed;
        return item;
      });
      list?.replaceChildren(...items);
      field.value = "";
      said.textContent = urls.length === 1 ? "Added." : `${urls.length} seeds added.`;
    } catch (error) {
      said.textContent = messageOf(error);
    }
  });
}

export function bindSteering(): void {
  const steer = document.getElementById("steer");
  if (steer) steer.hidden = false;
  bindButton("pause", "/api/v1/crawl/pause", "Paused. The crawl stays paused even if the program is restarted.");
  bindButton("resume", "/api/v1/crawl/resume", "Resumed.");
  bindSeeds();
}
