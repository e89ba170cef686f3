// A filter holds as soon as it is chosen; what is not chosen stays out of the address.

export function tidyForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[role=search]")) {
    form.addEventListener("submit", () => {
      const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")];
      const empty = fields.filter((field) => field.name !== "q" && field.value === "");
      for (const field of empty) field.disabled = true;
      // Back from the next page they are there again.
      setTimeout(() => empty.forEach((field) => (field.disabled = false)));
    });
    for (const select of form.querySelectorAll("select")) {
      select.addEventListener("change", () => form.requestSubmit());
    }
  }
}
