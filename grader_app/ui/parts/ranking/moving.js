// What a grader does with a paper. Every change goes one way: it can be undone, is said aloud and is saved at once.

const Moving = {
  change(piles, paper, say, next = paper) {
    if (same(piles, this.piles) || this.busy || this.stopped()) return;
    const before = this.piles;
    this.piles = piles;
    const words = say();
    this.done.push({ piles: before, paper, words });
    this.undone = [];
    if (!this.signedOut) this.problem.textContent = "";
    this.say(words);
    this.goTo(next);
    this.landed(paper);
    this.save();
  },

  toPile(place, id = this.cursor) {
    const from = spotOf(this.piles, id);
    if (!this.piles[place]) this.say(`There is no pile ${place + 1}.`);
    else if (from?.pile === place) this.say(`Paper ${this.label(id)} is in ${this.pileName(place)} already.`);
    else this.put(id, { pile: place, how: "bottom" }, from ? id : this.nextUnplaced(id));
  },

  put(id, target, next = id) {
    this.change(placed(this.piles, id, target), id, () => this.moved(id), next);
  },

  toTray(id = this.cursor) {
    if (!spotOf(this.piles, id)) this.say(`Paper ${this.label(id)} is not placed yet.`);
    else this.change(without(this.piles, id), id, () => `Paper ${this.label(id)} is back among those to place.`);
  },

  step(by, id = this.cursor) {
    const piles = stepped(this.piles, id, by);
    if (piles) this.change(piles, id, () => this.moved(id));
    else if (spotOf(this.piles, id)) this.say(`Paper ${this.label(id)} is at the ${by < 0 ? "top" : "bottom"} of its pile.`);
    else this.say(`Put paper ${this.label(id)} into a pile first.`);
  },

  // The shortest way in the whole order: to the bottom of a better pile, to the top of a weaker one.
  across(by, id = this.cursor) {
    const spot = spotOf(this.piles, id);
    if (!spot) this.say(`Put paper ${this.label(id)} into a pile first.`);
    else if (!this.piles[spot.pile + by]) this.say(`There is no ${by < 0 ? "better" : "weaker"} pile.`);
    else this.put(id, { pile: spot.pile + by, how: by < 0 ? "bottom" : "top" });
  },

  tie(id = this.cursor) {
    const piles = tieToggled(this.piles, id);
    if (piles) this.change(piles, this.cursor, () => this.moved(id));
    else if (spotOf(this.piles, id)) this.say(`There is no paper above paper ${this.label(id)} in its pile to tie it with.`);
    else this.say(`Put paper ${this.label(id)} into a pile first.`);
  },

  addPile(place) {
    if (this.piles.length >= MOST_PILES) {
      this.say(`There can be ${MOST_PILES} piles at most.`);
      return;
    }
    const piles = copied(this.piles);
    piles.splice(place, 0, { label: "", groups: [] });
    this.change(piles, this.cursor, () => `Pile added; there are ${piles.length} now.`);
  },

  removePile(place) {
    const piles = this.piles.filter((_, other) => other !== place);
    this.change(piles, this.cursor, () => `Pile removed; there are ${piles.length} now.`);
    this.focusCursor();
  },

  // A name is saved as it is typed; going back from it is one step.
  naming(place, label) {
    if (this.busy || this.stopped()) return;
    this.piles = this.piles.map((pile, other) => (other === place ? { ...pile, label } : pile));
    this.save();
  },

  named(place, before) {
    if (same(before, this.piles)) return;
    const words = `Pile ${place + 1} is ${this.piles[place].label ? `called ${this.piles[place].label}` : "without a name"}.`;
    this.done.push({ piles: before, paper: this.cursor, words });
    this.undone = [];
    this.say(words);
    this.show();
  },

  undo() {
    this.travel(this.done, this.undone, "Undone", "There is nothing to undo.");
  },

  redo() {
    this.travel(this.undone, this.done, "Done again", "There is nothing to do again.");
  },

  travel(from, to, word, none) {
    if (this.busy || this.stopped()) return;
    const step = from.pop();
    if (!step) {
      this.say(none);
      return;
    }
    to.push({ ...step, piles: this.piles });
    this.piles = step.piles;
    this.say(`${word}: ${step.words}`);
    this.goTo(step.paper);
    this.landed(step.paper);
    this.save();
  },

  moved(id) {
    return `Paper ${this.label(id)}: ${this.whereIs(id)}.`;
  },

  nextUnplaced(id) {
    const left = this.unplaced();
    const at = left.indexOf(id);
    return left[at + 1] ?? (at > 0 ? left[0] : id);
  },

  // The last act stands at the foot of the page; screen readers say it. A dialog hides the rest of the page
  // from them, so the one that is open says it too.
  say(words) {
    this.spoken.textContent = words;
    if (this.comparing.open) this.compareSpoken.textContent = words;
  },

  goTo(id, focus = false) {
    const held = focus || this.holdsFocus();
    this.cursor = id;
    this.show();
    const { card } = this.cards.get(id);
    card.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (held && !this.comparing.open) card.focus({ preventScroll: true });
  },

  landed(id) {
    const { card } = this.cards.get(id);
    card.classList.remove("landed");
    void card.offsetWidth; // Read so that the next line starts the animation anew.
    card.classList.add("landed");
  },

  active() {
    return this.root.getRootNode().activeElement;
  },

  // Moving a card in the page takes the focus from it, so this is asked before.
  holdsFocus() {
    const active = this.active();
    return active ? active.matches(".card, .remove") : document.activeElement === document.body;
  },

  focusCursor() {
    this.cards.get(this.cursor).card.focus({ preventScroll: true });
  },
};
