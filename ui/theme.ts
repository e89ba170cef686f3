// Runs before the page is drawn, so that the chosen theme does not flash in.
import { chosenTheme, showTheme } from "./lib/theme_choice";

showTheme(chosenTheme());
