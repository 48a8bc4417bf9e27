// Where each character of a text stands on the page, and which character stands at a place of the page.

const WORDS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{N}\p{M}]/u;

class TextMap {
  constructor(text, runs) {
    this.text = text;
    this.runs = runs; // In the order of the text: {node, start, length}.
    this.byNode = new Map(runs.map((run) => [run.node, run]));
    // The server counts characters, the browser counts half of some: these are the second halves.
    this.halves = [];
    for (const found of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) this.halves.push(found.index + 1);
  }

  // The answer: paragraphs that know their place.
  static ofAnswer(body, text) {
    const runs = [];
    const parts = paragraphsOf(text);
    for (const [start, end] of parts) {
      const paragraph = make("p", { "data-start": start });
      mappedInto(paragraph, text.slice(start, end), start, (run) => runs.push(run));
      body.append(paragraph);
    }
    const map = new TextMap(text, runs);
    map.parts = parts;
    return map;
  }

  // Any other material: its words as they follow each other on the page.
  static ofElement(element) {
    const runs = [];
    let text = "";
    let block = null;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const its = node.parentElement.closest("p, li, h3, h4, label, summary, small, td");
      if (block && its !== block) text += "\n";
      block = its;
      runs.push({ node, start: text.length, length: node.data.length });
      text += node.data;
    }
    return new TextMap(text, runs);
  }

  runAt(offset) {
    let low = 0;
    let high = this.runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.runs[middle].start <= offset) low = middle;
      else high = middle - 1;
    }
    return this.runs[low];
  }

  // A hidden control is one character that is drawn as several.
  place(offset, isEnd) {
    const run = this.runAt(isEnd ? offset - 1 : offset);
    const within = Math.max(0, Math.min(offset - run.start, run.length));
    return [run.node, run.node.data.length === run.length ? within : within && run.node.data.length];
  }

  static(start, end) {
    const [startContainer, startOffset] = this.place(start, false);
    const [endContainer, endOffset] = this.place(end, true);
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
  }

  range(start, end) {
    const range = document.createRange();
    range.setStart(...this.place(start, false));
    range.setEnd(...this.place(end, true));
    return range;
  }

  offset(node, at, isEnd) {
    const run = this.byNode.get(node);
    if (run) return run.start + (node.data.length === run.length ? at : at > 0 && (isEnd || at === node.data.length) ? 1 : 0);
    // Between text nodes, or outside the text: the nearest run that follows.
    const here = document.createRange();
    try {
      here.setStart(node, at);
      let low = 0;
      let high = this.runs.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (here.comparePoint(this.runs[middle].node, 0) < 0) low = middle + 1;
        else high = middle;
      }
      if (isEnd) return low === 0 ? 0 : this.runs[low - 1].start + this.runs[low - 1].length;
      return low === this.runs.length ? this.text.length : this.runs[low].start;
    } catch {
      return null;
    }
  }

  // Without the space around it, and never through the middle of a character.
  trimmed(start, end) {
    while (start < end && /\s/.test(this.text[start])) start += 1;
    while (end > start && /\s/.test(this.text[end - 1])) end -= 1;
    const half = (at) => at > 0 && /[\udc00-\udfff]/.test(this.text[at] || "") && /[\ud800-\udbff]/.test(this.text[at - 1]);
    if (half(start)) start -= 1;
    if (half(end)) end += 1;
    return end > start ? { start, end } : null;
  }

  // A hand on the mouse seldom hits the ends of words. Scripts that write without spaces are left as chosen.
  wholeWords(start, end) {
    const place = this.trimmed(start, end);
    if (!place) return null;
    const within = (at) => at > 0 && WORDS.test(this.text[at - 1]) && WORDS.test(this.text[at] || "");
    while (within(place.start)) place.start -= 1;
    while (within(place.end)) place.end += 1;
    return place;
  }

  toPoints(offset) {
    let low = 0;
    let high = this.halves.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.halves[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  }

  fromPoints(points) {
    let low = points;
    let high = Math.min(this.text.length, points + this.halves.length);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.toPoints(middle) < points) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// Colours words without touching the text they stand in.
const LAYERS = ["point", "gap", "error", "found", "chosen", "found-here", "shown"];

function paint(name, map, places, layer) {
  if (window.Highlight && CSS.highlights) {
    if (!places.length) return void CSS.highlights.delete(`desk-${name}`);
    const highlight = new Highlight(...places.map(({ start, end }) => map.static(start, end)));
    highlight.priority = LAYERS.indexOf(name);
    CSS.highlights.set(`desk-${name}`, highlight);
    return;
  }
  // Older browsers: boxes behind the words.
  for (const old of layer.querySelectorAll(`.box-${name}`)) old.remove();
  const origin = layer.getBoundingClientRect();
  for (const { start, end } of places) {
    for (const rect of map.range(start, end).getClientRects()) {
      const box = make("i", { class: `box box-${name}` });
      Object.assign(box.style, { left: `${rect.left - origin.left}px`, top: `${rect.top - origin.top}px`, width: `${rect.width}px`, height: `${rect.height}px` });
      layer.append(box);
    }
  }
}
