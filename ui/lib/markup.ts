// Parts of pages that scripts build: text is inserted as text, never as markup.

export function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export function counted(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function examples(urls: string[], all: number): HTMLElement[] {
  if (urls.length === 0) return [];
  const list = document.createElement("ul");
  list.className = "plain urls";
  list.append(...urls.map((url) => element("li", url)));
  if (all > urls.length) list.append(element("li", `and ${(all - urls.length).toLocaleString("en")} more`));
  return [list];
}
