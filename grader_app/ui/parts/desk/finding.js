// Find in the text: in the answer, or in the pane that is open beside it.

const MOST_PAINTED = 3000;
const NARROW_TOP = 240;

const Finding = {
  drawFind() {
    this.findWords = make("input", { type: "text", id: "desk-find", autocomplete: "off", spellcheck: "false", "data-testid": "find", oninput: () => this.find() });
    this.findWhere = make("select", { "aria-label": "Where to look", "data-testid": "find-where", onchange: () => this.find() }, make("option", { value: "answer" }, "the answer"), make("option", { value: "pane" }, "the open pane"));
    this.findCount = make("span", { class: "count", role: "status", "data-testid": "find-count" });
    this.findBar = make(
      "form",
      { class: "find", role: "search", hidden: true, onsubmit: (event) => event.preventDefault() },
      make("label", { for: "desk-find" }, "Find"),
      this.findWords,
      make("span", {}, "in"),
      this.findWhere,
      this.findCount,
      make("button", { type: "button", class: "quiet", "aria-label": "Previous place", title: "Shift+Enter", onclick: () => this.findStep(-1) }, "↑"),
      make("button", { type: "button", class: "quiet", "aria-label": "Next place", title: "Enter", onclick: () => this.findStep(1) }, "↓"),
      make("button", { type: "button", class: "quiet", onclick: () => this.closeFind() }, "Close"),
    );
    this.findBar.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === this.findWords && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        this.findStep(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.closeFind();
      }
    });
    return this.findBar;
  },

  openFind() {
    this.findBar.hidden = false;
    this.findWords.focus();
    this.findWords.select();
    this.find();
  },

  closeFind() {
    this.findBar.hidden = true;
    this.places = [];
    this.paintFound();
    this.pad.focus({ preventScroll: true });
  },

  find() {
    const wanted = folded(this.findWords.value).trim();
    const inPane = this.findWhere.value === "pane";
    this.findMap = inPane ? TextMap.ofElement(this.tabs[this.tab].pane) : this.map;
    this.places = [];
    if (wanted) {
      const text = folded(this.findMap.text);
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) this.places.push({ start: at, end: at + wanted.length });
    }
    // The first place from where the reader is.
    const top = inPane ? 0 : this.map.parts[this.placeInAnswer()?.paragraph || 0]?.[0] || 0;
    const from = this.places.findIndex((one) => one.start >= top);
    this.placeAt = Math.max(0, from);
    this.showFound();
  },

  findStep(step) {
    if (!this.places?.length) return;
    this.placeAt = (this.placeAt + step + this.places.length) % this.places.length;
    this.showFound();
  },

  showFound() {
    const { length } = this.places;
    this.findCount.textContent = !this.findWords.value.trim() ? "" : length ? `${this.placeAt + 1} of ${length}` : "not found";
    this.paintFound();
    if (length) bringIntoView(this.findMap.range(this.places[this.placeAt].start, this.places[this.placeAt].end), this.findMap === this.map ? this.answerScroll : this.tabs[this.tab].pane);
  },

  paintFound() {
    const places = this.places || [];
    const near = Math.max(0, this.placeAt - MOST_PAINTED / 2);
    const layer = this.findMap === this.map ? this.layer : null;
    if (!layer && !window.Highlight) return;
    paint("found", this.findMap, places.slice(near, near + MOST_PAINTED), this.layer);
    paint("found-here", this.findMap, places.length ? [places[this.placeAt]] : [], this.layer);
  },
};

// One letter for one letter, so that places stay places.
function folded(text) {
  return text
    .replace(/[\u2018\u2019\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s/g, " ")
    .replace(/\p{Lu}/gu, (letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter));
}

function bringIntoView(range, scroller) {
  const move = () => {
    const box = range.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    if (scroller.scrollHeight > scroller.clientHeight + 1) {
      // The bar of words lies over the lowest lines.
      if (box.top < frame.top + 8 || box.bottom > frame.bottom - 90) scroller.scrollTop += box.top - frame.top - frame.height / 3;
    } else if (box.top < NARROW_TOP || box.bottom > window.innerHeight * 0.5) {
      // On a narrow screen the page scrolls, and the bar of words lies at its top.
      const page = scroller.getRootNode().host?.closest("[data-testid=stMain]") || document.scrollingElement;
      page.scrollBy(0, box.top - NARROW_TOP);
    }
  };
  move();
  // A long text is laid out as it comes into view, so the first jump only comes near.
  let left = scroller.querySelector(".long") ? 6 : 0;
  const again = () => {
    move();
    if ((left -= 1) > 0) requestAnimationFrame(again);
  };
  if (left) requestAnimationFrame(again);
}
