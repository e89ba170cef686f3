// Shows in the page what the server sends every second.

interface Line {
  path: string;
  now: string;
}
interface Chart {
  top: string;
  since: string;
  lines: Line[];
}
interface Moment {
  state: string;
  texts: Record<string, string>;
  charts: Record<string, Record<string, Chart>>;
}

const kRetrySeconds = 5;

function setText(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function showChart(figure: Element, chart: Chart): void {
  const paths = figure.querySelectorAll("path");
  const values = figure.querySelectorAll("figcaption b");
  chart.lines.forEach((line, i) => {
    paths[i]?.setAttribute("d", line.path);
    setText(values[i], line.now);
  });
  setText(figure.querySelector(".top-value"), chart.top);
  setText(figure.querySelector(".times span"), chart.since);
}

export function show(moment: Moment): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const text = moment.texts[element.dataset.live ?? ""];
    if (text !== undefined) setText(element, text);
  }
  const span = document.querySelector<HTMLElement>("[data-span]")?.dataset.span ?? "";
  for (const figure of document.querySelectorAll<HTMLElement>("[data-chart]")) {
    const chart = moment.charts[span]?.[figure.dataset.chart ?? ""];
    if (chart) showChart(figure, chart);
  }
  const hide = (id: string, hidden: boolean): void => {
    const element = document.getElementById(id);
    if (element) element.hidden = hidden;
  };
  hide("pause", moment.state === "paused");
  hide("resume", moment.state !== "paused");
}

export function watchCrawl(): void {
  const lost = document.getElementById("lost");
  const setLost = (is: boolean): void => {
    if (lost) lost.hidden = !is;
  };
  const source = new EventSource("/api/v1/events");
  source.addEventListener("crawl", (event) => {
    setLost(false);
    show(JSON.parse((event as MessageEvent<string>).data) as Moment);
  });
  source.addEventListener("error", () => {
    setLost(true);
    // After a broken connection the browser reconnects by itself, but not after the server has refused it.
    if (source.readyState === EventSource.CLOSED) setTimeout(watchCrawl, kRetrySeconds * 1000);
  });
}
