// Nothing here is needed to read the page: it adds the filter, keys, copying, and printing of what is folded.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const tools = document.querySelector(".tools");
  const input = tools.querySelector("input");
  const output = tools.querySelector("output");
  const releases = all("details.release");
  const texts = new Map();
  let openBefore = null;

  tools.hidden = false;

  const textOf = (node) => {
    if (!texts.has(node)) texts.set(node, node.textContent.toLowerCase());
    return texts.get(node);
  };
  const matches = (node, words) => words.every((word) => textOf(node).includes(word));

  // A release's own line and what it declares; its findings and objects are items.
  const isOwn = (release, words) => {
    const own = all(":scope > summary, :scope > div > .own", release).map(textOf).join(" ");
    return words.every((word) => own.includes(word));
  };

  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isOn = words.length > 0;
    const found = new Set(isOn ? releases.filter((release) => isOwn(release, words)) : releases);
    const whole = new Set(found);
    let entries = 0;
    if (isOn && !openBefore) openBefore = new Map(releases.map((node) => [node, node.open]));
    for (const item of all(".item")) {
      const release = item.closest("details.release");
      const isOne = isOn && matches(item, words);
      item.hidden = isOn && !isOne && !whole.has(release);
      if (!isOne) continue;
      entries += 1;
      if (release) found.add(release);
      for (let fold = item.parentElement.closest("details.fold"); fold; fold = fold.parentElement.closest("details.fold")) {
        fold.open = true;
      }
    }
    for (const release of releases) {
      release.hidden = !found.has(release);
      if (isOn) release.open = found.has(release);
      else if (openBefore) release.open = openBefore.get(release);
    }
    for (const row of all(".releases tbody tr")) {
      row.hidden = !found.has(document.getElementById(row.dataset.release));
    }
    for (const section of all("section")) {
      section.hidden = isOn && section.querySelector(".item") !== null && !section.querySelector(".item:not([hidden])");
    }
    if (!isOn) openBefore = null;
    const counted = releases.length ? `${found.size} of ${releases.length} releases, ` : "";
    output.textContent = isOn ? `${counted}${entries} ${entries === 1 ? "entry" : "entries"}` : "";
  }

  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 60);
  });

  const setAll = (open) => {
    for (const node of all(open ? "details.release" : "details")) node.open = open;
  };
  tools.querySelector(".expand").addEventListener("click", () => setAll(true));
  tools.querySelector(".collapse").addEventListener("click", () => setAll(false));

  function step(by) {
    const shown = all("details.release > summary").filter((node) => !node.closest("[hidden]"));
    if (!shown.length) return;
    const here = shown.findIndex((node) => node.closest("details").contains(document.activeElement));
    const next = here < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, here + by));
    shown[next].focus();
    shown[next].scrollIntoView({ block: "start" });
  }

  const keys = {
    "/": () => { input.focus(); input.select(); },
    j: () => step(1),
    k: () => step(-1),
    e: () => setAll(true),
    c: () => setAll(false),
  };
  document.addEventListener("keydown", (event) => {
    if (event.target === input) {
      if (event.key === "Escape") { input.value = ""; filter(); input.blur(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  // A link to what is folded opens all that is around it.
  function unfold() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) unfold();
  });
  unfold();

  for (const command of all("code.command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", "copy the command");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(command);
        button.textContent = "selected";
      }
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    command.after(button);
  }

  // Not every browser can print what is folded by style alone.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not(.fold, .whole, [open])");
    for (const node of folded) node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const node of folded) node.open = false;
    folded = [];
  });
})();
