// What the pages gain with JavaScript.  All of them work without it.
import { completeSearches } from "./lib/completion";
import { loadFacets } from "./lib/facets";
import { watchGrowth } from "./lib/growth";
import { bindKeys } from "./lib/keys";
import { closeMenus } from "./lib/menus";
import { tidyForms } from "./lib/forms";
import { bindThemeSwitch } from "./lib/theme_switch";

const box = document.querySelector<HTMLInputElement>("#q");
if (box) {
  completeSearches(box);
  bindKeys(box);
}
tidyForms();
closeMenus();
bindThemeSwitch();
watchGrowth();
loadFacets();
