// The ranking board: papers to place, piles and the text in one view, driven by mouse or keyboard.
// Every text reaches the page through textContent; nothing that a writer wrote is ever interpreted.

class Ranking {
  constructor(root) {
    this.root = root;
    this.attempt = null;
    // One listener for the whole life of the page; it serves whichever board is on it now.
    if (!window.rankingKeys) {
      window.rankingKeys = true;
      const onPage = () => (window.currentRanking?.root.isConnected ? window.currentRanking : null);
      document.addEventListener("keydown", (event) => onPage()?.key(event));
      document.addEventListener("visibilitychange", () => onPage()?.showText());
      window.addEventListener("resize", () => onPage()?.fit());
      window.addEventListener("online", () => onPage()?.tryAgain());
      window.addEventListener("pagehide", () => onPage()?.leave());
    }
  }

  update(data) {
    window.currentRanking = this;
    const again = data.attempt === this.attempt;
    this.data = data;
    // Another run of the page brings the order this tab has sent itself, unless another tab moved papers.
    if (again && !(data.state && data.state.revision > this.revision && (this.overtaken || (!this.unsaved() && !this.outgoing)))) return;
    clearTimeout(this.timer);
    clearTimeout(this.readTimer);
    this.attempt = data.attempt;
    this.papers = new Map(data.papers.map((paper) => [paper.id, paper]));
    this.piles = copied(data.state ? data.state.piles : this.newPiles());
    this.kept = this.piles;
    this.revision = data.state ? data.state.revision : 0;
    this.token = crypto.randomUUID();
    this.read = this.knownRead();
    this.done = [];
    this.undone = [];
    this.shown = this.outgoing = this.found = this.patterns = this.dragged = null;
    this.busy = this.signedOut = this.overtaken = false;
    this.cursor = again ? this.cursor : this.unplaced()[0] ?? inOrder(this.piles)[0];
    const waiting = again ? null : this.unstash();
    if (waiting) this.piles = waiting;
    this.draw();
    if (waiting) this.save();
  }

  newPiles() {
    return Array.from({ length: this.data.piles }, (_, place) => ({ label: this.data.pile_labels[place] || "", groups: [] }));
  }

  draw() {
    const { data } = this;
    this.root.dataset.testid = "ranking";
    this.root.replaceChildren(
      this.drawBar(),
      make("div", { class: "halves" }, this.drawBoard(), this.drawReading()),
      this.drawFoot(),
      this.drawHelp(),
      this.drawConfirm(),
      this.drawCompare(),
    );
    this.show();
    this.status(data.saved_at ? `saved ${timeOfDay(data.saved_at)}` : "nothing placed yet", "draft");
    this.fit();
    requestAnimationFrame(() => this.fit());
    this.focusCursor();
  }

  drawBar() {
    this.placedCount = make("span", { class: "progress", "data-testid": "placed" });
    this.saved = make("span", { class: "saved", "data-testid": "saved" });
    return make(
      "header",
      { class: "bar" },
      make("a", { class: "back", href: "/calibrate", "data-testid": "back" }, "‹ Back to calibration"),
      make("strong", { class: "title" }, `Calibration, step 1 of 2: put these ${this.data.papers.length} papers in order`),
      make("span", { class: "item" }, this.data.title),
      this.placedCount,
      this.saved,
      make("button", { type: "button", class: "quiet", onclick: () => this.help.showModal() }, "? keys"),
    );
  }

  drawFoot() {
    this.spoken = make("p", { class: "last", role: "status", "aria-live": "polite", "data-testid": "last-act" });
    this.problem = make("p", { class: "problem", role: "alert", "data-testid": "problem" });
    const button = (name, key, words, act) => make("button", { type: "button", class: "quiet", "data-testid": name, onclick: act }, words, make("kbd", {}, key));
    this.undoButton = button("undo", "z", "Undo", () => this.undo());
    this.redoButton = button("redo", "Shift+z", "Redo", () => this.redo());
    this.submitButton = make(
      "button",
      { type: "button", class: "submit", "data-testid": "submit-ranking", onclick: () => this.submit() },
      make("span", {}, "Submit the order"),
      make("kbd", {}, "Ctrl+Enter"),
    );
    return make("footer", { class: "foot" }, make("div", { class: "words-of-foot" }, this.problem, this.spoken), this.undoButton, this.redoButton, this.submitButton);
  }

  show() {
    this.showBoard();
    this.showActs();
    this.showText();
    this.showCompare();
    const left = this.unplaced().length;
    this.placedCount.textContent = `${this.papers.size - left} placed · ${left} to place`;
    this.undoButton.setAttribute("aria-disabled", String(this.done.length === 0));
    this.redoButton.setAttribute("aria-disabled", String(this.undone.length === 0));
    this.submitButton.setAttribute("aria-disabled", String(left > 0));
    this.submitButton.classList.toggle("waiting", left > 0);
  }

  tryAgain() {
    if (this.outgoing && !this.onItsWay && !this.busy) this.send();
  }

  // The board fills the window below the navigation: its columns scroll, the page does not.
  fit() {
    const top = this.root.getBoundingClientRect().top + window.scrollY;
    this.root.style.setProperty("--height", `${Math.max(420, window.innerHeight - top - 12)}px`);
  }
}

Object.assign(Ranking.prototype, Board, Reading, Comparing, Dialogs, Moving, Dragging, Finding, Saving, Keys);

export default function ({ data, parentElement, setTriggerValue }) {
  // This function runs again on every change of data; one board per mount keeps what is under way.
  let board = parentElement.rankingBoard;
  if (!board) {
    board = parentElement.rankingBoard = new Ranking(parentElement.querySelector(".ranking-root"));
  }
  board.askForNext = (why) => setTriggerValue("next", `${why}:${crypto.randomUUID()}`);
  board.update(data);
}
