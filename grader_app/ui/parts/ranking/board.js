// The cards: those to place in a row above, the piles side by side below.

const FIRST_WORDS = 60;
const MOST_PILES = 10; // As many as there are digits to name them.
const FEWEST_PILES = 2;

function counted(number, one) {
  return `${number} ${number === 1 ? one : `${one}s`}`;
}

function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words.join("");
}

function firstWords(text) {
  // By whole characters, so that none is cut in half.
  return Array.from(text.slice(0, 8 * FIRST_WORDS).trim().replace(/\s+/g, " ")).slice(0, FIRST_WORDS).join("");
}

const Board = {
  drawBoard() {
    this.cards = new Map(this.data.papers.map((paper) => [paper.id, this.drawCard(paper)]));
    this.columns = [];
    this.trayCount = make("h2");
    this.trayList = make("ul", { class: "cards" });
    this.trayEmpty = make("p", { class: "empty" }, "All papers are placed. Read down the piles once more, then submit.");
    this.tray = make(
      "section",
      { class: "tray", "data-testid": "tray", "aria-label": "To place" },
      make("div", { class: "board-head" }, this.trayCount, make("span", { class: "spacer" }), this.drawFind()),
      this.trayList,
      this.trayEmpty,
    );
    this.pileList = make("ol", { class: "piles", "aria-label": "Piles, best first" });
    this.board = make("div", { class: "board" }, this.tray, this.drawPilesHead(), this.pileList);
    this.listenToDrags(this.board);
    return this.board;
  },

  drawPilesHead() {
    this.addButtons = [
      make("button", { type: "button", class: "quiet", "data-testid": "add-better", onclick: () => this.addPile(0) }, "+ better pile"),
      make("button", { type: "button", class: "quiet", "data-testid": "add-worse", onclick: () => this.addPile(this.piles.length) }, "+ weaker pile"),
    ];
    return make(
      "div",
      { class: "board-head" },
      make("p", { class: "hint" }, make("strong", {}, "Pile 1 is best; best paper on top. "), make("span", { class: "by-hand" }, "Drag a card (on another: a tie) or press a digit.")),
      make("span", { class: "spacer" }),
      this.addButtons,
    );
  },

  drawCard(paper) {
    const words = make("bdi", { class: "words" });
    plainInto(words, firstWords(paper.answer) || "This paper is empty.");
    const card = make(
      "div",
      {
        class: "card",
        role: "button",
        tabindex: -1,
        draggable: "true",
        "data-testid": "paper",
        "data-paper": paper.id,
        onclick: () => this.goTo(paper.id, true),
      },
      make("span", { class: "label" }, paper.label),
      words,
      make("span", { class: "eye" }),
      make("span", { class: "equals" }, "="),
    );
    return { card, item: make("li", {}, card) };
  },

  drawPiles() {
    this.columns = this.piles.map((_, place) => this.drawPile(place));
    this.pileList.replaceChildren(...this.columns.map(({ column }) => column));
  },

  drawPile(place) {
    let before;
    const name = make("input", {
      type: "text",
      class: "name",
      maxlength: 40,
      autocomplete: "off",
      placeholder: this.endOf(place) || `Pile ${place + 1}`,
      "aria-label": `Name of pile ${place + 1}`,
      onfocus: () => {
        before = this.piles;
      },
      oninput: () => this.naming(place, name.value),
      onchange: () => this.named(place, before),
    });
    const remove = make("button", { type: "button", class: "remove", "aria-label": `Remove pile ${place + 1}`, title: "Remove this empty pile", onclick: () => this.removePile(place) }, "×");
    const count = make("span", { class: "count" });
    const list = make("ol", { class: "cards" });
    const head = make("div", { class: "pile-head" }, make("kbd", {}, (place + 1) % 10), name, count, remove);
    return { column: make("li", { class: "pile", "data-testid": `pile-${place + 1}` }, head, list), name, remove, count, list };
  },

  unplaced() {
    const known = new Set(inOrder(this.piles));
    return this.data.papers.map((paper) => paper.id).filter((id) => !known.has(id));
  },

  // Which end of the order a pile is: shown where it has no name, and never kept as one.
  endOf(place) {
    if (place === 0) return "best";
    return place === this.piles.length - 1 ? "weakest" : "";
  },

  pileName(place) {
    const called = this.piles[place].label || this.endOf(place);
    return called ? `pile ${place + 1} (${called})` : `pile ${place + 1}`;
  },

  label(id) {
    return this.papers.get(id).label;
  },

  namesOf(ids) {
    return `${ids.length === 1 ? "paper" : "papers"} ${listed(ids.map((id) => this.label(id)))}`;
  },

  whereIs(id) {
    const spot = spotOf(this.piles, id);
    if (!spot) return "to place";
    const tied = spot.tied.length ? `, tied with ${this.namesOf(spot.tied)}` : "";
    return `place ${spot.place} in ${this.pileName(spot.pile)}${tied}`;
  },

  showBoard() {
    if (this.columns.length !== this.piles.length) this.drawPiles();
    const left = this.unplaced();
    this.fill(this.trayList, left);
    this.trayList.setAttribute("aria-label", `To place, ${counted(left.length, "paper")}`);
    this.trayCount.textContent = `To place: ${left.length}`;
    this.trayList.hidden = left.length === 0;
    this.trayEmpty.hidden = left.length > 0;
    this.piles.forEach((pile, place) => this.showPile(pile, place));
    for (const button of this.addButtons) button.setAttribute("aria-disabled", String(this.piles.length >= MOST_PILES));
    for (const id of this.cards.keys()) this.showCard(id);
  },

  showPile(pile, place) {
    const { name, remove, count, list } = this.columns[place];
    const ids = pile.groups.flat();
    this.fill(list, ids);
    list.setAttribute("aria-label", `Pile ${place + 1} of ${this.piles.length}${pile.label ? `, ${pile.label}` : ""}, ${counted(ids.length, "paper")}`);
    if (name !== this.active()) name.value = pile.label;
    count.textContent = ids.length || "";
    remove.hidden = ids.length > 0 || this.piles.length <= FEWEST_PILES;
  },

  // Cards are moved, not made anew, and only where something changed: columns keep their scrolling.
  fill(list, ids) {
    const items = ids.map((id) => this.cards.get(id).item);
    if (items.length !== list.children.length || items.some((item, place) => item !== list.children[place])) list.replaceChildren(...items);
  },

  showCard(id) {
    const { card, item } = this.cards.get(id);
    const spot = spotOf(this.piles, id);
    const found = this.found?.has(id);
    item.classList.toggle("tied", Boolean(spot?.tied.length));
    item.classList.toggle("tied-above", Boolean(spot?.within));
    item.classList.toggle("tied-below", Boolean(spot) && spot.within < spot.tied.length);
    card.classList.toggle("at", id === this.cursor);
    card.classList.toggle("read", this.read.has(id));
    card.classList.toggle("has-words", Boolean(found));
    card.tabIndex = id === this.cursor ? 0 : -1;
    if (id === this.cursor) card.setAttribute("aria-current", "true");
    else card.removeAttribute("aria-current");
    const notes = [`Paper ${this.label(id)}`, this.whereIs(id)];
    if (this.read.has(id)) notes.push("read");
    if (found) notes.push("has the words you look for");
    card.setAttribute("aria-label", `${notes.join(", ")}. ${firstWords(this.papers.get(id).answer)}`);
  },
};
