// Keeps the dashboard up to date and lets it change things.  The server renders all texts and draws all lines; this
// code only puts them in place.
import { watchCrawl } from "./lib/crawl_events";
import { bindExclusions } from "./lib/exclusions";
import { bindForgetting } from "./lib/forgetting";
import { keepSectionsFresh } from "./lib/fresh_sections";
import { bindOrders } from "./lib/orders";
import { bindSteering } from "./lib/steering";

if (document.querySelector(".board-head")) {
  watchCrawl();
  bindSteering();
  bindOrders();
  bindExclusions();
  bindForgetting();
  keepSectionsFresh();
}
