/** What a browser keeps for the pages; a private window keeps nothing. */

/** Return what was kept under a key, or null. */
export function kept(key, where = "localStorage") {
  try { return window[where].getItem(key); } catch { return null; }
}

/** Keep a text under a key, if that can be. */
export function keep(key, text, where = "localStorage") {
  try { window[where].setItem(key, text); } catch { /* nor is it missed before the next visit */ }
}
