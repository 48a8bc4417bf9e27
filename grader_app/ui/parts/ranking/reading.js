// The text of the paper under the cursor, what helps to judge it, and a button for every act.

const READ_MS = 3000;
const READ_KEY = "ranking-read:";
const TEXT_SIZE_KEY = "desk-text-size"; // One size for the desk and for this board.

const Reading = {
  drawReading() {
    const { data } = this;
    const panes = { paper: ["Paper", null], question: ["Question", [make("h3", {}, data.title), ...prose(data.prompt)]] };
    if (data.levels.length) panes.levels = ["Scale", data.levels.map((level) => make("p", {}, make("strong", {}, `${written(level.score)}: ${level.label}. `), level.means))];
    panes.rulings = ["Rulings", data.guidelines ? prose(data.guidelines) : [make("p", { class: "empty" }, "The panel has made no rulings yet.")]];
    this.tabs = {};
    const tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "Material" });
    const column = make(
      "section",
      { class: "reading-column", "aria-label": "Reading" },
      make(
        "div",
        { class: "column-head" },
        tabs,
        make("span", { class: "spacer" }),
        make("button", { type: "button", class: "quiet", "aria-label": "Smaller text", onclick: () => this.size(-1) }, "A−"),
        make("button", { type: "button", class: "quiet", "aria-label": "Larger text", onclick: () => this.size(1) }, "A+"),
      ),
    );
    for (const [id, [label, content]] of Object.entries(panes)) {
      const pane = make("div", { class: "pane", id: `pane-${id}`, role: "tabpanel", tabindex: 0, "aria-label": label }, content);
      const tab = make("button", { type: "button", role: "tab", "data-testid": `tab-${id}`, "aria-controls": `pane-${id}`, onclick: () => this.showTab(id) }, label);
      this.tabs[id] = { tab, pane };
      tabs.append(tab);
      column.append(pane);
    }
    this.text = make("div", { class: "answer", "data-testid": "reading" });
    this.tabs.paper.pane.append(this.text);
    column.append(this.drawActs());
    this.size();
    this.showTab("paper");
    return column;
  },

  size(change = 0) {
    const now = Number(localStorage.getItem(TEXT_SIZE_KEY)) || 18;
    const next = Math.min(26, Math.max(14, now + change));
    localStorage.setItem(TEXT_SIZE_KEY, String(next));
    this.root.style.setProperty("--text-size", `${next}px`);
  },

  showTab(id) {
    for (const [name, { tab, pane }] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(name === id));
      pane.hidden = name !== id;
    }
  },

  drawActs() {
    this.where = make("p", { class: "where" });
    this.pileButtons = make("div", { class: "pile-buttons", role: "group", "aria-label": "Put this paper into a pile" });
    const button = (name, key, words, act) =>
      make("button", { type: "button", class: "quiet", "data-testid": `act-${name}`, title: `${words} (${key})`, "aria-keyshortcuts": key, onclick: act }, words);
    this.acts = {
      up: button("up", "Alt+ArrowUp", "Up", () => this.step(-1)),
      down: button("down", "Alt+ArrowDown", "Down", () => this.step(1)),
      tie: button("tie", "=", "= Tie", () => this.tie()),
      compare: button("compare", "c", "Compare", () => this.compare()),
      back: button("back", "Backspace", "Take back", () => this.toTray()),
    };
    return make("div", { class: "acts" }, this.where, this.pileButtons, make("div", { class: "act-buttons", role: "group", "aria-label": "Move this paper" }, Object.values(this.acts)));
  },

  showActs() {
    const id = this.cursor;
    const spot = spotOf(this.piles, id);
    const where = this.whereIs(id);
    this.where.replaceChildren(make("strong", {}, `Paper ${this.label(id)}`), ` · ${where}`);
    if (this.pileButtons.children.length !== this.piles.length) {
      this.pileButtons.replaceChildren(
        ...this.piles.map((_, place) => make("button", { type: "button", "data-testid": `to-pile-${place + 1}`, onclick: () => this.toPile(place) }, place + 1)),
      );
    }
    this.piles.forEach((_, place) => {
      const button = this.pileButtons.children[place];
      button.setAttribute("aria-label", `Put paper ${this.label(id)} into ${this.pileName(place)}`);
      button.title = `Into ${this.pileName(place)}`;
      button.setAttribute("aria-pressed", String(spot?.pile === place));
      button.classList.toggle("on", spot?.pile === place);
    });
    this.acts.tie.textContent = spot?.within ? "= Untie" : "= Tie";
    const can = {
      up: passedBy(this.piles, id, -1).length,
      down: passedBy(this.piles, id, 1).length,
      tie: spot && (spot.group || spot.within),
      compare: this.neighbour(-1) || this.neighbour(1),
      back: spot,
    };
    for (const [name, button] of Object.entries(this.acts)) button.setAttribute("aria-disabled", String(!can[name]));
  },

  showText() {
    if (this.shown !== this.cursor) {
      const paper = this.papers.get(this.cursor);
      this.shown = this.cursor;
      this.text.dataset.paper = paper.id;
      this.writeText(this.text, paper);
      this.tabs.paper.tab.textContent = `Paper ${paper.label}`;
      this.tabs.paper.pane.setAttribute("aria-label", `Text of paper ${paper.label}`);
      this.tabs.paper.pane.scrollTop = 0;
      this.showTab("paper");
      this.showFoundWords();
    }
    this.watchReading([this.cursor]);
  },

  writeText(element, paper) {
    element.replaceChildren(...paragraphs(paper.answer));
    if (paper.answer.trim() === "") element.append(make("p", { class: "empty" }, "This paper is empty."));
  },

  scrollText(pages) {
    const { pane } = this.tabs.paper;
    this.showTab("paper");
    pane.scrollTop += pages * 0.85 * pane.clientHeight;
  },

  // A paper counts as read when it was on screen for three seconds; the marks stay in this browser.
  watchReading(ids) {
    clearTimeout(this.readTimer);
    if (ids.every((id) => this.read.has(id)) || document.hidden) return;
    this.readTimer = setTimeout(() => {
      for (const id of ids) this.read.add(id);
      localStorage.setItem(READ_KEY + this.attempt, JSON.stringify([...this.read]));
      for (const id of ids) this.showCard(id);
    }, READ_MS);
  },

  knownRead() {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(READ_KEY) && key !== READ_KEY + this.attempt) localStorage.removeItem(key);
    }
    return new Set(JSON.parse(localStorage.getItem(READ_KEY + this.attempt) || "[]"));
  },
};
