// A filter applies as soon as it is chosen; filters that are not chosen are left out of the URL.

export function tidyForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[role=search]")) {
    form.addEventListener("submit", () => {
      const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")];
      const empty = fields.filter((field) => field.name !== "q" && field.value === "");
      for (const field of empty) field.disabled = true;
      // Re-enables them for a visitor who returns from the next page.
      setTimeout(() => empty.forEach((field) => (field.disabled = false)));
    });
    for (const select of form.querySelectorAll("select")) {
      select.addEventListener("change", () => form.requestSubmit());
    }
  }
}
