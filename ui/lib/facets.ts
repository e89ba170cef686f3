// Counts of sites, languages, types and years beside the results, loaded later because they take longer. Without
// JavaScript, the filters of the form do the same.

export async function loadFacets(): Promise<void> {
  const place = document.querySelector<HTMLElement>("#facets");
  if (!place) return;
  try {
    const answer = await fetch(`/facets${location.search}`, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const parts = new DOMParser().parseFromString(await answer.text(), "text/html").body.children;
    if (parts.length === 0) return;
    place.replaceChildren(...[...parts].map((part) => document.importNode(part, true)));
    place.hidden = false;
  } catch {
    // The server was stopped, or the network failed: the results stay as they are.
  }
}
