// Everything the mouse can do, from the keyboard.

const TYPING_MS = 1200;
const NOT_TYPED_INTO = new Set(["checkbox", "radio", "range", "button", "submit"]);

const Keys = {
  key(event) {
    const at = event.composedPath()[0];
    const dialog = this.root.querySelector("dialog[open]");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!dialog) this.submit();
      return;
    }
    if (dialog) return;
    if (isTypedInto(at)) {
      if (event.key === "Escape") this.pad.focus();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && this.undo()) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return void this.escape();
    if (at === this.answerScroll) {
      if (this.walking ? this.walkKey(event) : event.key === "Enter") {
        event.preventDefault();
        if (!this.walking) this.walk();
        return;
      }
    }
    if (!this.display().keys) return;
    const act = this.keyAct(nameOfKey(event));
    if (act) {
      event.preventDefault();
      act();
    }
  },

  escape() {
    if (this.chosen || this.walking) this.letGo();
    else if (!this.findBar.hidden) this.closeFind();
    this.pad.focus({ preventScroll: true });
  },

  // What the right hand does the left hand can do too; `KeyList` shows the map.
  keyAct(key) {
    const scored = this.data.given_by === "grader";
    if (/^[0-9]$/.test(key) && !scored) return () => this.typeMark(Number(key));
    if (/^[0-9.,]$/.test(key) && scored) return () => this.typeScore(key === "," ? "." : key);
    const place = ["c", "a", "s", "d"].indexOf(key);
    if (place >= 0 && this.data.criteria[place]) return () => this.nextMark(this.data.criteria[place]);
    const acts = {
      j: () => this.moveTo("point", 1),
      k: () => this.moveTo("point", -1),
      x: () => this.toggleAtHand(),
      e: () => this.moveTo("mark", 1),
      E: () => this.moveTo("mark", -1),
      y: () => this.moveTo("analysis_gap", 1),
      Y: () => this.moveTo("analysis_gap", -1),
      i: () => this.moveToCode(),
      w: () => this.walk(),
      v: () => this.attachHere(),
      V: () => this.openChoice(),
      n: () => this.noteBox.focus(),
      q: () => this.showTab("question"),
      p: () => this.showTab("sheet"),
      r: () => this.showTab("rulings"),
      F: () => this.showTab(this.tabs.file ? "file" : this.tab),
      L: () => this.showTab(this.tabs.library ? "library" : this.tab),
      z: () => this.nextTab(1),
      Z: () => this.nextTab(-1),
      b: () => this.goBack(),
      "/": () => this.openFind(),
      o: () => this.settings.showModal(),
      u: () => (this.data.correcting || this.data.calibrating ? null : this.refer.showModal()),
      g: () => this.flagAuthor(),
      "?": () => this.help.showModal(),
    };
    if (scored) Object.assign(acts, { R: () => this.stepScore(1), D: () => this.stepScore(-1) });
    const same = { t: "j", T: "k", C: "i", W: "n", f: "/", A: "o", X: "u", Q: "?" };
    if (key === "S") return () => this.submit();
    return acts[same[key] || key];
  },

  stepScore(step) {
    const { scores } = this.data;
    const now = scores.indexOf(this.entry.score);
    this.score(scores[now < 0 ? (step > 0 ? 0 : scores.length - 1) : Math.max(0, Math.min(scores.length - 1, now + step))]);
  },

  // Digits that follow each other closely are one number: 3 . 5 is 3.5, and 1 0 is 10 where the scale has it.
  typeScore(key) {
    clearTimeout(this.typedTimer);
    const whole = (this.typed || "") + key;
    const known = (text) => text !== "" && !text.endsWith(".") && this.data.scores.includes(Number(text));
    if (known(whole)) {
      this.typed = whole;
      this.score(Number(whole));
    } else if (key === ".") {
      this.typed = whole;
    } else if (whole.includes(".")) {
      this.typed = "";
      this.entry.score = null;
      this.changed();
      this.problem.textContent = `${whole} is not on the scale.`;
    } else {
      this.typed = key;
      if (known(key)) this.score(Number(key));
    }
    this.typedTimer = setTimeout(() => {
      this.typed = "";
    }, TYPING_MS);
  },

  // A digit marks the criterion whose key came last, or the first that is not marked yet.
  typeMark(value) {
    const open = this.data.criteria.find((one) => this.entry.marks[one.id] === undefined);
    const criterion = this.atCriterion || open;
    if (criterion?.values.includes(value)) this.mark(criterion.id, value);
  },

  nextMark(criterion) {
    this.atCriterion = criterion;
    const now = criterion.values.indexOf(this.entry.marks[criterion.id]);
    this.mark(criterion.id, criterion.values[now < 0 ? criterion.values.length - 1 : (now + criterion.values.length - 1) % criterion.values.length]);
  },

  // Points lie in the sheet, errors and gaps in the pad; `e` goes on from the errors to the gaps.
  moveTo(kind, step) {
    const list = this.findings.filter(({ of }) => (kind === "mark" ? of !== "point" : of === kind));
    if (!list.length) return;
    if (kind === "point") this.showTab("sheet");
    const now = list.indexOf(this.atHand);
    const next = list[now < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, now + step))];
    next.box.focus();
    next.place.scrollIntoView({ block: "nearest" });
  },

  moveToCode() {
    const buttons = (this.codeButtons || []).map(({ button }) => button);
    const now = buttons.indexOf(this.root.getRootNode().activeElement);
    buttons[(now + 1) % buttons.length]?.focus();
  },

  toggleAtHand() {
    const focused = this.root.getRootNode().activeElement;
    if (this.codeButtons?.some(({ button }) => button === focused)) focused.click();
    else if (this.atHand?.box.isConnected) this.atHand.box.click();
    else this.moveTo("point", 1);
  },
};

function isTypedInto(at) {
  if (!(at instanceof HTMLElement)) return false;
  return at.localName === "textarea" || at.localName === "select" || (at.localName === "input" && !NOT_TYPED_INTO.has(at.type)) || at.isContentEditable;
}

// The letter on the key, capital when Shift is held: Caps Lock and other alphabets do not change what a key does.
function nameOfKey(event) {
  if (event.code === "Backquote" && !event.shiftKey) return "0";
  const latin = /^[a-z]$/i.test(event.key) ? event.key : /^Key[A-Z]$/.test(event.code) && /[^\x20-\x7e]/.test(event.key) && event.key.length === 1 ? event.code.slice(3) : null;
  if (latin) return event.shiftKey ? latin.toUpperCase() : latin.toLowerCase();
  return event.key;
}
