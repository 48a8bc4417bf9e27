// What the desk looks like: bar, answer, point sheet, score pad and the two dialogs.

const Drawing = {
  draw() {
    const { data } = this;
    this.root.replaceChildren(
      this.drawBar(),
      ...data.waits.map(({ says, goes_to, link }) => make("p", { class: "waits", "data-testid": "waits" }, `${says} `, make("a", { href: goes_to }, link))),
      make("div", { class: "columns" }, this.drawAnswer(), this.drawSheet(), this.drawPad()),
      this.drawHelp(),
      this.drawRefer(),
      ...this.drawGuessing(),
    );
    this.showTab(data.kind === "rule_application" || !this.tab ? "sheet" : this.tab);
    this.showState();
    this.showProgress();
    if (data.draft && data.saved_at && !data.correcting) this.status(`draft saved ${timeOfDay(data.saved_at)}`, "draft");
    else if (data.correcting && data.draft && data.saved_at) this.status(`correction not saved yet; draft of ${timeOfDay(data.saved_at)}`, "draft");
    else if (data.correcting) this.status(`submitted ${timeOfDay(data.correcting.submitted_at)}`, "submitted");
    else if (this.lastWord) this.status(this.lastWord, "submitted");
    else if (data.last_recorded_at) this.status(`last answer submitted ${timeOfDay(data.last_recorded_at)}`, "submitted");
    else this.status("nothing entered yet", "empty");
    this.fit();
    requestAnimationFrame(() => this.fit());
    this.pad.focus({ preventScroll: true });
    this.root.querySelector(".answer-scroll").scrollTop = 0;
  },

  drawBar() {
    this.progress = make("span", { class: "progress" });
    this.saved = make("span", { class: "saved", "data-testid": "saved", role: "status", "aria-live": "polite" });
    return make(
      "header",
      { class: "bar" },
      this.data.calibrating ? make("a", { class: "back", href: "/calibrate", "data-testid": "back" }, "‹ Back to calibration") : null,
      make("strong", { class: this.changedQuestion ? "title changed" : "title" }, this.data.title),
      this.changedQuestion ? make("span", { class: "flag" }, "next question") : null,
      this.data.calibrating ? make("span", { class: "flag" }, this.data.calibrating) : null,
      this.progress,
      this.saved,
      make("button", { type: "button", class: "quiet", onclick: () => this.help.showModal() }, "? keys"),
    );
  },

  drawAnswer() {
    const { data } = this;
    const body = make("div", { class: "answer", "data-testid": "answer", "data-response": data.assignment });
    body.append(...paragraphs(data.answer));
    if (data.answer.trim() === "") body.append(make("p", { class: "empty" }, "This answer is empty."));
    this.answer = body;
    this.size();
    return make(
      "section",
      { class: "answer-column", "aria-label": "Answer" },
      make(
        "div",
        { class: "column-head" },
        make("h2", {}, `Answer ${data.assignment}`),
        data.cut_off ? make("span", { class: "flag" }, "cut off: the text stops before its end") : null,
        make("span", { class: "spacer" }),
        make("button", { type: "button", class: "quiet", "aria-label": "Smaller text", onclick: () => this.size(-1) }, "A−"),
        make("button", { type: "button", class: "quiet", "aria-label": "Larger text", onclick: () => this.size(1) }, "A+"),
      ),
      make("div", { class: "answer-scroll", tabindex: 0, role: "region", "aria-label": "Text of the answer" }, body),
    );
  },

  size(change = 0) {
    const now = Number(localStorage.getItem("desk-text-size")) || 18;
    const next = Math.min(26, Math.max(14, now + change));
    localStorage.setItem("desk-text-size", String(next));
    this.answer.style.fontSize = `${next}px`;
  },

  drawSheet() {
    const { data } = this;
    const name = data.kind === "rule_application" ? "Answer guide" : "Point sheet";
    const panes = { sheet: [name, this.drawPoints()], question: ["Question", prose(data.prompt)] };
    if (data.file) panes.file = ["File", prose(data.file)];
    if (data.library) panes.library = ["Library", prose(data.library)];
    panes.rulings = ["Rulings", data.guidelines ? prose(data.guidelines) : [make("p", { class: "empty" }, "The panel has made no rulings yet.")]];
    this.tabs = {};
    const tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "Material" });
    const column = make("section", { class: "sheet-column", "aria-label": "Material" }, make("div", { class: "column-head" }, tabs));
    for (const [id, [label, content]] of Object.entries(panes)) {
      const pane = make("div", { class: "pane", id: `pane-${id}`, role: "tabpanel", tabindex: 0, "aria-label": label }, content);
      const tab = make(
        "button",
        { type: "button", role: "tab", "data-testid": `tab-${id}`, "aria-controls": `pane-${id}`, onclick: () => this.showTab(id) },
        label,
      );
      this.tabs[id] = { tab, pane };
      tabs.append(tab);
      column.append(pane);
    }
    return column;
  },

  drawPoints() {
    this.pointBoxes = [];
    const blocks = [];
    if (this.data.gold) blocks.push(make("p", { class: "gold" }, "The rule gives: ", make("strong", {}, this.data.gold)));
    for (const issue of this.data.issues) {
      const list = make("ul", { class: "points" });
      for (const point of issue.points) {
        const box = make("input", {
          type: "checkbox",
          "data-testid": `point-${point.id}`,
          onchange: (event) => this.tick("points", point.id, event.target.checked),
        });
        this.pointBoxes.push({ id: point.id, box });
        list.append(
          make(
            "li",
            {},
            make(
              "label",
              {},
              box,
              make(
                "span",
                {},
                point.text,
                point.contested ? make("em", { class: "hint" }, " Either side earns it if argued.") : null,
                make("small", {}, point.authority ? `${point.part} · ${point.authority}` : point.part),
              ),
            ),
          ),
        );
      }
      blocks.push(
        make("h3", { class: "issue" }, make("span", {}, issue.title), make("span", { class: "weight" }, `${written(issue.weight_percent)} %`)),
        list,
      );
      if (issue.accept_also.length) blocks.push(aside("Also accept", issue.accept_also));
      if (issue.common_mistakes.length) blocks.push(aside("Often wrong", issue.common_mistakes));
    }
    return blocks;
  },

  showTab(id) {
    if (!this.tabs[id]) id = "sheet";
    this.tab = id;
    for (const [name, { tab, pane }] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(name === id));
      pane.hidden = name !== id;
    }
  },

  drawPad() {
    const { data } = this;
    this.buttons = [];
    this.gapBoxes = [];
    const parts = [];
    if (data.correcting) parts.push(this.drawCorrection());
    if (data.given_by === "grader") {
      parts.push(make("h2", { id: "score-label" }, "Score"), this.drawScale("score", data.scores, "score-label"));
      this.means = make("p", { class: "means", "aria-live": "polite" });
      parts.push(this.means);
    }
    for (const criterion of data.criteria) parts.push(...this.drawCriterion(criterion));
    if (data.error_types.length) parts.push(this.drawBoxes("error_types", "Errors", data.error_types));
    if (data.analysis_gaps.length) parts.push(this.drawBoxes("analysis_gaps", "Why analysis is missing", data.analysis_gaps));
    if (data.given_by !== "grader") {
      this.means = make("p", { class: "means counts", "aria-live": "polite" });
      parts.push(this.means);
    }
    if (data.condition_codes.length) parts.push(this.drawCodes());
    this.found = make("p", { class: "found", title: "A record of what you saw; it does not set the score" });
    this.noteBox = make("textarea", {
      id: "desk-note",
      "data-testid": "note",
      rows: 3,
      oninput: () => {
        this.note = this.noteBox.value;
        this.changed();
      },
    });
    this.noteBox.value = this.note;
    parts.push(this.found, make("label", { for: "desk-note", class: "label" }, "Note"), this.noteBox);
    this.problem = make("p", { class: "problem", role: "alert", "data-testid": "problem" });
    this.missing = make("p", { class: "missing" });
    this.submitButton = make(
      "button",
      { type: "button", class: "submit", "data-testid": "submit", onclick: () => this.submit() },
      make("span", {}, data.correcting ? "Save correction" : "Submit"),
      make("kbd", {}, "Ctrl+Enter"),
    );
    const foot = make(
      "div",
      { class: "pad-foot" },
      this.problem,
      this.missing,
      data.correcting
        ? make("button", { type: "button", class: "quiet", "data-testid": "leave", onclick: () => this.leaveCorrection() }, "Leave it as it was")
        : data.calibrating
          ? null
          : make("button", { type: "button", class: "quiet", "data-testid": "refer", onclick: () => this.refer.showModal() }, "Cannot grade this, because …"),
      data.calibrating ? null : this.drawFlag(),
      this.submitButton,
    );
    this.pad = make("div", { class: "pad-scroll", tabindex: -1 }, parts);
    return make("section", { class: "pad-column", "aria-label": "Your judgment" }, this.pad, foot);
  },

  drawCorrection() {
    const { correcting } = this.data;
    const box = make("textarea", {
      id: "desk-reason",
      rows: 2,
      "data-testid": "reason",
      oninput: () => {
        this.reason = box.value;
        this.changed();
      },
    });
    box.value = this.reason;
    return make(
      "div",
      { class: "correction" },
      make("p", {}, `You gave ${correcting.gave} at ${new Date(correcting.submitted_at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}. The earlier grade stays in the record.`),
      make("label", { for: "desk-reason", class: "label" }, "Why do you correct it?"),
      box,
    );
  },

  drawScale(name, values, labelId, criterion = null) {
    const group = make("div", { class: "scale", role: "radiogroup", "aria-labelledby": labelId });
    for (const value of values) {
      const shown = written(value);
      const button = make(
        "button",
        {
          type: "button",
          role: "radio",
          "data-testid": criterion ? `mark-${criterion}-${shown}` : `score-${shown}`,
          title: criterion ? undefined : this.meaning(value),
          onclick: () => (criterion ? this.mark(criterion, value) : this.score(value)),
        },
        shown,
      );
      this.buttons.push({ name, value, button });
      group.append(button);
    }
    return group;
  },

  meaning(score) {
    const level = this.data.levels.find((one) => one.score === score);
    return level ? `${level.label}. ${level.means}` : undefined;
  },

  drawCriterion(criterion) {
    const label = `criterion-${criterion.id}`;
    return [
      make("h2", { id: label }, criterion.title, this.keyHint(criterion.id)),
      make("p", { class: "question" }, criterion.question),
      this.drawScale(criterion.id, criterion.values, label, criterion.id),
      make("p", { class: "forced", "data-forced": criterion.id }),
    ];
  },

  keyHint(criterionId) {
    const key = ["c", "a", "s", "d"][this.data.criteria.findIndex((one) => one.id === criterionId)];
    return key ? make("kbd", {}, key) : null;
  },

  drawBoxes(field, title, options) {
    const list = make("div", { class: "boxes", role: "group", "aria-label": title });
    for (const option of options) {
      const box = make("input", {
        type: "checkbox",
        "data-testid": `${field === "error_types" ? "error" : "gap"}-${option.id}`,
        onchange: (event) => this.tick(field, option.id, event.target.checked),
      });
      box.checked = this.entry[field].has(option.id);
      if (field === "analysis_gaps") this.gapBoxes.push({ id: option.id, box });
      list.append(make("label", { title: option.means }, box, make("span", {}, option.title)));
    }
    return make("div", {}, make("h2", {}, title), list);
  },

  drawCodes() {
    const group = make("div", { class: "codes", role: "group", "aria-label": "Instead of a score" });
    this.codeButtons = this.data.condition_codes.map((code) => {
      const button = make(
        "button",
        { type: "button", "data-testid": `code-${code.id}`, onclick: () => this.code(code.id) },
        code.title,
      );
      group.append(button);
      return { id: code.id, button };
    });
    this.codeMeans = make("p", { class: "forced", "aria-live": "polite" });
    return make("div", {}, make("h3", { class: "label" }, "Instead of a score"), group, this.codeMeans);
  },

  drawHelp() {
    const rows = [];
    if (this.data.given_by === "grader") {
      const [lowest, highest] = [this.data.scores[0], this.data.scores[this.data.scores.length - 1]];
      rows.push([`${written(lowest)} … ${written(highest)}`, "give that score"]);
      const between = this.data.scores.find((score) => !Number.isInteger(score));
      if (between !== undefined) rows.push([written(between).split("").join(" "), `give ${written(between)}`]);
    }
    this.data.criteria.forEach((criterion, place) => {
      const key = ["c", "a", "s", "d"][place];
      if (key) rows.push([`${key}, or ${key} and a digit`, `mark ${criterion.title.toLowerCase()}`]);
    });
    rows.push(
      ["j / k", "next, previous point"],
      ["x", "tick or untick the point"],
      ["e", "go to the errors or gaps, where there are any"],
      ["n", "write a note; Esc leaves it"],
      ["q / p / r", `question, ${this.data.kind === "rule_application" ? "answer guide" : "point sheet"}, rulings`],
      ["u", "cannot grade this"],
      ["g", "the text gives its author away"],
      ["Ctrl+Enter", "submit"],
      ["?", "this list"],
    );
    const table = make("table", {}, make("tbody", {}, rows.map(([key, what]) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, what)))));
    this.help = make(
      "dialog",
      { "aria-label": "Keys" },
      make("h2", {}, "Keys"),
      make("p", {}, "Every key has a button. Letters and digits do nothing while you write."),
      table,
      make("button", { type: "button", class: "quiet", onclick: () => this.help.close() }, "Close"),
    );
    return this.help;
  },

  drawRefer() {
    const choices = this.data.reasons.map((reason) =>
      make("label", {}, make("input", { type: "radio", name: "refer-reason", value: reason.id }), make("span", {}, reason.text)),
    );
    const words = make("textarea", { id: "refer-note", rows: 3, "data-testid": "refer-note" });
    const problem = make("p", { class: "problem", role: "alert" });
    this.refer = make(
      "dialog",
      { "aria-label": "Cannot grade this" },
      make("h2", {}, "Cannot grade this, because"),
      make("div", { class: "boxes" }, choices),
      make("label", { for: "refer-note", class: "label" }, "A word to the lead"),
      words,
      problem,
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "quiet", onclick: () => this.refer.close() }, "Back to the answer"),
        make(
          "button",
          {
            type: "button",
            class: "submit",
            "data-testid": "refer-send",
            onclick: () => {
              const chosen = this.refer.querySelector("input:checked");
              if (!chosen) problem.textContent = "Choose a reason.";
              else this.send("/desk/refer", { reason: chosen.value, note: words.value }, "sent to the lead", problem);
            },
          },
          "Send to the lead",
        ),
      ),
    );
    return this.refer;
  },
};

function aside(title, lines) {
  return make("div", { class: "aside" }, make("strong", {}, title), make("ul", {}, lines.map((line) => make("li", {}, line))));
}
