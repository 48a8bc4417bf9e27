// Texts as elements: answers exactly as written, the panel's own Markdown as headings, lists and paragraphs.

// Bidirectional controls can make text read in another order than it is stored; they are shown by name.
const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g;

function plainInto(element, text) {
  mappedInto(element, text, 0, () => {});
  return element;
}

// Writes a text into an element and says of each text node which characters it holds.
function mappedInto(element, text, start, held) {
  const run = (shown, at, length) => {
    const node = document.createTextNode(shown);
    held({ node, start: start + at, length });
    return node;
  };
  let from = 0;
  for (const found of text.matchAll(BIDI)) {
    if (found.index > from) element.append(run(text.slice(from, found.index), from, found.index - from));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    element.append(make("span", { class: "control", title: "A hidden control character stands here" }, run(`[U+${code}]`, found.index, 1)));
    from = found.index + 1;
  }
  if (from < text.length) element.append(run(text.slice(from), from, text.length - from));
}

// Blank lines part paragraphs; each keeps its place in the text.
function paragraphsOf(text) {
  const parts = [];
  let from = 0;
  for (const gap of text.matchAll(/(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))+/g)) {
    if (gap.index > from) parts.push([from, gap.index]);
    from = gap.index + gap[0].length;
  }
  if (from < text.length) parts.push([from, text.length]);
  return parts;
}

function paragraphs(text) {
  return paragraphsOf(text).map(([start, end]) => plainInto(make("p"), text.slice(start, end)));
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
  for (const part of text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/)) {
    if (/^\*\*.+\*\*$/.test(part)) element.append(make("strong", {}, part.slice(2, -2)));
    else if (/^\*.+\*$/.test(part)) element.append(make("em", {}, part.slice(1, -1)));
    else if (/^`.+`$/.test(part)) element.append(make("code", {}, part.slice(1, -1)));
    else if (part) element.append(part);
  }
  return element;
}
