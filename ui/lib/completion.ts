// Completion of the search box, following the ARIA combobox pattern with a list: arrows choose, Enter searches,
// Escape closes, and typed text is never lost.

const kDelayMs = 80;
const kLongest = 200; // longer queries are not completed

export function completeSearches(box: HTMLInputElement): void {
  const form = box.form;
  if (!form) return;
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  box.after(list);
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");

  let typed = box.value;
  let chosen = -1;
  let timer = 0;
  let asked: AbortController | null = null;

  const close = (): void => {
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  const choose = (index: number): void => {
    const options = [...list.children];
    chosen = index < -1 ? options.length - 1 : index >= options.length ? -1 : index;
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === chosen)));
    const option = options[chosen];
    box.value = option?.textContent ?? typed;
    if (option) box.setAttribute("aria-activedescendant", option.id);
    else box.removeAttribute("aria-activedescendant");
  };

  const show = (suggestions: string[]): void => {
    close();
    list.replaceChildren(
      ...suggestions.map((text, i) => {
        const option = document.createElement("li");
        option.id = `suggestion-${i}`;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        option.textContent = text;
        option.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
        option.addEventListener("click", () => {
          box.value = text;
          close();
          form.requestSubmit();
        });
        return option;
      }),
    );
    if (suggestions.length === 0) return;
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
  };

  const ask = async (): Promise<void> => {
    asked?.abort();
    const mine = (asked = new AbortController());
    const text = box.value;
    if (text.trim() === "" || text.length > kLongest) return close();
    try {
      const answer = await fetch(`/api/v1/suggest?q=${encodeURIComponent(text)}`, { signal: mine.signal });
      if (!answer.ok) return close();
      const { suggestions } = (await answer.json()) as { suggestions: string[] };
      if (mine.signal.aborted || document.activeElement !== box) return;
      show(suggestions.filter((suggestion) => suggestion !== text).slice(0, 8));
    } catch {
      if (!mine.signal.aborted) close(); // failing to complete does no harm
    }
  };

  box.addEventListener("input", () => {
    typed = box.value;
    clearTimeout(timer);
    timer = window.setTimeout(ask, kDelayMs);
  });
  box.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      event.preventDefault();
      box.value = typed;
      close();
    } else if (event.key === "Enter") {
      clearTimeout(timer);
      asked?.abort();
    }
  });
  box.addEventListener("blur", () => {
    clearTimeout(timer);
    asked?.abort();
    close();
  });
}
