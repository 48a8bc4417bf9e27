// The grading desk: answer, point sheet and score pad in one place, driven from the keyboard.
// Every text reaches the page through textContent; nothing that a writer wrote is ever interpreted.

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
      document.addEventListener("selectionchange", () => {
        const desk = window.currentGradingDesk;
        if (desk && desk.root.isConnected) desk.selectionChanged();
      });
      document.addEventListener("visibilitychange", () => window.currentGradingDesk?.saveSoon(0, true));
      listenToTabs();
      window.addEventListener("resize", () => {
        window.currentGradingDesk?.fit();
        window.currentGradingDesk?.paintAll();
      });
      window.addEventListener("pagehide", () => {
        window.currentGradingDesk?.keepPlace();
        window.currentGradingDesk?.saveSoon(0, true);
      });
    }
  }

  update(data) {
    window.currentGradingDesk = this;
    this.data = data;
    if (data.assignment === this.assignment && data.served === this.served) {
      this.showProgress();
      return;
    }
    this.changedQuestion = this.item !== undefined && this.item !== data.item;
    this.item = data.item;
    this.assignment = data.assignment;
    this.served = data.served;
    this.token = freshToken();
    this.typed = ""; // A digit begun on the answer before belongs to no other.
    this.atCriterion = null;
    this.atHand = null;
    this.chosen = null;
    this.walking = null;
    this.places = [];
    this.findMap = null;
    this.takenOff = new Map();
    this.notAsked = false;
    this.tallyAsked = undefined;
    this.busy = false;
    this.dirty = false;
    this.saving = null;
    clearTimeout(this.timer);
    this.startKeeping();
    const unsaved = this.unstash();
    this.enter(unsaved || data.draft || {});
    this.lastSeen = Date.now();
    this.draw();
    this.tellFirst();
    if (unsaved) this.changed();
  }

  // Put what was entered before on the desk.
  enter(kept) {
    this.entry = {
      score: kept.score ?? null,
      marks: { ...(kept.marks || {}) },
      error_types: new Set(kept.error_types || []),
      analysis_gaps: new Set(kept.analysis_gaps || []),
      points: new Set(kept.points || []),
      condition_code: kept.condition_code ?? null,
      highlights: this.readHighlights(kept.highlights || []),
    };
    this.note = kept.note || "";
    this.reason = kept.reason || "";
    this.seconds = kept.seconds || 0;
  }

  // The desk fills the window below the navigation: its columns scroll, the page does not.
  fit() {
    const top = this.root.getBoundingClientRect().top + window.scrollY;
    this.root.style.height = `${Math.max(420, window.innerHeight - top - 12)}px`;
  }
}

Object.assign(Desk.prototype, Drawing, Reading, Theming, Finding, Evidence, Walking, Tallying, Judging, Posting, Keeping, Tabs, Guessing, Keys, KeyList);

export default function ({ data, parentElement, setTriggerValue }) {
  // This function runs again on every change of data; one desk per mount keeps what was typed.
  let desk = parentElement.gradingDesk;
  if (!desk) {
    desk = parentElement.gradingDesk = new Desk(parentElement.querySelector(".desk-root"));
  }
  desk.askForNext = (why) => {
    if (data.correcting) desk.afterCorrection();
    else {
      setTriggerValue("next", `${why}:${freshToken()}`);
      desk.watchForNext(why);
    }
  };
  desk.update(data);
}
