// What the desk looks like: bar, answer, point sheet, score pad and the two dialogs.

const FEW = 3; // Marks that fit beside the title of their criterion.

const Drawing = {
  draw() {
    const { data } = this;
    this.findings = [];
    this.spoken = make("p", { class: "spoken", role: "status" });
    this.root.replaceChildren(
      this.drawBar(),
      ...data.waits.map(({ says, goes_to, link }) => make("p", { class: "waits", "data-testid": "waits" }, `${says} `, make("a", { href: goes_to }, link))),
      make("div", { class: "columns" }, this.drawAnswer(), this.drawSheet(), this.drawPad()),
      this.drawHelp(),
      this.drawRefer(),
      ...this.drawGuessing(),
      this.drawSettings(),
      this.drawChoice(),
      this.spoken,
    );
    for (const name of LAYERS) paint(name, this.map, [], this.layer);
    this.applyDisplay();
    this.showTab(data.kind === "rule_application" ? "sheet" : this.tab || sessionStorage.getItem(`desk-tab:${data.item}`) || "sheet");
    this.showState();
    this.showProgress();
    if (data.draft && data.saved_at && !data.correcting) this.status(`draft saved ${timeOfDay(data.saved_at)}`, "draft");
    else if (data.correcting && data.saved_at && this.isChanged()) this.status(`changed since submission, not confirmed; kept ${timeOfDay(data.saved_at)}`, "draft");
    else if (data.correcting) this.status(`submitted ${timeOfDay(data.correcting.submitted_at)}`, "submitted");
    else if (this.lastWord) this.status(this.lastWord, "submitted");
    else if (data.last_recorded_at) this.status(`last answer submitted ${timeOfDay(data.last_recorded_at)}`, "submitted");
    else this.status("nothing entered yet", "empty");
    const back = () => {
      this.fit();
      this.returnToPlace();
      this.returnToPane(this.tab);
    };
    back();
    requestAnimationFrame(back);
    this.pad.focus({ preventScroll: true });
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
      this.data.previous
        ? make("button", { type: "button", class: "quiet", "aria-keyshortcuts": "b", title: "Open the answer you graded before this one, to correct it", "data-testid": "previous", onclick: () => this.goBack() }, "‹ Previous answer")
        : null,
      make("button", { type: "button", class: "quiet", "aria-keyshortcuts": "Shift+?", onclick: () => this.help.showModal() }, "? keys"),
    );
  },

  async goBack() {
    if (!this.data.previous) return;
    this.saveSoon(0, true);
    location.assign(`/grade?correct=${encodeURIComponent(this.data.previous)}&then=queue`);
  },

  drawSheet() {
    const { data } = this;
    const name = data.kind === "rule_application" ? "Answer guide" : "Point sheet";
    const panes = { sheet: [name, this.drawPoints()], question: ["Question", prose(data.prompt)] };
    if (data.file) panes.file = ["File", prose(data.file)];
    if (data.library) panes.library = ["Library", this.drawLibrary()];
    panes.rulings = ["Rulings", data.guidelines ? prose(data.guidelines) : [make("p", { class: "empty" }, "The panel has made no rulings yet.")]];
    this.tabs = {};
    const tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "Material", onkeydown: (event) => this.tabKey(event) });
    const column = make("section", { class: "sheet-column", "aria-label": "Material" }, make("div", { class: "column-head" }, tabs));
    for (const [id, [label, content]] of Object.entries(panes)) {
      const pane = make("div", { class: id === "sheet" ? "pane" : "pane prose", id: `pane-${id}`, role: "tabpanel", tabindex: 0, "aria-label": label }, content);
      const tab = make(
        "button",
        { type: "button", role: "tab", "data-testid": `tab-${id}`, "aria-controls": `pane-${id}`, onclick: () => this.showTab(id) },
        label,
      );
      pane.addEventListener("scroll", () => pane.hidden || this.keepPane(id, pane.scrollTop), { passive: true });
      this.tabs[id] = { tab, pane };
      tabs.append(tab);
      column.append(pane);
    }
    return column;
  },

  drawPoints() {
    const blocks = [];
    if (this.data.gold) blocks.push(make("p", { class: "gold" }, "The rule gives: ", make("strong", {}, this.data.gold)));
    for (const [at, issue] of this.data.issues.entries()) {
      const list = make("ul", { class: "points" });
      for (const [place, point] of issue.points.entries()) {
        const number = `${at + 1}.${place + 1}`;
        const box = make("input", {
          type: "checkbox",
          "data-testid": `point-${point.id}`,
          onchange: (event) => this.tick("points", point.id, event.target.checked),
        });
        const row = make(
          "li",
          {},
          make(
            "label",
            {},
            box,
            make(
              "span",
              {},
              make("b", { class: "number" }, number),
              ` ${point.text}`,
              point.contested ? make("em", { class: "hint" }, " Either side earns it if argued.") : null,
              make("small", {}, point.authority ? `${point.part} · ${point.authority}` : point.part),
            ),
          ),
          point.sources.length ? make("p", { class: "sources" }, this.drawSources(point)) : null,
        );
        this.finding("point", point.id, `${number} ${point.text}`, box, row);
        list.append(row);
      }
      blocks.push(
        make("h3", { class: "issue" }, make("span", {}, `${at + 1} ${issue.title}`), make("span", { class: "weight" }, `${written(issue.weight_percent)} %`)),
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
    sessionStorage.setItem(`desk-tab:${this.data.item}`, id);
    for (const [name, { tab, pane }] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(name === id));
      tab.tabIndex = name === id ? 0 : -1;
      pane.hidden = name !== id;
    }
    this.returnToPane(id);
    if (this.findBar && !this.findBar.hidden && this.findWhere.value === "pane") this.find();
  },

  nextTab(step) {
    const names = Object.keys(this.tabs);
    this.showTab(names[(names.indexOf(this.tab) + step + names.length) % names.length]);
  },

  tabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.nextTab(step);
    this.tabs[this.tab].tab.focus();
  },

  drawPad() {
    const { data } = this;
    this.buttons = [];
    const parts = [];
    if (data.correcting) parts.push(this.drawStanding());
    if (data.given_by === "grader") {
      parts.push(make("h2", { id: "score-label" }, "Score"), this.drawScale("score", data.scores, "score-label"));
      this.means = make("p", { class: "means", "aria-live": "polite" });
      // As much room as the longest meaning takes, so that nothing below moves when a score is chosen.
      const longest = data.levels.map((level) => make("p", { class: "means", "aria-hidden": "true", "data-says": this.inWords(level) }));
      parts.push(make("div", { class: "room" }, this.means, longest));
    }
    for (const criterion of data.criteria) parts.push(this.drawCriterion(criterion));
    if (data.correcting) parts.push(this.drawCorrection());
    if (data.error_types.length) parts.push(this.drawBoxes("error_types", "Errors", data.error_types));
    if (data.analysis_gaps.length) parts.push(this.drawBoxes("analysis_gaps", "Why analysis is missing", data.analysis_gaps));
    if (data.given_by !== "grader") {
      this.means = make("p", { class: "means counts", "aria-live": "polite" });
      parts.push(this.means);
    }
    if (data.condition_codes.length) parts.push(this.drawCodes());
    this.noteBox = make("textarea", {
      id: "desk-note",
      "data-testid": "note",
      rows: 3,
      "aria-keyshortcuts": "n",
      oninput: () => {
        this.note = this.noteBox.value;
        this.changed();
      },
    });
    this.noteBox.value = this.note;
    parts.push(make("label", { for: "desk-note", class: "label" }, "Note"), this.noteBox, this.drawTally());
    if (data.reminders.length) parts.push(this.drawReminders());
    this.problem = make("p", { class: "problem", role: "alert", "data-testid": "problem" });
    this.missing = make("p", { class: "missing" });
    this.submitButton = make(
      "button",
      { type: "button", class: "submit", "data-testid": "submit", "aria-keyshortcuts": "Control+Enter", onclick: () => this.submit() },
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
          : make("button", { type: "button", class: "quiet", "data-testid": "refer", "aria-keyshortcuts": "u", onclick: () => this.refer.showModal() }, "Cannot grade this, because …"),
      data.calibrating ? null : this.drawFlag(),
      this.submitButton,
    );
    this.pad = make("div", { class: "pad-scroll", tabindex: -1 }, parts);
    return make("section", { class: "pad-column", "aria-label": "Your judgment" }, this.pad, foot);
  },

  drawReminders() {
    const questions = this.data.reminders.map((question) => make("li", {}, question));
    return make("section", { class: "reminders", "aria-labelledby": "reminders-label" }, make("h2", { id: "reminders-label" }, "Reminders"), make("ul", {}, questions));
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
      make("label", { for: "desk-reason", class: "label" }, "Why do you correct it?"),
      box,
      this.drawHistory(),
    );
  },

  drawScale(name, values, labelId, criterion = null) {
    const group = make("div", { class: "scale", role: "radiogroup", "aria-labelledby": labelId, onkeydown: (event) => this.scaleKey(event, name) });
    for (const value of values) {
      const shown = written(value);
      const button = make(
        "button",
        {
          type: "button",
          role: "radio",
          "data-testid": criterion ? `mark-${criterion}-${shown}` : `score-${shown}`,
          title: criterion ? undefined : this.meaning(value),
          "aria-keyshortcuts": criterion || shown.length > 1 ? undefined : shown,
          onclick: () => (criterion ? this.mark(criterion, value) : this.score(value)),
        },
        shown,
      );
      this.buttons.push({ name, value, button });
      group.append(button);
    }
    return group;
  },

  // Arrows move within a scale, as in any group of radio buttons.
  scaleKey(event, name) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const group = this.buttons.filter((one) => one.name === name);
    const at = group.findIndex(({ button }) => button === event.target);
    const next = group[(at + step + group.length) % group.length].button;
    next.click();
    next.focus();
  },

  meaning(score) {
    const level = this.data.levels.find((one) => one.score === score);
    return level ? `${level.label}. ${level.means}` : undefined;
  },

  inWords(level) {
    return `${written(level.score)}: ${level.label}. ${level.means}`;
  },

  drawCriterion(criterion) {
    const label = `criterion-${criterion.id}`;
    return make(
      "div",
      { class: criterion.values.length <= FEW ? "criterion few" : "criterion" },
      make("h2", { id: label }, criterion.title, this.keyHint(criterion.id)),
      make("p", { class: "question" }, criterion.question),
      this.drawScale(criterion.id, criterion.values, label, criterion.id),
      make("p", { class: "forced", "data-forced": criterion.id }),
    );
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
      const place = make("div", { class: "mark" }, make("label", { title: option.means }, box, make("span", {}, option.title)));
      this.finding(KINDS[field], option.id, option.title, box, place);
      list.append(place);
    }
    return make("div", {}, make("h2", {}, title, make("kbd", {}, field === "error_types" ? "e" : "y")), list);
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
              else this.send("/desk/refer", { reason: chosen.value, note: words.value, item_hash: this.data.item_hash }, "sent to the lead", problem);
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
