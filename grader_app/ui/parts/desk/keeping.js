// Drafts and submissions: what has reached the disk, and what to do when it has not.

const DRAFT_DELAY_MS = 500;
const LONGEST_UNSAVED_MS = 1200; // Whoever types without a pause is saved all the same.
const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const STASH = "desk-unsaved:";
const STASH_DAYS = 30;
const NEXT_MS = 4000; // When the next answer should long be here.
const IDLE_MS = 60000; // Pauses longer than this do not count as reading time.

const Keeping = {
  seen() {
    if (!this.lastSeen) return;
    const now = Date.now();
    this.seconds += Math.min(now - this.lastSeen, IDLE_MS) / 1000;
    this.lastSeen = now;
  },

  startKeeping() {
    this.basedOn = { revision: this.data.revision || 0, saved_at: this.data.saved_at || "" };
    this.unsavedSince = 0;
    this.stashed = false;
    this.unanswered = false; // Until the workbench answers, nothing hides that it does not.
    this.again = false;
    this.newer = null;
    this.over = false;
    this.recorded = false;
    this.root.classList.remove("over", "asking");
    clearTimeout(this.nextTimer);
    this.showBusy();
  },

  entryAsSent() {
    const { entry } = this;
    return {
      score: entry.score,
      marks: entry.marks,
      error_types: [...entry.error_types],
      analysis_gaps: [...entry.analysis_gaps],
      points: [...entry.points],
      condition_code: entry.condition_code,
      highlights: this.highlightsAsSent(),
    };
  },

  draftAsSent() {
    const { correcting, item_hash: version } = this.data;
    return {
      ...this.entryAsSent(),
      note: this.note,
      reason: this.reason,
      seconds: this.seconds,
      correcting: Boolean(correcting),
      over: correcting ? correcting.submitted_at : null,
      item_hash: version,
      tab: TAB,
      nth: (window.gradingDeskDrafts = (window.gradingDeskDrafts || 0) + 1),
    };
  },

  saveSoon(delay, leaving = false) {
    clearTimeout(this.timer);
    if (this.data?.correcting) this.showStanding();
    if (!this.dirty || this.busy) return;
    if (this.stashed || this.newer) this.stash();
    if (this.newer || this.over) return;
    if (!delay) return void this.save(leaving);
    this.unsavedSince ||= Date.now();
    const left = this.unsavedSince + LONGEST_UNSAVED_MS - Date.now();
    this.timer = setTimeout(() => this.save(), Math.max(0, Math.min(delay, left)));
  },

  async save(leaving = false, tries = 0) {
    if (this.saving && !leaving) {
      this.again = true;
      return;
    }
    const { served, version } = this;
    this.unsavedSince = 0;
    const slow = () => this.served === served && !this.busy && this.sayLate("not saved yet");
    this.saving = this.post("/desk/draft", { assignment: this.assignment, draft: this.draftAsSent(), based_on: this.basedOn }, { keepalive: leaving, slow });
    let answer;
    try {
      answer = await this.saving;
    } catch {
      answer = null;
    }
    this.saving = null;
    if (this.served !== served) return;
    this.unanswered = answer === null || answer.status >= 500;
    if (answer?.ok) this.basedOn = { revision: answer.body.revision, saved_at: answer.body.saved_at };
    if (this.busy) return;
    if (this.unanswered) {
      this.stash();
      const why = answer === null ? "no connection" : "the workbench cannot store it";
      this.status(`not saved: ${why}; trying again`, "problem");
      if (answer?.body.problem) this.problem.textContent = answer.body.problem;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(false, tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    } else if (answer.ok) {
      if (this.version === version) {
        this.dirty = false;
        this.clearStash();
      }
      this.status(this.savedWords(answer.body.saved_at), "draft");
      sayToTabs(this.assignment);
    } else {
      this.refused(answer);
    }
    if (this.again || (this.dirty && answer?.ok)) {
      this.again = false;
      this.saveSoon(DRAFT_DELAY_MS);
    }
  },

  savedWords(at) {
    if (!this.data.correcting) return `draft saved ${timeOfDay(at)}`;
    return this.isChanged() ? `changed since submission, not confirmed; kept ${timeOfDay(at)}` : `as submitted ${timeOfDay(this.data.correcting.submitted_at)}`;
  },

  // What may never arrive waits in this browser from now on.
  sayLate(what) {
    this.unanswered = true;
    this.stash();
    this.status(`${what}: the workbench is slow to answer; still trying`, "problem");
  },

  // What could not be sent waits in this browser: for the connection, or for its grader to sign in again.
  stash() {
    const kept = { served: this.served, at: Date.now(), basedOn: this.basedOn, draft: this.draftAsSent() };
    try {
      localStorage.setItem(STASH + this.assignment, JSON.stringify(kept));
      this.stashed = true;
    } catch {
      // A browser that keeps nothing still has it on the page.
    }
  },

  unstash() {
    for (const key of Object.keys(localStorage).filter((one) => one.startsWith(STASH))) {
      const kept = readStash(key);
      if (!kept || kept.at < Date.now() - STASH_DAYS * 86400000) localStorage.removeItem(key);
    }
    const kept = readStash(STASH + this.assignment);
    if (kept?.served !== this.served) return null;
    this.stashed = true;
    this.basedOn = kept.basedOn;
    return kept.draft;
  },

  clearStash() {
    localStorage.removeItem(STASH + this.assignment);
    this.stashed = false;
  },

  // An abandoned correction must not come back as if it had been meant.
  async leaveCorrection() {
    clearTimeout(this.timer);
    this.setBusy(true);
    this.clearStash();
    await Promise.resolve(this.saving).catch(() => null);
    await this.post("/desk/discard", { assignment: this.assignment }).catch(() => null);
    sayToTabs(this.assignment);
    this.afterCorrection();
  },

  // Whoever came from the desk goes on with the queue; whoever came from the list of grades goes back to it.
  afterCorrection() {
    location.assign(new URLSearchParams(location.search).get("then") === "queue" ? "/grade" : "/progress");
  },

  submit() {
    if (this.busy) return;
    if (this.newer || this.over) {
      this.notice.querySelector("button").focus();
      return;
    }
    if (this.noteBox) this.note = this.noteBox.value;
    if (!this.complete) {
      this.problem.textContent =
        this.data.given_by === "grader" ? "Choose a score first, or a reason under “Instead of a score”." : "Mark every criterion first, or choose a reason under “Instead of a score”.";
      return;
    }
    if (this.data.correcting && !this.reason.trim()) {
      this.problem.textContent = "Write in a few words why you correct it.";
      this.root.querySelector("#desk-reason").focus();
      return;
    }
    this.seen();
    const sent = { entry: this.entryAsSent(), note: this.note, seconds: this.seconds, item_hash: this.data.item_hash };
    if (this.data.correcting) this.send("/desk/correct", { ...sent, reason: this.reason }, "corrected", this.problem);
    else this.send("/desk/submit", sent, "submitted", this.problem);
  },

  async send(path, body, word, problem, tries = 0) {
    if (this.busy && tries === 0) return; // A double click is one submission.
    this.setBusy(true);
    clearTimeout(this.timer);
    const { served, assignment, token } = this;
    if (tries === 0) this.status("submitting …", "draft");
    let answer;
    try {
      const slow = () => this.served === served && this.sayLate("not submitted yet");
      answer = await this.post(path, { assignment, token, ...body }, { slow });
      if (answer.status >= 500) throw new Error(answer.body.problem);
    } catch (error) {
      if (this.served !== served) return;
      this.stash();
      this.status("not submitted: no connection; trying again", "problem");
      if (answer) problem.textContent = error.message || "";
      setTimeout(() => this.send(path, body, word, problem, tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
      return;
    }
    if (this.served !== served) return;
    if (answer.ok) {
      this.dirty = false;
      this.clearStash();
      sayToTabs(assignment);
      if (answer.body.elsewhere) {
        this.setBusy(false);
        this.tellSurplus(answer.body);
        return;
      }
      const at = timeOfDay(answer.body.recorded_at);
      const version = answer.body.earlier_version ? ", under the version of the question you saw; it has a new one" : "";
      this.status(`${word} ${at}${version}`, "submitted");
      this.lastWord = `last answer ${word} ${at}${version}`;
      this.refer.close();
      this.recorded = true;
      this.showBusy();
      if (answer.body.ask_guess) this.askGuess(word);
      else this.askForNext(word);
    } else {
      this.setBusy(false);
      this.refused(answer, problem);
    }
  },

  // The page asks for the next answer over its own connection; should that be lost, it asks again.
  watchForNext(why, tries = 0) {
    clearTimeout(this.nextTimer);
    const { served } = this;
    this.nextTimer = setTimeout(() => {
      if (this.served !== served || !this.root.isConnected) return;
      if (tries === 0) {
        this.askForNext(why);
        this.watchForNext(why, 1);
      } else {
        location.reload();
      }
    }, NEXT_MS);
  },

  setBusy(on) {
    this.busy = on;
    this.showBusy();
  },

  // While a submission is on its way nothing can be entered: neither on this answer nor on the next.
  showBusy() {
    this.root.setAttribute("aria-busy", String(Boolean(this.busy)));
    const label = this.submitButton?.isConnected ? this.submitButton.querySelector("span") : null;
    if (!label) return;
    label.textContent = this.recorded ? "Submitted" : this.busy ? "Submitting …" : this.data.correcting ? "Save correction" : "Submit";
  },

  refused(answer, problem = this.problem) {
    const words = answer.body.problem || "The workbench could not keep this. Try again in a moment.";
    if (answer.status === 401) {
      this.stash();
      problem.replaceChildren(words);
      const back = encodeURIComponent(location.pathname + location.search);
      problem.append(" ", make("a", { href: `/sign-in?goes_to=${back}` }, "Sign in"));
      this.status("signed out", "problem");
    } else if (answer.status === 409) {
      this.stash();
      this.status("not recorded", "problem");
      this.ask().then((told) => {
        if (told) return;
        problem.replaceChildren(words);
        // The notice may lead on already; one way is enough.
        if (!this.root.querySelector("[data-testid=notice] button")) problem.append(" ", this.nextButton());
      });
    } else {
      problem.replaceChildren(words);
      this.status("not recorded", "problem");
    }
  },
};

function readStash(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}
