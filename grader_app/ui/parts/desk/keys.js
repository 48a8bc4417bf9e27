// Everything the mouse can do, from the keyboard.

const TYPING_MS = 1200;

const Keys = {
  key(event) {
    const at = event.composedPath()[0];
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!this.root.querySelector("dialog[open]")) this.submit();
      return;
    }
    const typing = at instanceof HTMLElement && (at.localName === "textarea" || at.localName === "select" || (at.localName === "input" && at.type === "text") || at.isContentEditable);
    if (typing) {
      if (event.key === "Escape") this.pad.focus();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || this.root.querySelector("dialog[open]")) return;
    const act = this.keyAct(event.key);
    if (act) {
      event.preventDefault();
      act();
    }
  },

  keyAct(key) {
    if (/^[0-9]$/.test(key) && this.data.given_by !== "grader") return () => this.typeMark(Number(key));
    if (/^[0-9.,]$/.test(key) && this.data.given_by === "grader") return () => this.typeScore(key === "," ? "." : key);
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
      u: () => (this.data.correcting || this.data.calibrating ? null : this.refer.showModal()),
      g: () => this.flagAuthor(),
      "?": () => this.help.showModal(),
    }[key];
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

  movePoint(step) {
    if (!this.pointBoxes.length) return;
    this.showTab("sheet");
    const now = this.pointBoxes.findIndex(({ box }) => box === this.atPoint);
    const next = now < 0 ? (step > 0 ? 0 : this.pointBoxes.length - 1) : Math.min(this.pointBoxes.length - 1, Math.max(0, now + step));
    this.atPoint = this.pointBoxes[next].box;
    this.atPoint.focus();
    this.atPoint.closest("li").scrollIntoView({ block: "nearest" });
  },

  togglePoint() {
    if (!this.atPoint?.isConnected) this.movePoint(1);
    else this.atPoint.click();
  },
};
