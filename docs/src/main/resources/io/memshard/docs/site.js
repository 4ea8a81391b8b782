"use strict";
// Search in SECTIONS of search-index.js, the menu of narrow screens, and buttons that copy code. Nothing is fetched.
{
  const root = document.currentScript.dataset.root;
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const contents = document.getElementById("contents");
  const menu = document.getElementById("menu");
  const MOST = 12;
  // Whoever looks for "timeout" also finds "time-out".
  const plain = text => text.toLowerCase().replaceAll("-", "");
  const sections = SECTIONS.map(section => section.map(plain));

  const words = () => plain(query.value).split(/\s+/).filter(word => word);

  /** 0 if a word is missing; the words as they were written count most, then a word in a heading. */
  function score(index, wanted) {
    const [, title, heading, text] = sections[index];
    let sum = wanted.length > 1 && text.includes(wanted.join(" ")) ? 20 : 0;
    for (const word of wanted) {
      const times = text.split(word).length - 1;
      const points = (heading.includes(word) ? 10 : 0) + (title.includes(word) ? 5 : 0) + Math.min(times, 4);
      if (points === 0) {
        return 0;
      }
      sum += points;
    }
    return sum;
  }

  function marked(text, wanted) {
    const span = document.createElement("span");
    const first = Math.max(0, Math.min(...wanted.map(word => text.toLowerCase().indexOf(word)).filter(i => i >= 0)));
    const start = Number.isFinite(first) ? Math.max(0, first - 60) : 0;
    let rest = (start > 0 ? "\u2026" : "") + text.slice(start, start + 180);
    while (rest) {
      const hits = wanted.map(word => [rest.toLowerCase().indexOf(word), word.length]).filter(hit => hit[0] >= 0);
      if (hits.length === 0) {
        break;
      }
      const [at, length] = hits.reduce((one, other) => (other[0] < one[0] ? other : one));
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(at, at + length);
      span.append(rest.slice(0, at), mark);
      rest = rest.slice(at + length);
    }
    span.append(rest);
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
    const wanted = words();
    const best = wanted.length === 0 ? [] : SECTIONS.map((section, i) => [score(i, wanted), section])
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
