// Pages to fetch, and limits.
import { ask, messageOf } from "./api";

function bindOffer(): void {
  const form = document.querySelector<HTMLFormElement>("#offer");
  const field = document.querySelector<HTMLTextAreaElement>("#offer-urls");
  const date = document.querySelector<HTMLInputElement>("#offer-date");
  const said = document.getElementById("offer-said");
  if (!form || !field || !date || !said) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const urls = field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    const order: { urls: string[]; not_before?: string } = { urls };
    // The field uses the browser's time zone.
    if (date.value) order.not_before = new Date(date.value).toISOString();
    try {
      await ask("POST", "/api/v1/crawl/urls", order);
      field.value = "";
      const when = date.value ? "Fetching starts at that time." : "Fetched next on their host.";
      said.textContent = urls.length === 1 ? `Accepted. ${when}` : `${urls.length} pages accepted. ${when}`;
    } catch (error) {
      said.textContent = messageOf(error);
    }
  });
}

function bindLimits(): void {
  const form = document.querySelector<HTMLFormElement>("#limits");
  const said = document.getElementById("limits-said");
  if (!form || !said) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const limits: Record<string, number> = {};
    for (const field of form.querySelectorAll<HTMLInputElement>("input")) limits[field.name] = Number(field.value);
    try {
      const now = await ask<Record<string, number>>("POST", "/api/v1/crawl/limits", limits);
      for (const field of form.querySelectorAll<HTMLInputElement>("input")) field.value = String(now[field.name]);
      said.textContent = "Limits changed until the program ends.";
    } catch (error) {
      said.textContent = messageOf(error);
    }
  });
}

export function bindOrders(): void {
  bindOffer();
  bindLimits();
}
