// What the grader enters, and what the rubric makes of it while grading.

const Judging = {
  score(value) {
    this.entry.score = value;
    this.entry.condition_code = null;
    this.changed();
  },

  mark(criterion, value) {
    this.entry.marks[criterion] = value;
    // A gap says why analysis is missing; where there is analysis, there is none.
    if (criterion === "analysis" && value > this.data.criteria.find((one) => one.id === criterion).lowest) for (const gap of [...this.entry.analysis_gaps]) this.unmark("analysis_gaps", gap);
    this.entry.condition_code = null;
    this.changed();
  },

  code(id) {
    this.entry.condition_code = this.entry.condition_code === id ? null : id;
    if (this.entry.condition_code) this.entry.score = null;
    this.changed();
  },

  tick(field, id, on) {
    if (on) this.entry[field].add(id);
    else this.unmark(field, id);
    this.changed();
  },

  unmark(field, id) {
    this.entry[field].delete(id);
    this.takeOff(KINDS[field], id);
  },

  changed() {
    this.seen();
    this.dirty = true;
    this.version = (this.version || 0) + 1;
    if (this.problem) this.problem.textContent = "";
    this.showState();
    if (!this.unanswered) this.status("saving …", "draft");
    this.saveSoon(DRAFT_DELAY_MS);
  },

  // What the rubric makes of the marks. The server decides; this only shows it while grading.
  counted() {
    const counted = {};
    const zero = (criterion) => (criterion.lowest <= 0 && criterion.highest >= 0 ? 0 : criterion.lowest);
    for (let round = 0; round <= this.data.criteria.length; round += 1) {
      for (const criterion of this.data.criteria) {
        const needed = this.data.criteria.find((one) => one.id === criterion.needs);
        if (criterion.zero_if_any_error && this.entry.error_types.size) {
          counted[criterion.id] = { value: zero(criterion), why: "an error is marked, so this is 0" };
        } else if (needed && criterion.if_unmet === "zero" && counted[needed.id] && counted[needed.id].value <= needed.lowest) {
          counted[criterion.id] = { value: zero(criterion), why: `0, because ${needed.title.toLowerCase()} is not met` };
        } else if (this.entry.marks[criterion.id] !== undefined) {
          counted[criterion.id] = { value: this.entry.marks[criterion.id], why: "" };
        }
      }
    }
    return counted;
  },

  showState() {
    const { data, entry } = this;
    const counted = this.counted();
    const coded = entry.condition_code !== null;
    for (const { name, value, button } of this.buttons) {
      const chosen = name === "score" ? entry.score : counted[name]?.value;
      const on = !coded && chosen === value;
      button.setAttribute("aria-checked", String(on));
      button.classList.toggle("on", on);
      button.classList.toggle("dim", coded);
      button.tabIndex = on ? 0 : -1;
    }
    // Tab comes to a scale once: at what is chosen, or at its beginning.
    for (const name of new Set(this.buttons.map((one) => one.name))) {
      const group = this.buttons.filter((one) => one.name === name);
      if (!group.some(({ button }) => button.tabIndex === 0)) group[0].button.tabIndex = 0;
    }
    for (const line of this.root.querySelectorAll("[data-forced]")) line.textContent = coded ? "" : counted[line.dataset.forced]?.why || "";
    for (const { id, button } of this.codeButtons || []) {
      button.setAttribute("aria-pressed", String(entry.condition_code === id));
      button.classList.toggle("on", entry.condition_code === id);
    }
    if (this.codeMeans) this.codeMeans.textContent = data.condition_codes.find((code) => code.id === entry.condition_code)?.counts || "";
    for (const { of, id, box } of this.findings) box.checked = entry[FIELDS[of]].has(id);
    this.showEvidence();
    this.showTally();
    const complete = coded || (data.given_by === "grader" ? entry.score !== null : Object.keys(counted).length === data.criteria.length);
    if (data.given_by === "grader") {
      const level = data.levels.find((one) => one.score === entry.score);
      this.means.textContent = level && !coded ? this.inWords(level) : "";
    } else if (this.means) {
      const shown = data.criteria.filter((one) => counted[one.id]).map((one) => `${one.title.toLowerCase()} ${written(counted[one.id].value)}`);
      this.means.textContent = complete && !coded ? `Counts as: ${shown.join(", ")}` : "";
    }
    this.submitButton.setAttribute("aria-disabled", String(!complete));
    this.submitButton.classList.toggle("waiting", !complete);
    this.complete = complete;
    if (complete && data.correcting && !this.reason.trim()) this.submitButton.classList.add("waiting");
    this.missing.textContent = complete ? (data.correcting && !this.reason.trim() ? "A reason is needed." : "") : this.whatIsMissing(counted);
  },

  whatIsMissing(counted) {
    if (this.data.given_by === "grader") return "No score yet.";
    const names = this.data.criteria.filter((one) => !counted[one.id]).map((one) => one.title.toLowerCase());
    return `Not marked yet: ${names.join(", ")}.`;
  },

  showProgress() {
    const { done, total, left_text: leftText, here_only: hereOnly } = this.data.progress;
    if (this.data.correcting) {
      this.progress.textContent = "correcting a grade you submitted";
      return;
    }
    this.progress.textContent = `${done} of ${total} ${hereOnly ? "of this question " : ""}graded${leftText ? ` · ${leftText}` : ""}`;
  },

  status(words, kind) {
    this.saved.textContent = words;
    this.saved.dataset.kind = kind;
  },
};
