import { chosenTheme, keepTheme, showTheme, type Theme } from "./theme_choice";

const kNext: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const kNames: Record<Theme, string> = { auto: "system setting", light: "light", dark: "dark" };

export function bindThemeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (!button) return;
  const label = (): void => {
    const theme = chosenTheme();
    button.dataset.choice = theme;
    button.setAttribute("aria-label", `Colours: ${kNames[theme]}. Change`);
    button.title = `Colours: ${kNames[theme]}`;
  };
  button.hidden = false;
  label();
  button.addEventListener("click", () => {
    const theme = kNext[chosenTheme()];
    keepTheme(theme);
    showTheme(theme);
    label();
  });
}
