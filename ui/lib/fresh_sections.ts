// Reloads slowly changing tables now and then, from the page itself, so that only the server renders them.

const kSeconds = 5;

function inUse(section: Element): boolean {
  const selection = document.getSelection();
  return section.contains(document.activeElement) || (selection !== null && !selection.isCollapsed && selection.containsNode(section, true));
}

export async function refresh(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const section of document.querySelectorAll<HTMLElement>("[data-fresh]")) {
    const fresh = now.querySelector(`[data-fresh="${section.dataset.fresh}"]`);
    // Does not disturb a visitor who reads or scrolls it.
    const left = section.querySelector(".scrolls")?.scrollLeft ?? 0;
    if (fresh && !inUse(section) && left === 0) section.replaceWith(document.importNode(fresh, true));
  }
}

export function keepSectionsFresh(): void {
  setInterval(() => {
    // If the server does not answer, another part of the page says so.
    if (document.visibilityState === "visible") refresh().catch(() => undefined);
  }, kSeconds * 1000);
}
