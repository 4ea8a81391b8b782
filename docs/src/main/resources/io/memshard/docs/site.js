"use strict";
// Search in SECTIONS of search-index.js, the menu of narrow screens, and buttons that copy code. Nothing is fetched.
{
  const root = document.currentScript.dataset.root;
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const contents = document.getElementById("contents");
  const menu = document.getElementById("menu");
  const MOST = 12;
  const ADRS = "docs/adr/";

  /** Finds "time-out" by "timeout" too, and "circuit breaker" by "circuit-breaker". */
  function pattern(text) {
    const letters = Array.from(text, c => c === "-" ? "[- ]?" : c.replace(/\W/, "\\$&"));
    return new RegExp(letters.join("-?"), "gi");
  }

  const words = () => query.value.split(/\s+/).filter(word => /[^-]/.test(word));

  const times = (text, wanted) => text.match(wanted)?.length ?? 0;

  /** 0 if a word is missing; the words as they were written count most, then a word in a heading. */
  function score([address, title, heading, text], phrase, wanted) {
    let sum = wanted.length > 1 && times(text, phrase) ? 20 : 0;
    for (const word of wanted) {
      const points = (times(heading, word) ? 10 : 0) + (times(title, word) ? 5 : 0) + Math.min(times(text, word), 4);
      if (points === 0) {
        return 0;
      }
      sum += points;
    }
    // A reader wants to know how to use it before why it was made so.
    return address.startsWith(ADRS) ? sum / 4 : sum;
  }

  function marked(text, wanted) {
    const span = document.createElement("span");
    const first = Math.min(...wanted.map(word => text.search(word)).filter(at => at >= 0));
    const start = Number.isFinite(first) ? Math.max(0, first - 60) : 0;
    const shown = (start > 0 ? "\u2026" : "") + text.slice(start, start + 180);
    let end = 0;
    for (const hit of shown.matchAll(new RegExp(wanted.map(word => word.source).join("|"), "gi"))) {
      const mark = document.createElement("mark");
      mark.textContent = hit[0];
      span.append(shown.slice(end, hit.index), mark);
      end = hit.index + hit[0].length;
    }
    span.append(shown.slice(end));
    return span;
  }

  function item(section, wanted) {
    const [address, title, heading, text] = section;
    const link = document.createElement("a");
    link.href = root + address;
    const name = document.createElement("strong");
    name.textContent = heading === title ? title : title + " \u203a " + heading;
    link.append(name, marked(text, wanted));
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  }

  function search() {
    const phrase = pattern(words().join(" "));
    const wanted = words().map(pattern);
    const best = wanted.length === 0 ? [] : SECTIONS.map(section => [score(section, phrase, wanted), section])
      .filter(hit => hit[0] > 0)
      .sort((one, other) => other[0] - one[0])
      .slice(0, MOST);
    found.replaceChildren(...best.map(hit => item(hit[1], wanted)));
    if (wanted.length > 0 && best.length === 0) {
      found.textContent = "Nothing has all these words.";
    }
    found.hidden = wanted.length === 0;
  }

  query.addEventListener("input", search);
  query.addEventListener("keydown", event => {
    const first = found.querySelector("a");
    if (event.key === "Enter" && first) {
      first.click();
    } else if (event.key === "ArrowDown" && first) {
      event.preventDefault();
      first.focus();
    }
  });
  found.addEventListener("click", () => { found.hidden = true; });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape") {
      found.hidden = true;
    }
  });
  menu.addEventListener("click", () => {
    menu.setAttribute("aria-expanded", String(contents.classList.toggle("open")));
  });

  function select(code) {
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  // A page opened from a disk may have no clipboard: the code is then selected, for the keys that copy.
  async function copy(code, button) {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      select(code);
      done = "Selected";
    }
    button.textContent = done;
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  for (const block of document.querySelectorAll("main pre")) {
    const box = document.createElement("div");
    box.className = "code";
    block.replaceWith(box);
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(block.querySelector("code"), button));
    box.append(block, button);
  }

  // A search can be linked to: page.html?q=words.
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) {
    query.value = asked;
    search();
  }
}
