/** A photo is sent as soon as it was taken, and once, and the page says so; the button is for what came back. */
const form = document.querySelector("form.photo");
const button = form.querySelector("button"), sending = document.getElementById("sending");

function show(busy) {
  button.disabled = busy;
  sending.hidden = !busy;
}

form.elements.photo.addEventListener("change", ({ target }) => { if (target.files.length) form.requestSubmit?.(); });
form.addEventListener("submit", () => show(true));
window.addEventListener("pageshow", () => show(false));
// That it has arrived is said once: a page that is loaded again, as when a phone wakes, has sent nothing.
if (new URLSearchParams(location.search).has("sent")) history.replaceState(null, "", location.pathname);
