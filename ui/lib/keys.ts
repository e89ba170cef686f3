// "/" and Ctrl-K focus the search box.  "/" can be switched off, because it is Firefox's own search in a page.

const kKey = "slash";

function slashIsOn(): boolean {
  try {
    return localStorage.getItem(kKey) !== "off";
  } catch {
    return true;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export function bindKeys(box: HTMLInputElement): void {
  document.addEventListener("keydown", (event) => {
    const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target) && slashIsOn();
    const controlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!slash && !controlK) return;
    event.preventDefault();
    box.focus();
    box.select();
  });

  const choice = document.querySelector<HTMLInputElement>("#slash");
  if (!choice) return;
  choice.checked = slashIsOn();
  choice.closest<HTMLElement>("[hidden]")?.removeAttribute("hidden");
  choice.addEventListener("change", () => {
    try {
      if (choice.checked) localStorage.removeItem(kKey);
      else localStorage.setItem(kKey, "off");
    } catch {
      // Then it is not saved.
    }
  });
}
