// The dashboard, kept up to date and able to act.  The server makes every text and draws every line: here they
// are put in place.
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
