// Updates the counts while the collection grows, and says when a search would find more. It fetches the page itself,
// so that only the server computes the numbers.

const kSeconds = 3;
const kAfter = 4;

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, kSeconds * 1000));
}

async function fetchedPage(): Promise<Document | null> {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null; // the server was stopped, or the network failed: the page stays as it is
  }
}

function showMore(now: Document): void {
  const status = document.querySelector<HTMLElement>("#found");
  const fresh = now.querySelector<HTMLElement>("#found");
  const offer = document.querySelector<HTMLElement>("#newer");
  if (!status || !fresh || !offer) return;
  const more = Number(fresh.dataset.total) - Number(status.dataset.total);
  if (more <= 0) return;
  offer.hidden = false;
  const link = offer.querySelector("a");
  if (link) link.textContent = more === 1 ? "1 new result: show it" : `${more} new results: show them`;
}

export async function watchGrowth(): Promise<void> {
  let counts = document.querySelector<HTMLElement>("#counts");
  const growing = (): boolean => counts?.dataset.growing === "true";
  // The index is some seconds behind the crawl: when that has ended, there is a little more to come.
  for (let left = growing() ? kAfter : 0; counts && left > 0; left = growing() ? kAfter : left - 1) {
    await wait();
    if (document.visibilityState !== "visible") continue;
    const now = await fetchedPage();
    const fresh = now?.querySelector<HTMLElement>("#counts");
    if (!now || !fresh) continue;
    const taken = document.importNode(fresh, true);
    counts.replaceWith(taken);
    counts = taken;
    showMore(now);
  }
}
