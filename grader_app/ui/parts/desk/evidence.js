// Words of the answer attached to a point, an error type or a gap.

const FIELDS = { point: "points", error_type: "error_types", analysis_gap: "analysis_gaps" };
const KINDS = { points: "point", error_types: "error_type", analysis_gaps: "analysis_gap" };
const PAINTED = { point: "point", error_type: "error", analysis_gap: "gap" };

const Evidence = {
  // A line of the sheet or the pad to which words can be attached.
  finding(of, id, title, box, place) {
    const quotes = make("ul", { class: "quotes", "aria-label": "Words attached" });
    const one = { of, id, title, box, place, quotes };
    place.append(quotes);
    place.dataset.finding = `${of}:${id}`;
    box.addEventListener("focus", () => this.takeInHand(one));
    place.addEventListener("click", () => this.takeInHand(one));
    this.findings.push(one);
    return one;
  },

  takeInHand(finding) {
    this.atHand = finding;
    for (const one of this.findings) one.place.classList.toggle("at-hand", one === finding);
    this.showWords();
  },

  // --------------------------------------------------------------- choosing

  selectionChanged() {
    if (!this.map || this.busy) return;
    const found = this.selected();
    if (found) {
      this.stopWalking();
      this.takeWords(this.map.wholeWords(found.start, found.end));
    } else if (this.chosen && found === null) {
      this.takeWords(null);
    }
  },

  // The selection inside the answer; null for a bare click in it, undefined when it is elsewhere.
  selected() {
    const root = this.root.getRootNode();
    const selection = document.getSelection();
    let range = null;
    if (selection?.getComposedRanges) [range] = selection.getComposedRanges({ shadowRoots: [root] });
    else if (root.getSelection?.()?.rangeCount) range = root.getSelection().getRangeAt(0);
    else if (selection?.rangeCount) range = selection.getRangeAt(0);
    if (!range) return undefined;
    const inside = (node) => node === this.answerScroll || this.answer.contains(node);
    const collapsed = range.startContainer === range.endContainer && range.startOffset === range.endOffset;
    if (collapsed) return this.answer.contains(range.startContainer) && !this.walking ? null : undefined;
    if (!inside(range.startContainer) && !inside(range.endContainer)) return undefined;
    const start = this.map.offset(range.startContainer, range.startOffset, false);
    const end = this.map.offset(range.endContainer, range.endOffset, true);
    return start === null || end === null || start >= end ? undefined : { start, end };
  },

  takeWords(place) {
    this.chosen = place;
    paint("chosen", this.map, place ? [place] : [], this.layer);
    this.showWords();
  },

  letGo() {
    this.stopWalking();
    this.takeWords(null);
    document.getSelection()?.removeAllRanges();
    this.root.getRootNode().getSelection?.()?.removeAllRanges();
  },

  wordsAt({ start, end }) {
    return this.map.text.slice(start, end);
  },

  // -------------------------------------------------------------- attaching

  attach(of, id) {
    if (!this.chosen) return;
    const { start, end } = this.chosen;
    const same = (one) => one.of === of && one.id === id && one.start === start && one.end === end;
    if (!this.entry.highlights.some(same)) this.entry.highlights.push({ start, end, of, id });
    this.entry.highlights.sort((a, b) => a.start - b.start || a.end - b.end);
    this.entry[FIELDS[of]].add(id);
    this.takenOff.delete(`${of}:${id}`);
    const finding = this.findings.find((one) => one.of === of && one.id === id);
    if (of === "point") this.showTab("sheet");
    this.speak(`Attached to ${finding.title}.`);
    if (this.wordsBar.contains(this.root.getRootNode().activeElement)) this.answerScroll.focus({ preventScroll: true });
    document.getSelection()?.removeAllRanges();
    this.takeWords(null);
    this.takeInHand(finding);
    this.changed();
    finding.place.scrollIntoView({ block: "nearest" });
  },

  attachHere() {
    if (!this.chosen) this.speak("Select words in the answer first.");
    else if (this.atHand) this.attach(this.atHand.of, this.atHand.id);
    else this.openChoice();
  },

  remove(highlight) {
    const { of, id } = highlight;
    this.entry.highlights = this.entry.highlights.filter((one) => one !== highlight);
    this.keepForUndo(of, id, [highlight], true);
    this.changed();
  },

  // What is no longer marked keeps no words; they can be put back until the grade is sent.
  takeOff(of, id) {
    const off = this.entry.highlights.filter((one) => one.of === of && one.id === id);
    if (!off.length) return;
    this.entry.highlights = this.entry.highlights.filter((one) => !off.includes(one));
    this.keepForUndo(of, id, off, false);
  },

  keepForUndo(of, id, off, marked) {
    const key = `${of}:${id}`;
    const earlier = this.takenOff.get(key)?.off || [];
    this.takenOff.delete(key);
    this.takenOff.set(key, { of, id, marked, off: [...earlier, ...off] });
  },

  putBack(key) {
    const kept = this.takenOff.get(key);
    if (!kept) return;
    this.takenOff.delete(key);
    this.entry.highlights.push(...kept.off);
    this.entry.highlights.sort((a, b) => a.start - b.start || a.end - b.end);
    this.entry[FIELDS[kept.of]].add(kept.id);
    this.changed();
  },

  undo() {
    const last = [...this.takenOff.keys()].pop();
    if (last) this.putBack(last);
    return Boolean(last);
  },

  show(highlight) {
    bringIntoView(this.map.range(highlight.start, highlight.end), this.answerScroll);
    paint("shown", this.map, [highlight], this.layer);
    clearTimeout(this.shownTimer);
    this.shownTimer = setTimeout(() => paint("shown", this.map, [], this.layer), 2500);
    this.speak(this.wordsAt(highlight));
  },

  // The server counts characters, and takes no words for what is not marked.
  highlightsAsSent() {
    return this.entry.highlights
      .filter(({ of, id }) => this.entry[FIELDS[of]].has(id))
      .map(({ start, end, of, id }) => ({ start: this.map.toPoints(start), end: this.map.toPoints(end), of, id }));
  },

  readHighlights(sent) {
    const map = new TextMap(this.data.answer, []);
    return sent
      .map(({ start, end, of, id }) => ({ start: map.fromPoints(start), end: map.fromPoints(end), of, id }))
      .filter(({ start, end, of }) => of in FIELDS && start >= 0 && start < end && end <= this.data.answer.length);
  },

  // ---------------------------------------------------------------- drawing

  showEvidence() {
    for (const { of, id, quotes, title } of this.findings) {
      const rows = this.entry.highlights
        .filter((one) => one.of === of && one.id === id)
        .map((one) => {
          const words = shortened(this.wordsAt(one), 90);
          return make(
            "li",
            { class: PAINTED[of] },
            plainInto(make("q", {}), words),
            make(
              "span",
              { class: "acts" },
              make("button", { type: "button", class: "link", "aria-label": `Show in text: ${words}`, onclick: () => this.show(one) }, "show in text"),
              make("button", { type: "button", class: "link", "aria-label": `Remove: ${words}`, onclick: () => this.remove(one) }, "remove"),
            ),
          );
        });
      const key = `${of}:${id}`;
      const off = this.takenOff.get(key);
      if (off) {
        const count = off.off.length === 1 ? "The words were taken off." : `${off.off.length} quotes were taken off.`;
        rows.push(make("li", { class: "off" }, `${count} `, make("button", { type: "button", class: "link", "aria-label": `Put back the words for ${title}`, onclick: () => this.putBack(key) }, "Put back")));
      }
      quotes.replaceChildren(...rows);
      quotes.hidden = rows.length === 0;
    }
    this.paintAll();
  },

  paintAll() {
    if (!this.map || !this.layer?.isConnected) return;
    for (const [of, name] of Object.entries(PAINTED)) paint(name, this.map, this.entry.highlights.filter((one) => one.of === of), this.layer);
    paint("chosen", this.map, this.chosen ? [this.chosen] : [], this.layer);
    if (this.findBar && !this.findBar.hidden && this.findMap) this.paintFound();
  },

  drawBarOfWords() {
    this.quote = make("span", { class: "quote" });
    const keep = (event) => event.preventDefault(); // A press on the bar must not lose the selection.
    const act = (label, key, onclick) => make("button", { type: "button", class: "quiet", onclick }, label, key ? make("kbd", {}, key) : null);
    this.attachButton = act(make("span", {}), "v", () => this.attachHere());
    this.attachButton.setAttribute("data-testid", "attach-here");
    this.attachButton.setAttribute("aria-keyshortcuts", "v");
    this.wordsBar = make(
      "div",
      { class: "words-bar", role: "toolbar", "aria-label": "Selected words", hidden: true, onmousedown: keep, "data-testid": "words-bar" },
      this.quote,
      make(
        "div",
        { class: "acts" },
        this.attachButton,
        act("Choose a point", "Shift+V", () => this.openChoice("point")),
        this.data.error_types.length ? act("An error", null, () => this.openChoice("error_type")) : null,
        this.data.analysis_gaps.length ? act("A gap", null, () => this.openChoice("analysis_gap")) : null,
        act("Let go", "Esc", () => this.letGo()),
      ),
    );
    return this.wordsBar;
  },

  showWords() {
    if (!this.wordsBar) return;
    this.wordsBar.hidden = !this.chosen && !this.walking;
    if (this.wordsBar.hidden) return;
    this.quote.replaceChildren();
    if (this.chosen) plainInto(this.quote, `“${shortened(this.wordsAt(this.chosen), 110)}”`);
    else this.quote.append("Arrows choose words and sentences, Shift+arrows take more.");
    for (const button of this.wordsBar.querySelectorAll(".acts button")) button.disabled = !this.chosen && button.querySelector("kbd")?.textContent !== "Esc";
    this.attachButton.hidden = !this.atHand;
    if (this.atHand) this.attachButton.firstChild.textContent = `Attach to: ${shortened(this.atHand.title, 44)}`;
  },

  // Everything the words can be attached to, in one list.
  drawChoice() {
    this.choiceList = make("div", { class: "choices" });
    this.choiceQuote = make("p", { class: "quote" });
    this.choice = make(
      "dialog",
      { "aria-label": "Attach these words to", "data-testid": "choice" },
      make("h2", {}, "Attach these words to"),
      this.choiceQuote,
      this.choiceList,
      make("div", { class: "row" }, make("button", { type: "button", class: "quiet", onclick: () => this.choice.close() }, "Back to the answer")),
    );
    this.choice.addEventListener("keydown", (event) => {
      const buttons = [...this.choiceList.querySelectorAll("button")];
      const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
      const at = buttons.indexOf(this.root.getRootNode().activeElement);
      if (step) {
        event.preventDefault();
        buttons[(at + step + buttons.length) % buttons.length]?.focus();
      } else if (/^[1-9]$/.test(event.key)) {
        event.stopPropagation(); // The list is closed by then, and a digit outside it is a score.
        buttons[Number(event.key) - 1]?.click();
      }
    });
    return this.choice;
  },

  openChoice(first = "point") {
    if (!this.chosen) return void this.speak("Select words in the answer first.");
    this.choiceQuote.replaceChildren();
    plainInto(this.choiceQuote, `“${shortened(this.wordsAt(this.chosen), 160)}”`);
    const groups = [["point", this.data.kind === "rule_application" ? "Answer guide" : "Points"], ["error_type", "Errors"], ["analysis_gap", "Why analysis is missing"]];
    let number = 0;
    let start = null;
    this.choiceList.replaceChildren();
    for (const [of, title] of groups) {
      const options = this.findings.filter((one) => one.of === of);
      if (!options.length) continue;
      this.choiceList.append(make("h3", {}, title));
      for (const one of options) {
        number += 1;
        const button = make(
          "button",
          {
            type: "button",
            "data-testid": `attach-${of}-${one.id}`,
            onclick: () => {
              this.choice.close();
              this.attach(one.of, one.id);
            },
          },
          make("kbd", {}, number <= 9 ? String(number) : " "),
          make("span", {}, one.title),
          one.box.checked ? make("small", {}, "marked") : null,
        );
        if (of === first && !start) start = button;
        this.choiceList.append(button);
      }
    }
    this.choice.showModal();
    (start || this.choiceList.querySelector("button"))?.focus();
  },

  speak(words) {
    this.spoken.textContent = words;
  },
};
