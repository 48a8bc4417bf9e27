// The list of keys: for two hands, and for the left hand alone.

const KeyList = {
  drawHelp() {
    const { data } = this;
    const rows = [];
    if (data.given_by === "grader") {
      const [lowest, highest] = [data.scores[0], data.scores[data.scores.length - 1]];
      rows.push([`${written(lowest)} … ${written(highest)}`, "1 … 5, ` for 0", "give that score"]);
      const between = data.scores.find((score) => !Number.isInteger(score));
      if (between !== undefined) rows.push([written(between).split("").join(" "), "", `give ${written(between)}`]);
      rows.push(["", "Shift+R / Shift+D", "raise the score by a step, or lower it"]);
    }
    data.criteria.forEach((criterion, place) => {
      const key = ["c", "a", "s", "d"][place];
      if (key) rows.push([`${key}, or ${key} and a digit`, key, `mark ${criterion.title.toLowerCase()}`]);
    });
    rows.push(["j / k", "t / Shift+T", "next, previous point"]);
    if (data.error_types.length) rows.push(["e / Shift+E", "e / Shift+E", data.analysis_gaps.length ? "next, previous error; the gaps follow them" : "next, previous error"]);
    if (data.analysis_gaps.length) rows.push(["y / Shift+Y", "e / Shift+E", "next, previous reason why analysis is missing"]);
    rows.push(["x", "x", "tick or untick what is at hand"]);
    if (data.condition_codes.length) rows.push(["i, then x", "Shift+C, then x", "a judgment instead of a score"]);
    rows.push(
      ["w, then arrows", "w, then a s d f", "choose a sentence or word; with Shift, more of them"],
      ["v", "v", "attach the chosen words to what is at hand"],
      ["Shift+V", "Shift+V", "choose what to attach them to"],
      ["Ctrl+Z", "Ctrl+Z", "put back words taken off"],
      ["n", "Shift+W", "write a note; Esc leaves it"],
      ["q / p / r", "z / Shift+Z", `question, ${data.kind === "rule_application" ? "answer guide" : "point sheet"}, rulings; z goes through all`],
    );
    if (data.file || data.library) rows.push(["Shift+F / Shift+L", "z / Shift+Z", "File, Library"]);
    rows.push(["/", "f", "find in the text; Enter goes on, Shift+Enter back"], ["o", "Shift+A", "display: size, spacing, width, colors"]);
    if (data.previous) rows.push(["b", "b", "previous answer, to correct it"]);
    if (!data.calibrating) rows.push(["g", "g", "the text gives its author away"]);
    if (!data.correcting && !data.calibrating) rows.push(["u", "Shift+X", "cannot grade this"]);
    rows.push(["Ctrl+Enter", "Shift+S", "submit"], ["?", "Shift+Q", "this list"]);
    const keys = (words) => make("td", {}, words ? make("kbd", {}, words) : "");
    const table = make(
      "table",
      {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Key"), make("th", { scope: "col" }, "Left hand"), make("th", { scope: "col" }, "Does"))),
      make("tbody", {}, rows.map(([key, left, what]) => make("tr", {}, keys(key), keys(left), make("td", {}, what)))),
    );
    this.help = make(
      "dialog",
      { "aria-label": "Keys", class: "wide" },
      make("h2", {}, "Keys"),
      make("p", {}, "Every key has a button. Letters and digits do nothing while you write; they can be switched off under Display."),
      table,
      make("button", { type: "button", class: "quiet", onclick: () => this.help.close() }, "Close"),
    );
    return this.help;
  },
};
