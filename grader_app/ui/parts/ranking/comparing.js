// Two neighbours side by side, the better placed one at the left, with the moves that comparing leads to.

const Comparing = {
  drawCompare() {
    this.sides = ["left", "right"].map((side) => {
      const head = make("h2");
      const text = make("div", { class: "answer" });
      const pane = make("div", { class: "pane", role: "region", tabindex: 0 }, text);
      return { head, text, pane, column: make("section", { class: `side ${side}` }, head, pane) };
    });
    const button = (name, act) => make("button", { type: "button", class: "quiet", "data-testid": `compare-${name}`, onclick: act });
    this.compareActs = {
      move: button("move", () => this.step(this.side)),
      tie: button("tie", () => this.tieWithNeighbour()),
      other: button("other", () => this.otherNeighbour()),
    };
    const close = make("button", { type: "button", class: "quiet", onclick: () => this.comparing.close() }, "Close", make("kbd", {}, "Esc"));
    this.compareSpoken = make("p", { class: "last", role: "status", "aria-live": "polite" });
    this.comparing = make(
      "dialog",
      { class: "compare", "aria-label": "Two papers side by side", "data-testid": "compare", onclose: () => this.closedCompare() },
      make("div", { class: "sides" }, this.sides.map(({ column }) => column)),
      make("div", { class: "compare-foot" }, this.compareSpoken, Object.values(this.compareActs), close),
    );
    return this.comparing;
  },

  // The next paper in the order; across the border of a pile too, and among those to place.
  neighbour(step, id = this.cursor) {
    const ids = spotOf(this.piles, id) ? inOrder(this.piles) : this.unplaced();
    return ids[ids.indexOf(id) + step] ?? null;
  },

  compare() {
    this.side = this.neighbour(-1) ? -1 : 1;
    if (!this.neighbour(this.side)) {
      this.say(`Paper ${this.label(this.cursor)} has no neighbour yet to compare with.`);
      return;
    }
    this.compareSpoken.textContent = "";
    if (!this.comparing.open) this.comparing.showModal();
    this.compared = null;
    this.showCompare();
    this.sides[0].pane.focus();
  },

  otherNeighbour() {
    if (!this.neighbour(-this.side)) this.say(`There is no paper ${this.side < 0 ? "below" : "above"} paper ${this.label(this.cursor)} to compare with.`);
    else this.side = -this.side;
    this.showCompare();
  },

  showCompare() {
    if (!this.comparing.open) return;
    if (!this.neighbour(this.side)) this.side = -this.side;
    const other = this.neighbour(this.side);
    const pair = this.side < 0 ? [other, this.cursor] : [this.cursor, other];
    pair.forEach((id, place) => this.showSide(this.sides[place], id));
    this.compared = pair.join();
    this.showCompareActs(other);
    this.watchReading(pair);
  },

  showSide({ head, text, pane }, id) {
    head.replaceChildren(`Paper ${this.label(id)}`, make("small", {}, this.whereIs(id)), id === this.cursor ? make("span", { class: "flag" }, "the one you move") : "");
    pane.setAttribute("aria-label", `Text of paper ${this.label(id)}`);
    if (text.dataset.paper === id) return;
    text.dataset.paper = id;
    this.writeText(text, this.papers.get(id));
    this.markWords(text);
    pane.scrollTop = 0;
  },

  showCompareActs(other) {
    const { move, tie, other: switching } = this.compareActs;
    const [spot, beside] = [spotOf(this.piles, this.cursor), spotOf(this.piles, other)];
    const here = spot && spot.pile === beside.pile;
    move.hidden = tie.hidden = !here;
    if (here) {
      const passed = listed(passedBy(this.piles, this.cursor, this.side).map((id) => this.label(id)));
      move.replaceChildren(`Put ${this.label(this.cursor)} ${this.side < 0 ? "above" : "below"} ${passed}`, make("kbd", {}, this.side < 0 ? "Alt+↑" : "Alt+↓"));
      tie.replaceChildren(spot.tied.includes(other) ? "Untie" : "Tie", make("kbd", {}, "="));
    }
    switching.replaceChildren(this.side < 0 ? "Compare with the one below" : "Compare with the one above", make("kbd", {}, "c"));
    switching.setAttribute("aria-disabled", String(!this.neighbour(-this.side)));
  },

  // The line between the two that are compared, whichever of them stands above.
  tieWithNeighbour() {
    this.tie(this.side < 0 ? this.cursor : this.neighbour(1));
  },

  closedCompare() {
    for (const { text } of this.sides) {
      text.replaceChildren();
      delete text.dataset.paper;
    }
    this.showText();
    this.focusCursor();
  },

  compareKey(event) {
    const act = {
      c: () => this.otherNeighbour(),
      "=": () => this.tieWithNeighbour(),
      z: () => this.undo(),
      Z: () => this.redo(),
    }[event.key];
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : 0;
    if (!act && !step) return;
    event.preventDefault();
    if (step) this.step(step);
    else act();
  },
};
