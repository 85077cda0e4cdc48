// Files may be dropped on a form, Ctrl+Enter sends it, and "/" goes to its first field.
"use strict";

for (const form of document.querySelectorAll("form[data-drop]")) {
  const files = form.querySelector("input[type=file]");
  const over = (event) => { event.preventDefault(); form.classList.add("is-over"); };
  form.addEventListener("dragenter", over);
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", () => form.classList.remove("is-over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("is-over");
    if (event.dataTransfer.files.length) { files.files = event.dataTransfer.files; }
  });
}

document.addEventListener("keydown", (event) => {
  const field = event.target;
  const isTyping = field.matches("input, textarea, select");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field.form) {
    event.preventDefault();
    field.form.requestSubmit();
  } else if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    const first = document.querySelector("main textarea, main input:not([type=hidden])");
    if (first) { event.preventDefault(); first.focus(); }
  }
});

// what was asked for by the keyboard is where the keyboard goes on
document.addEventListener("htmx:afterSwap", (event) => {
  const heading = event.detail.target.querySelector("h2, h3, .notice");
  if (heading) { heading.setAttribute("tabindex", "-1"); heading.focus({ preventScroll: false }); }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  if (target) { target.focus({ preventScroll: true }); }
});
