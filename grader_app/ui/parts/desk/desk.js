// The grading desk: answer, point sheet and score pad in one place, driven from the keyboard.
// Every text reaches the page through textContent; nothing that a writer wrote is ever interpreted.

const DRAFT_DELAY_MS = 500;
const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const IDLE_MS = 60000; // Pauses longer than this do not count as reading time.

export default function ({ data, parentElement, setTriggerValue }) {
  // This function runs again on every change of data; one desk per mount keeps what was typed.
  let desk = parentElement.gradingDesk;
  if (!desk) {
    desk = parentElement.gradingDesk = new Desk(parentElement.querySelector(".desk-root"));
  }
  desk.askForNext = (why) => {
    if (data.correcting) location.assign("/progress");
    else setTriggerValue("next", `${why}:${crypto.randomUUID()}`);
  };
  desk.update(data);
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

function written(number) {
  return String(Math.round(number * 1e9) / 1e9);
}

function timeOfDay(iso) {
  return new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

// Bidirectional controls can make text read in another order than it is stored; they are shown by name.
const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g;

function plainInto(element, text) {
  let from = 0;
  for (const found of text.matchAll(BIDI)) {
    element.append(text.slice(from, found.index));
    const code = found[0].codePointAt(0).toString(16).toUpperCase();
    element.append(make("span", { class: "control", title: "A hidden control character stands here" }, `[U+${code}]`));
    from = found.index + found[0].length;
  }
  element.append(text.slice(from));
  return element;
}

function paragraphs(text) {
  const parts = text.split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\s*/).filter((part) => part !== "");
  return parts.map((part) => plainInto(make("p"), part));
}

// The panel's own prompts and rulings are Markdown; the little of it they need is drawn as elements.
function prose(text) {
  const blocks = [];
  let list = null;
  for (const raw of text.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    const lines = raw.split("\n").filter((line) => line.trim() !== "");
    let held = [];
    const flush = () => {
      if (held.length) blocks.push(inlineInto(make("p"), held.join(" ")));
      held = [];
    };
    for (const line of lines) {
      const heading = line.match(/^(#{1,4})\s+(.*)$/);
      const bullet = line.match(/^\s*(?:[-*]|(\d+)[.)])\s+(.*)$/);
      if (heading) {
        flush();
        list = null;
        blocks.push(inlineInto(make(heading[1].length > 1 ? "h4" : "h3"), heading[2]));
      } else if (bullet) {
        flush();
        const kind = bullet[1] ? "ol" : "ul";
        if (!list || list.localName !== kind) {
          list = make(kind, bullet[1] ? { start: bullet[1] } : {});
          blocks.push(list);
        }
        list.append(inlineInto(make("li"), bullet[2]));
      } else if (list && /^\s{2,}/.test(line)) {
        inlineInto(list.lastChild, ` ${line.trim()}`);
      } else {
        list = null;
        held.push(line.trim());
      }
    }
    flush();
  }
  return blocks;
}

function inlineInto(element, text) {
  for (const part of text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/)) {
    if (/^\*\*.+\*\*$/.test(part)) element.append(make("strong", {}, part.slice(2, -2)));
    else if (/^\*.+\*$/.test(part)) element.append(make("em", {}, part.slice(1, -1)));
    else if (part) element.append(part);
  }
  return element;
}

class Desk {
  constructor(root) {
    this.root = root;
    this.assignment = null;
    // Scrolling and moving are reading; without them the time before the first mark would not count.
    for (const sign of ["pointermove", "wheel", "keydown", "scroll"]) {
      root.addEventListener(sign, () => this.seen(), { passive: true, capture: true });
    }
    // One listener for the whole life of the page; it serves whichever desk is on it now.
    window.currentGradingDesk = this;
    if (!window.gradingDeskKeys) {
      window.gradingDeskKeys = true;
      document.addEventListener("keydown", (event) => {
        const desk = window.currentGradingDesk;
        if (desk && desk.root.isConnected) desk.key(event);
      });
      document.addEventListener("visibilitychange", () => window.currentGradingDesk?.saveSoon(0, true));
      window.addEventListener("resize", () => window.currentGradingDesk?.fit());
      window.addEventListener("pagehide", () => window.currentGradingDesk?.saveSoon(0, true));
    }
  }

  update(data) {
    window.currentGradingDesk = this;
    this.data = data;
    if (data.assignment === this.assignment && data.served === this.served) {
      this.showProgress();
      return;
    }
    this.assignment = data.assignment;
    this.served = data.served;
    this.token = crypto.randomUUID();
    this.busy = false;
    this.dirty = false;
    this.saving = null;
    clearTimeout(this.timer);
    const kept = data.draft || {};
    this.entry = {
      score: kept.score ?? null,
      marks: { ...(kept.marks || {}) },
      error_types: new Set(kept.error_types || []),
      analysis_gaps: new Set(kept.analysis_gaps || []),
      points: new Set(kept.points || []),
      condition_code: kept.condition_code ?? null,
    };
    this.note = kept.note || "";
    this.reason = kept.reason || "";
    this.seconds = kept.seconds || 0;
    this.lastSeen = Date.now();
    this.draw();
  }

  // The desk fills the window below the navigation: its columns scroll, the page does not.
  fit() {
    const top = this.root.getBoundingClientRect().top + window.scrollY;
    this.root.style.height = `${Math.max(420, window.innerHeight - top - 12)}px`;
  }

  // ------------------------------------------------------------------ drawing

  draw() {
    const { data } = this;
    this.root.replaceChildren(
      this.drawBar(),
      make("div", { class: "columns" }, this.drawAnswer(), this.drawSheet(), this.drawPad()),
      this.drawHelp(),
      this.drawRefer(),
    );
    this.showTab(data.kind === "rule_application" || !this.tab ? "sheet" : this.tab);
    this.showState();
    this.showProgress();
    if (data.draft && data.saved_at && !data.correcting) this.status(`draft saved ${timeOfDay(data.saved_at)}`, "draft");
    else if (data.correcting) this.status(`submitted ${timeOfDay(data.correcting.submitted_at)}`, "submitted");
    else if (data.last_recorded_at) this.status(`last answer submitted ${timeOfDay(data.last_recorded_at)}`, "submitted");
    else this.status("nothing entered yet", "empty");
    this.fit();
    requestAnimationFrame(() => this.fit());
    this.pad.focus({ preventScroll: true });
    this.root.querySelector(".answer-scroll").scrollTop = 0;
  }

  drawBar() {
    this.progress = make("span", { class: "progress" });
    this.saved = make("span", { class: "saved", "data-testid": "saved", role: "status", "aria-live": "polite" });
    return make(
      "header",
      { class: "bar" },
      make("strong", { class: "title" }, this.data.title),
      this.progress,
      this.saved,
      make("button", { type: "button", class: "quiet", onclick: () => this.help.showModal() }, "? keys"),
    );
  }

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
  }

  size(change = 0) {
    const now = Number(localStorage.getItem("desk-text-size")) || 18;
    const next = Math.min(26, Math.max(14, now + change));
    localStorage.setItem("desk-text-size", String(next));
    this.answer.style.fontSize = `${next}px`;
  }

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
  }

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
              make("span", { class: "part", title: point.part }, point.part[0]),
              make(
                "span",
                {},
                point.text,
                point.contested ? make("em", { class: "hint" }, " Either side earns it if argued.") : null,
                point.authority ? make("small", {}, point.authority) : null,
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
  }

  showTab(id) {
    if (!this.tabs[id]) id = "sheet";
    this.tab = id;
    for (const [name, { tab, pane }] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(name === id));
      pane.hidden = name !== id;
    }
  }

  drawPad() {
    const { data } = this;
    this.buttons = [];
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
    this.found = make("p", { class: "found" });
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
      data.correcting
        ? make("a", { class: "quiet", href: "/progress" }, "Leave it as it was")
        : make("button", { type: "button", class: "quiet", "data-testid": "refer", onclick: () => this.refer.showModal() }, "Cannot grade this, because …"),
      this.submitButton,
    );
    this.pad = make("div", { class: "pad-scroll", tabindex: -1 }, parts);
    return make("section", { class: "pad-column", "aria-label": "Your judgment" }, this.pad, foot);
  }

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
      make("p", {}, `You gave ${correcting.gave} at ${timeOfDay(correcting.submitted_at)}. The earlier grade stays in the record.`),
      make("label", { for: "desk-reason", class: "label" }, "Why do you correct it?"),
      box,
    );
  }

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
          onclick: () => (criterion ? this.mark(criterion, value) : this.score(value)),
        },
        shown,
      );
      this.buttons.push({ name, value, button });
      group.append(button);
    }
    return group;
  }

  drawCriterion(criterion) {
    const label = `criterion-${criterion.id}`;
    return [
      make("h2", { id: label }, criterion.title, this.keyHint(criterion.id)),
      make("p", { class: "question" }, criterion.question),
      this.drawScale(criterion.id, criterion.values, label, criterion.id),
      make("p", { class: "forced", "data-forced": criterion.id }),
    ];
  }

  keyHint(criterionId) {
    const key = ["c", "a", "s", "d"][this.data.criteria.findIndex((one) => one.id === criterionId)];
    return key ? make("kbd", {}, key) : null;
  }

  drawBoxes(field, title, options) {
    const list = make("div", { class: "boxes", role: "group", "aria-label": title });
    for (const option of options) {
      const box = make("input", {
        type: "checkbox",
        "data-testid": `${field === "error_types" ? "error" : "gap"}-${option.id}`,
        onchange: (event) => this.tick(field, option.id, event.target.checked),
      });
      box.checked = this.entry[field].has(option.id);
      list.append(make("label", { title: option.means }, box, make("span", {}, option.title)));
    }
    return make("div", {}, make("h2", {}, title), list);
  }

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
    return make("div", {}, make("h3", { class: "label" }, "Instead of a score"), group);
  }

  drawHelp() {
    const rows = [];
    if (this.data.given_by === "grader") rows.push(["0 … 6", "give that score"]);
    this.data.criteria.forEach((criterion, place) => {
      const key = ["c", "a", "s", "d"][place];
      if (key) rows.push([key, `next mark for ${criterion.title.toLowerCase()}`]);
    });
    rows.push(
      ["j / k", "next, previous point"],
      ["x", "tick or untick the point"],
      ["e", "go to the errors or gaps, where there are any"],
      ["n", "write a note; Esc leaves it"],
      ["q / p / r", "question, point sheet, rulings"],
      ["u", "cannot grade this"],
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
  }

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
  }

  // ------------------------------------------------------------------ judging

  score(value) {
    this.entry.score = value;
    this.entry.condition_code = null;
    this.changed();
  }

  mark(criterion, value) {
    this.entry.marks[criterion] = value;
    this.entry.condition_code = null;
    this.changed();
  }

  code(id) {
    this.entry.condition_code = this.entry.condition_code === id ? null : id;
    if (this.entry.condition_code) this.entry.score = null;
    this.changed();
  }

  tick(field, id, on) {
    if (on) this.entry[field].add(id);
    else this.entry[field].delete(id);
    this.changed();
  }

  changed() {
    this.seen();
    this.dirty = true;
    this.version = (this.version || 0) + 1;
    if (this.problem) this.problem.textContent = "";
    this.showState();
    this.status("saving …", "draft");
    this.saveSoon(DRAFT_DELAY_MS);
  }

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
  }

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
    }
    for (const line of this.root.querySelectorAll("[data-forced]")) line.textContent = coded ? "" : counted[line.dataset.forced]?.why || "";
    for (const { id, button } of this.codeButtons || []) {
      button.setAttribute("aria-pressed", String(entry.condition_code === id));
      button.classList.toggle("on", entry.condition_code === id);
    }
    for (const { id, box } of this.pointBoxes) box.checked = entry.points.has(id);
    this.found.textContent = `Points found ${entry.points.size} of ${this.pointBoxes.length}`;
    const complete = coded || (data.given_by === "grader" ? entry.score !== null : Object.keys(counted).length === data.criteria.length);
    if (data.given_by === "grader") {
      const level = data.levels.find((one) => one.score === entry.score);
      this.means.textContent = level && !coded ? `${written(level.score)}: ${level.label}. ${level.means}` : "";
    } else if (this.means) {
      const shown = data.criteria.filter((one) => counted[one.id]).map((one) => `${one.title.toLowerCase()} ${written(counted[one.id].value)}`);
      this.means.textContent = shown.length && !coded ? `Counts as: ${shown.join(", ")}` : "";
    }
    this.submitButton.setAttribute("aria-disabled", String(!complete));
    this.submitButton.classList.toggle("waiting", !complete);
    this.complete = complete;
  }

  showProgress() {
    const { done, total, left_text: leftText } = this.data.progress;
    this.progress.textContent = `${done} of ${total} graded${leftText ? ` · ${leftText}` : ""}`;
  }

  status(words, kind) {
    this.saved.textContent = words;
    this.saved.dataset.kind = kind;
  }

  // ------------------------------------------------------------------ keeping

  seen() {
    if (!this.lastSeen) return;
    const now = Date.now();
    this.seconds += Math.min(now - this.lastSeen, IDLE_MS) / 1000;
    this.lastSeen = now;
  }

  entryAsSent() {
    const { entry } = this;
    return {
      score: entry.score,
      marks: entry.marks,
      error_types: [...entry.error_types],
      analysis_gaps: [...entry.analysis_gaps],
      points: [...entry.points],
      condition_code: entry.condition_code,
    };
  }

  saveSoon(delay, leaving = false) {
    clearTimeout(this.timer);
    if (!this.dirty || this.busy) return;
    if (delay) this.timer = setTimeout(() => this.save(), delay);
    else this.save(leaving);
  }

  async save(leaving = false, tries = 0) {
    if (this.saving && !leaving) {
      this.again = true;
      return;
    }
    const { assignment, version } = this;
    const draft = { ...this.entryAsSent(), note: this.note, reason: this.reason, seconds: this.seconds, correcting: Boolean(this.data.correcting) };
    this.saving = this.post("/desk/draft", { assignment, draft }, leaving);
    let answer;
    try {
      answer = await this.saving;
    } catch {
      answer = null;
    }
    this.saving = null;
    if (this.assignment !== assignment || this.busy) return;
    if (answer === null) {
      this.status("not saved: no connection; trying again", "problem");
      this.timer = setTimeout(() => this.save(false, tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    } else if (answer.ok) {
      if (this.version === version) this.dirty = false;
      this.status(`draft saved ${timeOfDay(answer.body.saved_at)}`, "draft");
    } else {
      this.refused(answer);
    }
    if (this.again || (this.dirty && answer?.ok)) {
      this.again = false;
      this.saveSoon(DRAFT_DELAY_MS);
    }
  }

  async post(path, body, keepalive = false) {
    const response = await fetch(path, {
      method: "POST",
      keepalive,
      headers: { "Content-Type": "application/json", "X-CSRF-Token": this.data.csrf_token },
      body: JSON.stringify(body),
    });
    return { ok: response.ok, status: response.status, body: await response.json().catch(() => ({})) };
  }

  submit() {
    if (this.noteBox) this.note = this.noteBox.value;
    if (!this.complete) {
      this.problem.textContent =
        this.data.given_by === "grader" ? "Choose a score first, or say why there is none." : "Mark every criterion first, or say why there is none.";
      return;
    }
    if (this.data.correcting && !this.reason.trim()) {
      this.problem.textContent = "Write in a few words why you correct it.";
      this.root.querySelector("#desk-reason").focus();
      return;
    }
    this.seen();
    const sent = { entry: this.entryAsSent(), note: this.note, seconds: this.seconds };
    if (this.data.correcting) this.send("/desk/correct", { ...sent, reason: this.reason }, "corrected", this.problem);
    else this.send("/desk/submit", sent, "submitted", this.problem);
  }

  async send(path, body, word, problem, tries = 0) {
    if (this.busy && tries === 0) return; // A double click is one submission.
    this.busy = true;
    clearTimeout(this.timer);
    const { assignment, token } = this;
    this.status("submitting …", "draft");
    let answer;
    try {
      answer = await this.post(path, { assignment, token, ...body });
    } catch {
      this.status("not submitted: no connection; trying again", "problem");
      setTimeout(() => this.send(path, body, word, problem, tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
      return;
    }
    if (this.assignment !== assignment) return;
    if (answer.ok) {
      this.dirty = false;
      this.status(`${word} ${timeOfDay(answer.body.recorded_at)}`, "submitted");
      this.refer.close();
      this.askForNext(word);
    } else {
      this.busy = false;
      this.refused(answer, problem);
    }
  }

  refused(answer, problem = this.problem) {
    const words = answer.body.problem || "The workbench could not keep this. Try again in a moment.";
    problem.replaceChildren(words);
    if (answer.status === 401) {
      const back = encodeURIComponent(location.pathname + location.search);
      problem.append(" ", make("a", { href: `/sign-in?goes_to=${back}` }, "Sign in"));
      this.status("signed out", "problem");
    } else if (answer.status === 409) {
      this.dirty = false;
      problem.append(" ", make("button", { type: "button", class: "quiet", onclick: () => this.askForNext("moved on") }, "Go to the next answer"));
      this.status("not recorded", "problem");
    } else {
      this.status("not recorded", "problem");
    }
  }

  // ------------------------------------------------------------------ keys

  key(event) {
    const at = event.composedPath()[0];
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!this.refer.open && !this.help.open) this.submit();
      return;
    }
    const typing = at instanceof HTMLElement && (at.localName === "textarea" || at.localName === "select" || (at.localName === "input" && at.type === "text") || at.isContentEditable);
    if (typing) {
      if (event.key === "Escape") this.pad.focus();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || this.refer.open || this.help.open) return;
    const act = this.keyAct(event.key);
    if (act) {
      event.preventDefault();
      act();
    }
  }

  keyAct(key) {
    if (/^[0-9]$/.test(key) && this.data.given_by === "grader") {
      const value = Number(key);
      return this.data.scores.includes(value) ? () => this.score(value) : null;
    }
    const place = ["c", "a", "s", "d"].indexOf(key);
    if (place >= 0 && this.data.criteria[place]) return () => this.nextMark(this.data.criteria[place]);
    return {
      j: () => this.movePoint(1),
      k: () => this.movePoint(-1),
      x: () => this.togglePoint(),
      e: () => this.root.querySelector(".pad-column .boxes input")?.focus(),
      n: () => this.noteBox.focus(),
      q: () => this.showTab("question"),
      p: () => this.showTab("sheet"),
      r: () => this.showTab("rulings"),
      u: () => (this.data.correcting ? null : this.refer.showModal()),
      "?": () => this.help.showModal(),
    }[key];
  }

  nextMark(criterion) {
    const now = criterion.values.indexOf(this.entry.marks[criterion.id]);
    this.mark(criterion.id, criterion.values[now < 0 ? criterion.values.length - 1 : (now + criterion.values.length - 1) % criterion.values.length]);
  }

  movePoint(step) {
    if (!this.pointBoxes.length) return;
    this.showTab("sheet");
    const now = this.pointBoxes.findIndex(({ box }) => box === this.atPoint);
    const next = now < 0 ? (step > 0 ? 0 : this.pointBoxes.length - 1) : Math.min(this.pointBoxes.length - 1, Math.max(0, now + step));
    this.atPoint = this.pointBoxes[next].box;
    this.atPoint.focus();
    this.atPoint.closest("li").scrollIntoView({ block: "nearest" });
  }

  togglePoint() {
    if (!this.atPoint?.isConnected) this.movePoint(1);
    else this.atPoint.click();
  }
}

function aside(title, lines) {
  return make("div", { class: "aside" }, make("strong", {}, `${title}: `), lines.join(" "));
}
