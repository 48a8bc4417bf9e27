// Drafts and submissions: what has reached the disk, and what to do when it has not.

const DRAFT_DELAY_MS = 500;
const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const STASH = "desk-unsaved";
const IDLE_MS = 60000; // Pauses longer than this do not count as reading time.

const Keeping = {
  seen() {
    if (!this.lastSeen) return;
    const now = Date.now();
    this.seconds += Math.min(now - this.lastSeen, IDLE_MS) / 1000;
    this.lastSeen = now;
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

  saveSoon(delay, leaving = false) {
    clearTimeout(this.timer);
    if (!this.dirty || this.busy) return;
    if (delay) this.timer = setTimeout(() => this.save(), delay);
    else this.save(leaving);
  },

  async save(leaving = false, tries = 0) {
    if (this.saving && !leaving) {
      this.again = true;
      return;
    }
    const { assignment, version } = this;
    const draft = { ...this.entryAsSent(), note: this.note, reason: this.reason, seconds: this.seconds, correcting: Boolean(this.data.correcting) };
    this.saving = this.post("/desk/draft", { assignment, draft }, leaving);
    let answer;
    try {
      answer = await this.saving;
    } catch {
      answer = null;
    }
    this.saving = null;
    if (this.assignment !== assignment || this.busy) return;
    if (answer === null) {
      this.status("not saved: no connection; trying again", "problem");
      this.timer = setTimeout(() => this.save(false, tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    } else if (answer.ok) {
      if (this.version === version) this.dirty = false;
      this.status(`draft saved ${timeOfDay(answer.body.saved_at)}`, "draft");
    } else {
      this.refused(answer);
    }
    if (this.again || (this.dirty && answer?.ok)) {
      this.again = false;
      this.saveSoon(DRAFT_DELAY_MS);
    }
  },

  // Signed out: what was entered waits in this tab until its grader is back.
  stash() {
    const draft = { ...this.entryAsSent(), note: this.note, reason: this.reason, seconds: this.seconds };
    sessionStorage.setItem(STASH, JSON.stringify({ served: this.served, draft }));
  },

  unstash() {
    const kept = sessionStorage.getItem(STASH);
    sessionStorage.removeItem(STASH);
    const { served, draft } = kept ? JSON.parse(kept) : {};
    return served === this.served ? draft : null;
  },

  // An abandoned correction must not come back as if it had been meant.
  async leaveCorrection() {
    clearTimeout(this.timer);
    this.busy = true;
    await this.post("/desk/discard", { assignment: this.assignment }).catch(() => null);
    location.assign("/progress");
  },

  async post(path, body, keepalive = false) {
    const response = await fetch(path, {
      method: "POST",
      keepalive,
      headers: { "Content-Type": "application/json", "X-CSRF-Token": this.data.csrf_token },
      body: JSON.stringify(body),
    });
    return { ok: response.ok, status: response.status, body: await response.json().catch(() => ({})) };
  },

  submit() {
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
    const sent = { entry: this.entryAsSent(), note: this.note, seconds: this.seconds };
    if (this.data.correcting) this.send("/desk/correct", { ...sent, reason: this.reason }, "corrected", this.problem);
    else this.send("/desk/submit", sent, "submitted", this.problem);
  },

  async send(path, body, word, problem, tries = 0) {
    if (this.busy && tries === 0) return; // A double click is one submission.
    this.busy = true;
    clearTimeout(this.timer);
    const { assignment, token } = this;
    this.status("submitting …", "draft");
    let answer;
    try {
      answer = await this.post(path, { assignment, token, ...body });
    } catch {
      this.status("not submitted: no connection; trying again", "problem");
      setTimeout(() => this.send(path, body, word, problem, tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
      return;
    }
    if (this.assignment !== assignment) return;
    if (answer.ok) {
      this.dirty = false;
      this.status(`${word} ${timeOfDay(answer.body.recorded_at)}`, "submitted");
      this.lastWord = `last answer ${word} ${timeOfDay(answer.body.recorded_at)}`;
      this.refer.close();
      if (answer.body.ask_guess) this.askGuess(word);
      else this.askForNext(word);
    } else {
      this.busy = false;
      this.refused(answer, problem);
    }
  },

  refused(answer, problem = this.problem) {
    const words = answer.body.problem || "The workbench could not keep this. Try again in a moment.";
    problem.replaceChildren(words);
    if (answer.status === 401) {
      this.stash();
      const back = encodeURIComponent(location.pathname + location.search);
      problem.append(" ", make("a", { href: `/sign-in?goes_to=${back}` }, "Sign in"));
      this.status("signed out", "problem");
    } else if (answer.status === 409) {
      this.dirty = false;
      problem.append(" ", make("button", { type: "button", class: "quiet", onclick: () => this.askForNext("moved on") }, "Go to the next answer"));
      this.status("not recorded", "problem");
    } else {
      this.status("not recorded", "problem");
    }
  },
};
