// Several tabs of one grader: each is told what another did, and none of them loses a word.

// The page keeps both, since this module is read anew whenever the desk is mounted.
const TAB = (window.gradingDeskTab ||= freshToken());
const CHANNEL = (window.gradingDeskChannel ||= "BroadcastChannel" in window ? new BroadcastChannel("grading-desk") : null);
const ASK_MS = 20000;

const Tabs = {
  // Ask what has become of the answer, and say it; true when something was said that ends the work here.
  async ask() {
    const { served } = this;
    const atWork = this.lastSeen > (this.askedAt || 0);
    this.askedAt = Date.now();
    let answer;
    try {
      answer = await this.post("/desk/state", { assignment: this.assignment, at_work: atWork });
    } catch {
      return false; // Saving says that there is no connection.
    }
    if (this.served !== served || this.busy || !this.root.isConnected) return false;
    if (answer.status === 401) this.refused(answer);
    return answer.ok ? this.told(answer.body) : false;
  },

  told(state) {
    const { correcting } = this.data;
    if (this.over) return true;
    if (state.submitted_at && !correcting) return this.tellSubmitted(state);
    if (correcting && state.submitted_at !== correcting.submitted_at) return this.tellCorrected(state);
    if (state.sent_to_lead) return this.end("You sent this answer to the panel lead in another tab. It is out of your queue.", [this.nextButton()], "with the panel lead");
    if (state.surplus_at) return this.end(`Your grade of ${timeOfDay(state.surplus_at)} is kept as surplus and does not count: this answer went to another reader.`, [this.nextButton()], `kept as surplus ${timeOfDay(state.surplus_at)}`);
    if (state.elsewhere) {
      this.tell(`This answer went to another reader at ${timeOfDay(state.elsewhere.at)}, ${state.elsewhere.because}. A grade of yours would be kept as surplus and not count.`, [this.nextButton()]);
      return true;
    }
    if (state.closed && !correcting) this.tell("The panel lead has closed this question. Your draft is kept in case it is opened again.", [this.nextButton()]);
    const moved = state.revision && state.saved_by !== TAB && (state.revision !== this.basedOn.revision || state.saved_at !== this.basedOn.saved_at);
    if (moved && this.dirty) return this.askWhichToKeep(state);
    if (moved) this.takeNewer();
    return false;
  },

  tellSubmitted(state) {
    const choices = [this.nextButton()];
    const said = `submitted ${timeOfDay(state.submitted_at)}, in another tab`;
    const review = () => location.assign(`/grade?correct=${encodeURIComponent(this.assignment)}&then=queue`);
    if (this.data.calibrating) return this.end(`You scored this paper in another tab at ${timeOfDay(state.submitted_at)}: ${state.gave}.`, choices, said);
    if (state.correcting) choices.push(this.stepButton("Look at what you entered here, as a correction", review));
    else if (this.dirty) {
      choices.push(
        this.stepButton("Keep what is here as a correction", async () => {
          const draft = { ...this.draftAsSent(), correcting: true, over: state.submitted_at };
          const kept = await this.post("/desk/draft", { assignment: this.assignment, draft }).catch(() => null);
          if (!kept?.ok) return void this.status("not saved: no connection; choose again", "problem");
          this.clearStash();
          review();
        }),
      );
    }
    return this.end(`You submitted this answer in another tab at ${timeOfDay(state.submitted_at)}: ${state.gave}.`, choices, said);
  },

  tellCorrected(state) {
    const at = timeOfDay(state.submitted_at);
    const show = this.stepButton("Show the grade as it stands", () => {
      this.forget();
      location.reload();
    });
    return this.end(`You corrected this grade in another tab at ${at}: ${state.gave}.`, [show], `corrected ${at}, in another tab`);
  },

  tellSurplus({ elsewhere, recorded_at: at }) {
    this.refer.close();
    this.lastWord = `last answer kept as surplus ${timeOfDay(at)}`;
    this.end(`This answer went to another reader at ${timeOfDay(elsewhere.at)}, ${elsewhere.because}. Your grade is kept as surplus and does not count.`, [this.nextButton()], `kept as surplus ${timeOfDay(at)}`);
  },

  askWhichToKeep(state) {
    this.newer = state;
    this.root.classList.add("asking");
    clearTimeout(this.timer);
    this.stash();
    this.status("not saved: choose which to keep", "problem");
    this.tell(`You saved this answer in another tab at ${timeOfDay(state.saved_at)}. Both are kept until you choose.`, [
      this.stepButton("Take that one", () => this.takeNewer()),
      this.stepButton("Keep what is here", () => {
        this.basedOn = { revision: state.revision, saved_at: state.saved_at };
        this.untell();
        this.dirty = true;
        this.saveSoon(0);
      }),
    ]);
    return true;
  },

  async takeNewer() {
    const { served, version } = this;
    const answer = await this.post("/desk/state", { assignment: this.assignment, with_draft: true }).catch(() => null);
    if (this.served !== served || this.busy || !answer?.ok || !answer.body.draft) return;
    if (!this.newer && this.version !== version) return; // Something was entered here meanwhile; saving will ask.
    const { draft, revision, saved_at: savedAt } = answer.body;
    const note = this.noteBox === this.root.getRootNode().activeElement;
    this.keepPlace();
    clearTimeout(this.timer);
    this.basedOn = { revision, saved_at: savedAt };
    this.dirty = false;
    this.untell();
    this.clearStash();
    this.enter(draft);
    this.draw();
    if (note) this.noteBox.focus();
    this.status(`draft saved ${timeOfDay(savedAt)}, in another tab`, "draft");
  },

  tellFirst() {
    if (this.data.says) this.tell(this.data.says, []);
  },

  nextButton() {
    return this.stepButton(this.data.correcting ? "Back to my progress" : "Go to the next answer", () => this.goOn());
  },

  stepButton(words, act) {
    return make("button", { type: "button", class: "quiet", onclick: act }, words);
  },

  goOn() {
    this.forget();
    this.askForNext("moved on");
  },

  forget() {
    this.dirty = false;
    this.clearStash();
  },

  // Nothing more can be entered on this answer here.
  end(words, choices, said) {
    this.over = true;
    this.root.classList.add("over");
    clearTimeout(this.timer);
    this.status(said, "submitted");
    choices[0].classList.add("next");
    this.tell(words, choices);
    choices[0].focus({ preventScroll: true });
    return true;
  },

  tell(words, choices) {
    if (!this.notice?.isConnected) {
      this.notice = make("div", { class: "notice", role: "alert", "data-testid": "notice" });
      this.problem.before(this.notice);
    }
    if (this.notice.dataset.words === words) return;
    this.notice.dataset.words = words;
    this.notice.replaceChildren(make("p", {}, words), ...choices);
  },

  untell() {
    this.newer = null;
    this.root.classList.remove("asking");
    this.notice?.remove();
  },

  // Anything that would enter something, while nothing may be entered.
  isRefused(event) {
    if (!(this.busy || this.over)) return false;
    const path = event.composedPath();
    if (!path.includes(this.root) && event.type !== "keydown") return false;
    if (this.notice?.isConnected && path.includes(this.notice)) return false;
    const dialog = this.root.querySelector("dialog[open]");
    if (dialog && dialog !== this.refer) return false;
    if (event.type === "keydown") return event.key.length === 1 ? !(event.ctrlKey || event.metaKey) || event.key === "z" : ["Enter", "Backspace", "Delete"].includes(event.key);
    if (event.type === "beforeinput") return true;
    return path.some((one) => one instanceof Element && one.matches("button, input, label, textarea") && !one.closest(".answer-column, .tabs, .bar"));
  },

  sayRefused() {
    this.status(this.busy ? "submitting … wait for the next answer; that was not taken" : "nothing more can be entered here; choose below", "draft");
  },

  isChanged() {
    const { submitted } = this.data.correcting;
    return asCompared(submitted) !== asCompared({ ...this.entryAsSent(), note: this.note });
  },

  drawStanding() {
    this.standing = make("p", { class: "standing", "data-testid": "standing" });
    this.showStanding();
    return this.standing;
  },

  showStanding() {
    if (!this.standing) return;
    const { gave, submitted_at: at } = this.data.correcting;
    const given = `You gave ${gave} on ${dayAndTime(at)}.`;
    this.standing.replaceChildren(
      make("strong", {}, this.isChanged() ? "Changed since submission, not confirmed." : "As submitted."),
      ` ${given} ${this.isChanged() ? "It counts as submitted until you save the correction." : ""}`,
    );
  },

  drawHistory() {
    const { history } = this.data.correcting;
    if (history.length < 2) return make("p", { class: "hint" }, "The earlier grade stays in the record.");
    const rows = history.map((one) => make("tr", {}, make("td", {}, dayAndTime(one.at)), make("td", {}, one.gave), make("td", {}, one.reason || "first grade")));
    return make(
      "details",
      { class: "history", "data-testid": "history" },
      make("summary", {}, `${history.length} versions of this grade`),
      make("table", {}, make("thead", {}, make("tr", {}, ["When", "Given", "Why"].map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, rows)),
    );
  },

  // Nothing waits when a grader signs out; what cannot be saved is lost only with their leave.
  async beforeSignOut() {
    if (this.root.isConnected && this.dirty && !this.newer && !this.over) {
      clearTimeout(this.timer);
      await Promise.resolve(this.saving).catch(() => null);
      if (this.dirty) await this.save(true);
    }
    return !(this.root.isConnected && this.dirty) || window.confirm("What you entered last on this answer is not saved. Sign out and lose it?");
  },
};

function asCompared(judgment) {
  const places = (judgment.highlights || []).map(({ start, end, of, id }) => [start, end, of, id].join(":"));
  return JSON.stringify([
    judgment.condition_code || judgment.score || (judgment.score === 0 ? 0 : null),
    Object.entries(judgment.marks || {}).sort(([one], [other]) => (one < other ? -1 : 1)),
    ...["points", "error_types", "analysis_gaps"].map((key) => [...(judgment[key] || [])].sort()),
    places.sort(),
    (judgment.note || "").trim(),
  ]);
}

function dayAndTime(iso) {
  return new Date(iso).toLocaleString([], { dateStyle: "medium", timeStyle: "short", hour12: false });
}

function sayToTabs(assignment) {
  CHANNEL?.postMessage({ assignment, tab: TAB });
}

// Once a page: other tabs are heard at once, and the server is asked on coming back and now and then.
function listenToTabs() {
  const desk = () => (window.currentGradingDesk?.root.isConnected && !window.currentGradingDesk.busy ? window.currentGradingDesk : null);
  const ask = () => document.visibilityState === "visible" && desk()?.ask();
  CHANNEL?.addEventListener("message", ({ data }) => {
    if (data.tab !== TAB && desk()?.assignment === data.assignment) desk().ask();
  });
  window.addEventListener("focus", ask);
  document.addEventListener("visibilitychange", ask);
  setInterval(ask, ASK_MS);
  for (const sign of ["keydown", "beforeinput", "click"]) {
    document.addEventListener(
      sign,
      (event) => {
        const at = window.currentGradingDesk;
        if (!at?.root.isConnected || !at.isRefused(event)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        at.sayRefused();
      },
      true,
    );
  }
}
