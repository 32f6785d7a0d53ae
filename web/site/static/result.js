/** The result page prints itself. */
document.getElementById("print")?.addEventListener("click", () => window.print());
