// Words found in all papers: their cards are marked, and so are the words in the text that is open.

// Words in quotation marks stand together. A straight apostrophe finds the printed one too.
function patternsOf(words) {
  const sought = Array.from(words.matchAll(/["“”]([^"“”]*)["“”]?|[^\s"“”]+/g), (hit) => (hit[1] ?? hit[0]).trim());
  return sought
    .filter((word) => word !== "")
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/['‘’]/g, "['‘’]").replace(/\s+/g, "\\s+"));
}

const Finding = {
  drawFind() {
    this.foundCount = make("span", { class: "hint", role: "status", "aria-live": "polite", "data-testid": "found" });
    this.findBox = make("input", {
      type: "search",
      class: "find",
      "data-testid": "find",
      "aria-label": "Find words in all papers",
      placeholder: "Find words in all papers",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.find(),
      onkeydown: (event) => this.findKey(event),
    });
    return [this.foundCount, this.findBox, make("kbd", {}, "/")];
  },

  find() {
    this.patterns = patternsOf(this.findBox.value);
    const tests = this.patterns.map((pattern) => new RegExp(pattern, "iu"));
    const hits = this.data.papers.filter((paper) => tests.every((test) => test.test(paper.answer)));
    this.found = new Set(tests.length ? hits.map((paper) => paper.id) : []);
    this.foundCount.textContent = tests.length ? `in ${counted(hits.length, "paper")}` : "";
    for (const id of this.cards.keys()) this.showCard(id);
    this.showFoundWords();
  },

  findKey(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.findBox.value = "";
      this.find();
      this.focusCursor();
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.nextFound(event.shiftKey ? -1 : 1);
    }
  },

  nextFound(step) {
    if (!this.found?.size) return;
    const ids = [...this.unplaced(), ...inOrder(this.piles)];
    const at = ids.indexOf(this.cursor);
    for (let away = 1; away <= ids.length; away += 1) {
      const id = ids[(at + step * away + ids.length * 2) % ids.length];
      if (this.found.has(id)) {
        this.goTo(id);
        return;
      }
    }
  },

  showFoundWords() {
    this.markWords(this.text);
    const first = this.text.querySelector("mark");
    if (first) first.scrollIntoView({ block: "nearest" });
  },

  markWords(element) {
    for (const mark of element.querySelectorAll("mark")) mark.replaceWith(mark.textContent);
    element.normalize();
    if (!this.patterns?.length) return;
    const any = new RegExp(this.patterns.join("|"), "giu");
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    for (const node of nodes) {
      const pieces = [];
      let from = 0;
      for (const hit of node.data.matchAll(any)) {
        pieces.push(node.data.slice(from, hit.index), make("mark", {}, hit[0]));
        from = hit.index + hit[0].length;
      }
      if (pieces.length) node.replaceWith(...pieces, node.data.slice(from));
    }
  },
};
