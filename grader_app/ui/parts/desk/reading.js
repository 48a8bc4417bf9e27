// How the text is read: size, spacing, width and colours, places kept, and the Library a point cites.

const DISPLAY = "desk-display";
const DISPLAY_FIRST = { size: 18, spacing: 1.6, width: 70, theme: "system", keys: true };
const LONG_TEXT = 20000;

const Reading = {
  drawAnswer() {
    const { data } = this;
    const body = make("div", { class: data.answer.length > LONG_TEXT ? "answer long" : "answer", "data-testid": "answer", "data-response": data.assignment });
    this.map = TextMap.ofAnswer(body, data.answer);
    if (data.answer.trim() === "") body.append(make("p", { class: "empty" }, "This answer is empty."));
    this.answer = body;
    this.layer = make("div", { class: "layer", "aria-hidden": "true" });
    this.answerScroll = make("div", { class: "answer-scroll", tabindex: 0, role: "region", "aria-label": "Text of the answer", "aria-keyshortcuts": "w" }, make("div", { class: "answer-sheet" }, this.layer, body));
    this.answerScroll.addEventListener("scroll", () => this.keepPlaceSoon(), { passive: true });
    return make(
      "section",
      { class: "answer-column", "aria-label": "Answer" },
      make(
        "div",
        { class: "column-head" },
        make("h2", {}, `Answer ${data.assignment}`),
        // Length primes graders: it is said only to those who have judged.
        data.correcting ? make("span", { class: "length", "data-testid": "length" }, `${data.answer.split(/\s+/).filter(Boolean).length.toLocaleString("en-US")} words`) : null,
        data.cut_off ? make("span", { class: "flag" }, "cut off before its end") : null,
        make("span", { class: "spacer" }),
        make("button", { type: "button", class: "quiet", "aria-keyshortcuts": "/", "data-testid": "find-open", onclick: () => this.openFind() }, "Find"),
        make("button", { type: "button", class: "quiet", "aria-label": "Smaller text", onclick: () => this.setDisplay({ size: this.display().size - 1 }) }, "A−"),
        make("button", { type: "button", class: "quiet", "aria-label": "Larger text", onclick: () => this.setDisplay({ size: this.display().size + 1 }) }, "A+"),
        make("button", { type: "button", class: "quiet", "aria-keyshortcuts": "o", "data-testid": "display-open", onclick: () => this.settings.showModal() }, "Display"),
      ),
      this.drawFind(),
      this.answerScroll,
      this.drawBarOfWords(),
    );
  },

  // ---------------------------------------------------------------- display

  display() {
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(DISPLAY) || "{}");
    } catch {
      // What cannot be read is as good as not there.
    }
    return { ...DISPLAY_FIRST, ...kept };
  },

  setDisplay(change) {
    const next = { ...this.display(), ...change };
    next.size = Math.min(30, Math.max(13, next.size));
    localStorage.setItem(DISPLAY, JSON.stringify(next));
    if (change.theme) this.keepTheme(next.theme);
    this.applyDisplay();
  },

  applyDisplay() {
    const { size, spacing, width, theme } = this.display();
    const place = this.map && this.placeInAnswer();
    this.root.style.setProperty("--text-size", `${size}px`);
    this.root.style.setProperty("--line-spacing", spacing);
    this.root.style.setProperty("--line-width", `${width}ch`);
    this.root.dataset.theme = theme;
    this.paintTheRoom(theme);
    if (place) this.goToPlace(place);
    this.paintAll?.();
    this.showDisplay?.();
  },

  drawSettings() {
    const range = (name, title, { min, max, step }, says) => {
      const output = make("output", {}, "");
      const input = make("input", { type: "range", min, max, step, id: `desk-${name}`, "data-testid": `display-${name}`, oninput: () => this.setDisplay({ [name]: Number(input.value) }) });
      return { name, show: (value) => ((input.value = value), (output.textContent = says(value))), row: make("div", { class: "setting" }, make("label", { for: `desk-${name}` }, title), input, output) };
    };
    const ranges = [
      range("size", "Text size", { min: 13, max: 30, step: 1 }, (value) => `${value} px`),
      range("spacing", "Line spacing", { min: 1.2, max: 2.4, step: 0.1 }, (value) => Number(value).toFixed(1)),
      range("width", "Line width", { min: 40, max: 110, step: 5 }, (value) => `${value} letters`),
    ];
    const themes = [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]].map(([value, title]) => {
      const input = make("input", { type: "radio", name: "desk-theme", value, "data-testid": `theme-${value}`, onchange: () => this.setDisplay({ theme: value }) });
      return { value, input, label: make("label", {}, input, make("span", {}, title)) };
    });
    const keys = make("input", { type: "checkbox", "data-testid": "single-keys", onchange: () => this.setDisplay({ keys: keys.checked }) });
    this.settings = make(
      "dialog",
      { "aria-label": "Display" },
      make("h2", {}, "Display"),
      ranges.map(({ row }) => row),
      make("fieldset", { class: "boxes" }, make("legend", {}, "Colors"), themes.map(({ label }) => label)),
      make("fieldset", { class: "boxes" }, make("legend", {}, "Keyboard"), make("label", {}, keys, make("span", {}, "Single letters and digits are keys (Ctrl+Enter always submits)"))),
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "quiet", onclick: () => this.setDisplay(DISPLAY_FIRST) }, "As at first"),
        make("button", { type: "button", class: "quiet", onclick: () => this.settings.close() }, "Close"),
      ),
    );
    this.showDisplay = () => {
      const now = this.display();
      for (const { name, show } of ranges) show(now[name]);
      for (const { value, input } of themes) input.checked = value === now.theme;
      keys.checked = now.keys;
    };
    this.showDisplay();
    return this.settings;
  },

  // ----------------------------------------------------------------- places

  // The place is kept as a place in the text, so that another text size does not lose it.
  placeInAnswer() {
    if (!this.answerScroll?.isConnected) return null;
    const top = this.answerScroll.getBoundingClientRect().top;
    const all = this.answer.children;
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].getBoundingClientRect().bottom <= top) low = middle + 1;
      else high = middle;
    }
    if (!all[low]) return null;
    const box = all[low].getBoundingClientRect();
    return { paragraph: low, share: box.height ? (top - box.top) / box.height : 0 };
  },

  goToPlace({ paragraph, share }) {
    const it = this.answer.children[paragraph];
    if (!it) return;
    const move = () => {
      const box = it.getBoundingClientRect();
      this.answerScroll.scrollTop += box.top + share * box.height - this.answerScroll.getBoundingClientRect().top;
    };
    move();
    // Long texts are laid out when they come into view, which moves what follows.
    if (this.answer.classList.contains("long")) requestAnimationFrame(move);
  },

  keepPlaceSoon() {
    clearTimeout(this.placeTimer);
    this.placeTimer = setTimeout(() => this.keepPlace(), 150);
  },

  keepPlace() {
    const place = this.placeInAnswer();
    if (place) localStorage.setItem("desk-place", JSON.stringify({ served: this.served, ...place }));
  },

  returnToPlace() {
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem("desk-place") || "null");
    } catch {
      // Then the text begins at its beginning.
    }
    if (kept?.served === this.served) this.goToPlace(kept);
    else this.answerScroll.scrollTop = 0;
  },

  paneKey(pane) {
    return `desk-pane:${this.data.item}:${pane}`;
  },

  keepPane(pane, top) {
    sessionStorage.setItem(this.paneKey(pane), String(Math.round(top)));
  },

  returnToPane(pane) {
    this.tabs[pane].pane.scrollTop = Number(sessionStorage.getItem(this.paneKey(pane))) || 0;
  },

  // ---------------------------------------------------------------- Library

  drawLibrary() {
    const blocks = prose(this.data.library);
    const plain = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    const headings = blocks.filter((block) => /^h[34]$/.test(block.localName));
    this.libraryPlaces = {};
    for (const { id, title } of this.data.library_documents) {
      const wanted = plain(title);
      this.libraryPlaces[id] =
        headings.find((one) => plain(one.textContent) === wanted) ||
        headings.find((one) => plain(one.textContent).startsWith(wanted)) ||
        headings.find((one) => plain(one.textContent).includes(wanted) || plain(one.textContent).includes(plain(id))) ||
        headings.find((one) => plain(one.textContent).length > 3 && wanted.includes(plain(one.textContent)));
    }
    for (const heading of headings) heading.tabIndex = -1;
    this.libraryBack = make("p", { class: "way-back", hidden: true });
    const documents = this.data.library_documents.map(({ id, title }) => make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.openLibrary(id) }, title)));
    return [this.libraryBack, documents.length ? make("ul", { class: "contents", "aria-label": "Documents" }, documents) : null, ...blocks];
  },

  drawSources(point) {
    return point.sources.map((id) => {
      const title = this.data.library_documents.find((one) => one.id === id)?.title || id;
      return make("button", { type: "button", class: "link", "data-testid": `source-${point.id}-${id}`, title: `Open the Library at ${title}`, onclick: () => this.openLibrary(id, point) }, `Library: ${title}`);
    });
  },

  openLibrary(id, point = null) {
    this.showTab("library");
    const { pane } = this.tabs.library;
    if (point) {
      this.libraryBack.hidden = false;
      this.libraryBack.replaceChildren(
        make("button", { type: "button", class: "link", "data-testid": "library-back", onclick: () => this.backToPoint(point.id) }, `‹ Back to the point: ${shortened(point.text, 60)}`),
      );
    }
    const heading = this.libraryPlaces[id];
    if (heading) {
      pane.scrollTop += heading.getBoundingClientRect().top - pane.getBoundingClientRect().top - (point ? 34 : 6);
      if (window.matchMedia("(max-width: 720px)").matches) heading.scrollIntoView({ block: "start" });
      heading.focus({ preventScroll: true });
    }
  },

  backToPoint(id) {
    this.showTab("sheet");
    this.libraryBack.hidden = true;
    const found = this.findings.find((one) => one.of === "point" && one.id === id);
    found.box.focus();
    found.place.scrollIntoView({ block: "nearest" });
  },
};

// Long words are cut in the middle, between words where there are any.
function shortened(words, most) {
  const line = words.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  const letters = [...line];
  const tail = Math.floor(most / 3);
  const head = letters.slice(0, most - tail).join("");
  const end = letters.slice(-tail).join("");
  return `${head.includes(" ") ? head.slice(0, head.lastIndexOf(" ")) : head} … ${end.includes(" ") ? end.slice(end.indexOf(" ") + 1) : end}`;
}
