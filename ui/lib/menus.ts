// Open <details> of results act as menus: one at a time, closed by Escape or by a click elsewhere.

export function closeMenus(): void {
  const open = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")];
  document.addEventListener("click", (event) => {
    for (const menu of open()) {
      if (!menu.contains(event.target as Node)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
