// Light, dark, or the system's setting.  Stored only in this browser: the server does not learn of it.

export type Theme = "auto" | "light" | "dark";

const kKey = "theme";

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(kKey);
    return kept === "light" || kept === "dark" ? kept : "auto";
  } catch {
    return "auto"; // storage is switched off
  }
}

export function keepTheme(theme: Theme): void {
  try {
    if (theme === "auto") localStorage.removeItem(kKey);
    else localStorage.setItem(kKey, theme);
  } catch {
    // Then it applies to this page only.
  }
}

export function showTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
