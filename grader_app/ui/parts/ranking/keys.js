// Everything the mouse can do, from the keyboard: one card has the focus, and the keys act on its paper.

const WRITTEN_IN = "textarea, select, input";
const REPEATING = /^(Arrow.*|Page.*| )$/;

const Keys = {
  key(event) {
    const path = event.composedPath();
    const at = path[0];
    // Keys pressed in the navigation above are not for the board.
    if (!path.includes(this.root) && at !== document.body) return;
    // A key held down walks and scrolls on, but moves no second paper and answers no dialog.
    const held = event.repeat && !REPEATING.test(event.key);
    if (this.comparing.open && !held) this.compareKey(event);
    if (this.help.open || this.confirming.open || this.comparing.open) {
      if (held && event.key === "Enter") event.preventDefault();
      return;
    }
    const act = this.actOf(event, at);
    if (!act) return;
    event.preventDefault();
    if (!held) act();
  },

  actOf(event, at) {
    const { key } = event;
    const control = event.ctrlKey || event.metaKey;
    if (control && key === "Enter") return () => this.submit();
    if (at.matches?.(WRITTEN_IN)) return at === this.findBox || !["Escape", "Enter"].includes(key) ? null : () => this.focusCursor();
    if (control) return { z: () => this.undo(), Z: () => this.redo(), y: () => this.redo() }[key];
    // In the text the arrows scroll it, and Escape leaves it.
    const inText = at.closest?.("[role=tabpanel]");
    if (inText && key === "Escape") return () => this.focusCursor();
    if (event.altKey) return this.altAct(key);
    if (!inText && !at.closest?.("[role=tab]") && this.arrowAct(key)) return this.arrowAct(key);
    if (at.matches?.(".card") && this.cardAct(event)) return this.cardAct(event);
    if (/^[0-9]$/.test(key)) return () => this.toPile(key === "0" ? 9 : Number(key) - 1);
    return {
      "=": () => this.tie(),
      Backspace: () => this.toTray(),
      Delete: () => this.toTray(),
      c: () => this.compare(),
      "/": () => this.findBox.select(),
      z: () => this.undo(),
      Z: () => this.redo(),
      "?": () => this.help.showModal(),
    }[key];
  },

  altAct(key) {
    return { ArrowUp: () => this.step(-1), ArrowDown: () => this.step(1), ArrowLeft: () => this.across(-1), ArrowRight: () => this.across(1) }[key];
  },

  arrowAct(key) {
    return {
      ArrowUp: () => this.walk(0, -1),
      ArrowDown: () => this.walk(0, 1),
      ArrowLeft: () => this.walk(-1, 0),
      ArrowRight: () => this.walk(1, 0),
    }[key];
  },

  cardAct({ key, shiftKey }) {
    return {
      " ": () => this.scrollText(shiftKey ? -1 : 1),
      PageDown: () => this.scrollText(1),
      PageUp: () => this.scrollText(-1),
      Enter: () => {
        this.showTab("paper");
        this.tabs.paper.pane.focus();
      },
    }[key];
  },

  walk(across, down) {
    const spot = spotOf(this.piles, this.cursor);
    const next = spot ? this.fromPile(spot, across, down) : this.fromTray(across, down);
    if (next) this.goTo(next, true);
    else this.focusCursor();
  },

  fromPile(spot, across, down) {
    const ids = this.piles[spot.pile].groups.flat();
    const row = ids.indexOf(this.cursor);
    if (down) return ids[row + down] ?? (down < 0 ? this.nearest(this.unplaced(), -1) : null);
    for (let pile = spot.pile + across; this.piles[pile]; pile += across) {
      const others = this.piles[pile].groups.flat();
      if (others.length) return others[Math.min(row, others.length - 1)];
    }
    return null;
  },

  fromTray(across, down) {
    const ids = this.unplaced();
    if (across) return ids[ids.indexOf(this.cursor) + across];
    const top = this.boxOf(this.cursor).top;
    const beyond = ids.filter((id) => (this.boxOf(id).top - top) * down > 1);
    if (beyond.length) return this.nearest(beyond, down);
    return down > 0 ? this.nearest(this.piles.map(({ groups }) => groups[0]?.[0]).filter(Boolean), 0) : null;
  },

  boxOf(id) {
    return this.cards.get(id).card.getBoundingClientRect();
  },

  // Of the first row (1), the last (-1) or any (0) of these, the card that stands most nearly straight above or below.
  nearest(ids, row) {
    const tops = ids.map((id) => Math.round(this.boxOf(id).top));
    const edge = row > 0 ? Math.min(...tops) : Math.max(...tops);
    const here = this.boxOf(this.cursor).left;
    const away = (id) => Math.abs(this.boxOf(id).left - here);
    return ids.filter((_, place) => !row || tops[place] === edge).sort((one, other) => away(one) - away(other))[0];
  },
};
