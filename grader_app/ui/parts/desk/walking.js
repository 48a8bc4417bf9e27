// Choosing words without a mouse: word by word, sentence by sentence.

const Walking = {
  walk() {
    if (!this.map.parts.length) return;
    document.getSelection()?.removeAllRanges();
    this.walking = this.lastWalked?.served === this.served ? this.lastWalked : { served: this.served };
    this.answerScroll.focus({ preventScroll: true });
    if (this.walking.head) this.takeUnits(this.walking.head, this.walking.head);
    else {
      const from = this.map.parts[this.placeInAnswer()?.paragraph || 0][0];
      const unit = this.unitAfter("sentence", from);
      if (unit) this.takeUnits(unit, unit);
      else this.stopWalking();
    }
    this.showWords();
  },

  stopWalking() {
    if (this.walking) this.lastWalked = this.walking;
    this.walking = null;
  },

  // Arrows, or the left hand's a s d f: sentence back, word back, word on, sentence on.
  walkKey(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = {
      ArrowRight: ["word", 1], d: ["word", 1],
      ArrowLeft: ["word", -1], s: ["word", -1],
      ArrowDown: ["sentence", 1], f: ["sentence", 1],
      ArrowUp: ["sentence", -1], a: ["sentence", -1],
    }[key];
    if (act) this.step(...act, event.shiftKey);
    else if (key === "Enter") this.attachHere();
    else return false;
    return true;
  },

  step(kind, direction, more) {
    const { anchor, head } = this.walking;
    if (!head) return;
    const unit = direction > 0 ? this.unitAfter(kind, this.startAfter(kind, head, more)) : this.unitBefore(kind, head.start);
    if (unit) this.takeUnits(more ? anchor : unit, unit);
  },

  // From a sentence the next word is its first one; after that, the one after it.
  startAfter(kind, head, more) {
    return kind === "word" && head.kind === "sentence" && !more ? head.start : head.end;
  },

  takeUnits(anchor, head) {
    this.walking.anchor = anchor;
    this.walking.head = head;
    const place = this.map.trimmed(Math.min(anchor.start, head.start), Math.max(anchor.end, head.end));
    this.takeWords(place);
    if (!place) return;
    bringIntoView(this.map.range(head.start, head.end), this.answerScroll);
    this.speak(this.wordsAt(anchor === head ? place : head));
  },

  units(kind, part) {
    const [start, end] = this.map.parts[part];
    const text = this.map.text.slice(start, end);
    if (window.Intl?.Segmenter) {
      const found = [];
      for (const one of new Intl.Segmenter(undefined, { granularity: kind }).segment(text)) {
        if (kind === "word" ? one.isWordLike : one.segment.trim()) found.push({ kind, start: start + one.index, end: start + one.index + one.segment.trimEnd().length });
      }
      return found;
    }
    return [...text.matchAll(kind === "word" ? /[\p{L}\p{N}][^\s]*/gu : /\S[^.!?。؟]*[.!?。؟]*/g)].map((one) => ({ kind, start: start + one.index, end: start + one.index + one[0].length }));
  },

  partAt(offset) {
    const at = this.map.parts.findIndex(([, end]) => offset < end);
    return at < 0 ? this.map.parts.length - 1 : at;
  },

  unitAfter(kind, from) {
    for (let part = this.partAt(from); part < this.map.parts.length; part += 1) {
      const unit = this.units(kind, part).find((one) => one.start >= from);
      if (unit) return unit;
    }
    return null;
  },

  unitBefore(kind, until) {
    for (let part = this.partAt(until); part >= 0; part -= 1) {
      const unit = this.units(kind, part).filter((one) => one.start < until).pop();
      if (unit) return unit;
    }
    return null;
  },
};
