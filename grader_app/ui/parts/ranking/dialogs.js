// The list of keys, and the question before the order becomes final.

const Dialogs = {
  drawHelp() {
    const digits = "1 … 9, 0";
    const rows = [
      ["← → ↑ ↓", "go from card to card, between piles and the row above them"],
      [digits, "put the paper into that pile (0 is the tenth)"],
      ["Alt+↑ Alt+↓", "move it up or down in its pile"],
      ["Alt+← Alt+→", "move it to the next better or weaker pile"],
      ["=", "tie it with the paper above; again: untie"],
      ["Backspace", "take it back to the papers to place"],
      ["Space, Shift+Space", "read on, read back"],
      ["Enter", "go into the text; Esc comes back"],
      ["c", "compare with the neighbour; again: the other one; Esc closes"],
      ["/", "find words in all papers (“in quotes” together); Enter goes to the next, Esc ends it"],
      ["z, Shift+z", "undo, do again"],
      ["Ctrl+Enter", "submit"],
      ["?", "this list"],
    ];
    const table = make("table", {}, make("tbody", {}, rows.map(([key, what]) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, what)))));
    this.help = make(
      "dialog",
      { class: "keys", "aria-label": "Keys", onclose: () => this.focusCursor() },
      make("h2", {}, "Keys"),
      make("p", {}, "Every key has a button or a mouse move. Single keys do nothing while you write. With a screen reader, turn on its focus mode first."),
      table,
      make("button", { type: "button", class: "quiet", onclick: () => this.help.close() }, "Close"),
    );
    return this.help;
  },

  drawConfirm() {
    this.confirmTies = make("p", { "data-testid": "confirm-ties" });
    this.confirming = make(
      "dialog",
      { "aria-label": "Submit this order?", "data-testid": "confirm", onclose: () => this.focusCursor() },
      make("h2", {}, "Submit this order?"),
      make("p", {}, "You cannot change the order afterwards."),
      this.confirmTies,
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "quiet", onclick: () => this.confirming.close() }, "Back to the order"),
        make("button", { type: "button", class: "submit", "data-testid": "confirm-submit", onclick: () => this.record() }, "Submit the order"),
      ),
    );
    return this.confirming;
  },

  submit() {
    if (this.busy || this.stopped()) return;
    if (this.signedOut) {
      this.problem.querySelector("a").focus();
      return;
    }
    const left = this.unplaced();
    if (left.length) {
      const which = left.length > 8 ? "" : `: ${listed(left.map((id) => this.label(id)))}`;
      this.goTo(left[0], true);
      this.problem.textContent = `${left.length === 1 ? "1 paper is" : `${left.length} papers are`} not placed yet${which}. Put each into a pile, then submit.`;
      return;
    }
    const ties = tiesIn(this.piles).map((ids) => this.namesOf(ids));
    this.confirmTies.textContent = ties.length ? `It has ${counted(ties.length, "tie")}: ${ties.join("; ")}.` : "It has no ties.";
    this.confirming.showModal();
  },
};
