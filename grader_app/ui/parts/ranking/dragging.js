// Drag and drop: between cards a paper takes its place there, on the middle of a card it is tied with it.

const EDGE = 0.3; // The upper and lower share of a card that means above and below it.
const DROP_MARKS = ["drop-above", "drop-tied", "drop-bottom", "drop-tray"];

const Dragging = {
  listenToDrags(board) {
    board.addEventListener("dragstart", (event) => this.dragStart(event));
    board.addEventListener("dragover", (event) => this.dragOver(event));
    board.addEventListener("drop", (event) => this.drop(event));
    board.addEventListener("dragend", () => this.dragEnd());
    board.addEventListener("dragleave", (event) => {
      if (!board.contains(event.relatedTarget)) this.unmark();
    });
  },

  dragStart(event) {
    const card = event.target.closest?.(".card");
    if (!card) return;
    this.dragged = card.dataset.paper;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", `Paper ${this.label(this.dragged)}`);
  },

  dragOver(event) {
    const target = this.dragged && this.targetAt(event);
    this.unmark();
    if (!target) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    target.marked.classList.add(`drop-${target.how}`);
  },

  drop(event) {
    const target = this.dragged && this.targetAt(event);
    const id = this.dragged;
    this.dragEnd();
    if (!target) return;
    event.preventDefault();
    if (target.how === "tray") {
      if (spotOf(this.piles, id)) this.toTray(id);
    } else {
      this.put(id, target);
    }
    this.goTo(id, true);
  },

  dragEnd() {
    this.dragged = null;
    this.unmark();
  },

  unmark() {
    for (const mark of DROP_MARKS) this.board.querySelector(`.${mark}`)?.classList.remove(mark);
  },

  targetAt(event) {
    const over = event.target;
    if (over.closest(".tray")) return { how: "tray", marked: this.tray };
    const pile = this.columns.findIndex(({ column }) => column.contains(over));
    if (pile < 0) return null;
    const { column } = this.columns[pile];
    const others = without(this.piles, this.dragged)[pile].groups.flatMap((group) => group.map((id, place) => ({ id, above: group[place - 1] })));
    for (const { id, above } of others) {
      const { item } = this.cards.get(id);
      const { top, bottom, height } = item.getBoundingClientRect();
      // Between two that are tied there is no place of one's own: the paper joins them.
      if (event.clientY < top + EDGE * height) return above ? { pile, how: "tied", beside: above, marked: item } : { pile, how: "above", beside: id, marked: item };
      if (event.clientY <= bottom - EDGE * height) return { pile, how: "tied", beside: id, marked: item };
    }
    return { pile, how: "bottom", marked: column };
  },
};
