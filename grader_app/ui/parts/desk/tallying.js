// What the ticked points alone would come to, beside the score that is the grader's own.

function tallyOf(points, worth, range) {
  let share = 0;
  for (const id of points) share += worth[id];
  return range.lowest + (share / 100) * (range.highest - range.lowest);
}

function departs(score, tallied, range) {
  return Math.abs(score - tallied) >= Math.max(1, range.step) - 1e-9;
}

const Tallying = {
  drawTally() {
    this.found = make("p", { class: "found", "data-testid": "found" });
    this.tallyQuestion = make("p", { class: "asks", "aria-live": "polite", "data-testid": "tally-question" });
    this.found.hidden = !this.data.issues.length;
    return make("div", {}, this.found, this.tallyQuestion);
  },

  showTally() {
    const { data, entry } = this;
    const ticked = Object.keys(data.worth).filter((id) => entry.points.has(id));
    const percent = Math.round(ticked.reduce((sum, id) => sum + data.worth[id], 0));
    const scored = data.given_by === "grader";
    const tallied = tallyOf(ticked, data.worth, data.range);
    this.found.replaceChildren(
      make("span", {}, `Points found ${ticked.length} of ${Object.keys(data.worth).length} (${percent} % by weight)`),
      scored && ticked.length ? make("small", {}, ` alone they would come to about ${(Math.round(tallied * 10) / 10).toFixed(1)}; the score is yours`) : "",
    );
    const asks = scored && ticked.length && entry.score !== null && entry.condition_code === null && !this.notAsked && departs(entry.score, tallied, data.range);
    const words = asks ? this.tallyWords(entry.score, tallied) : "";
    if (this.tallyAsked === words) return;
    this.tallyAsked = words;
    this.tallyQuestion.replaceChildren();
    if (!asks) return;
    this.tallyQuestion.append(
      `${words} `,
      make("button", { type: "button", class: "link", onclick: () => this.lookAtPoints() }, "Look at the points"),
      make("button", { type: "button", class: "link", onclick: () => this.noteBox.focus() }, "Say why in the note"),
      make("button", { type: "button", class: "link", "data-testid": "tally-dismiss", onclick: () => this.askNoMore() }, "Leave it"),
    );
  },

  tallyWords(score, tallied) {
    const given = `You gave ${written(score)}; the points ticked come to about ${written(Math.round(tallied))}.`;
    return score > tallied
      ? `${given} Is something ticked too few, or does the answer earn more than the sheet lists?`
      : `${given} Is something ticked too many, or does the answer earn less than its points?`;
  },

  lookAtPoints() {
    this.showTab("sheet");
    const first = this.findings.find((one) => one.of === "point" && !one.box.checked) || this.findings.find((one) => one.of === "point");
    first?.box.focus();
  },

  askNoMore() {
    this.notAsked = true;
    this.showTally();
    this.pad.focus({ preventScroll: true });
  },
};
