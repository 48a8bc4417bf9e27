// What has reached the disk, and what to do when it has not.

const UNSAVED = "ranking-unsaved";

const Saving = {
  post: Posting.post,

  save() {
    if (this.signedOut) {
      this.stash();
      return;
    }
    this.status("saving …", "draft");
    if (!this.onItsWay) this.send();
  },

  // One order is on its way at a time, and the same again until it is answered: the server numbers the orders
  // it keeps, and after a lost answer only the same order tells whether the number was this tab's.
  async send(tries = 0) {
    clearTimeout(this.timer);
    const { attempt } = this;
    this.outgoing ??= this.piles;
    this.onItsWay = this.post("/calibration/ranking", { attempt, state: { piles: this.outgoing }, revision: this.revision }, { keepalive: true, slow: () => this.sayLate("not saved yet") }).catch(() => null);
    const answer = await this.onItsWay;
    this.onItsWay = null;
    if (this.attempt !== attempt) return;
    if (answer?.ok) {
      this.kept = this.outgoing;
      this.outgoing = null;
      this.revision = answer.body.revision;
    }
    if (this.busy) return;
    if (answer === null || answer.status >= 500) {
      this.status(answer ? "not saved; trying again" : "not saved: no connection; trying again", "problem");
      if (answer?.body.problem) this.problem.textContent = answer.body.problem;
      this.timer = setTimeout(() => this.send(tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    } else if (answer.ok) {
      if (tries) this.problem.textContent = "";
      if (this.unsaved()) this.send();
      else this.status(`saved ${timeOfDay(answer.body.saved_at)}`, "draft");
    } else {
      this.outgoing = null;
      this.refused(answer, "not saved");
    }
  },

  sayLate(what) {
    this.status(`${what}: the workbench is slow to answer; still trying`, "problem");
  },

  unsaved() {
    return !same(this.piles, this.kept);
  },

  async record(tries = 0) {
    if (this.busy && tries === 0) return; // A double click is one submission.
    this.busy = true;
    clearTimeout(this.timer);
    this.confirming.close();
    this.status("submitting …", "draft");
    await this.onItsWay;
    const { attempt, token } = this;
    const answer = await this.post("/calibration/ranked", { attempt, token, state: { piles: this.piles } }, { slow: () => this.sayLate("not submitted yet") }).catch(() => null);
    if (this.attempt !== attempt) return;
    if (answer === null || answer.status >= 500) {
      this.status("not submitted: no connection; trying again", "problem");
      setTimeout(() => this.record(tries + 1), RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    } else if (answer.ok) {
      this.kept = this.piles;
      this.status(`submitted ${timeOfDay(answer.body.recorded_at)}`, "submitted");
      this.askForNext("ranked");
    } else {
      this.busy = false;
      this.refused(answer, "not submitted");
    }
  },

  refused(answer, word) {
    this.status(word, "problem");
    this.problem.replaceChildren(answer.body.problem || "The workbench could not keep this. Try again in a moment.");
    if (answer.status === 401) {
      this.signedOut = true;
      this.stash();
      this.status("signed out", "problem");
      const back = encodeURIComponent(location.pathname + location.search);
      this.problem.append(" ", make("a", { href: `/sign-in?goes_to=${back}` }, "Sign in"));
    } else if (answer.status === 409) {
      this.overtaken = true;
      this.problem.append(" ", make("button", { type: "button", class: "quiet", "data-testid": "load-newer", onclick: () => this.askForNext("load") }, "Load the newer order"));
    }
  },

  // Overtaken by another tab, the board stands still: what would be moved here could not be kept.
  stopped() {
    if (this.overtaken) this.problem.querySelector("button")?.focus();
    return Boolean(this.overtaken);
  },

  // What is not known to be kept waits in this tab: for its grader to sign in, or for the page to load again.
  stash() {
    const { attempt, piles, revision, outgoing } = this;
    sessionStorage.setItem(UNSAVED, JSON.stringify({ attempt, piles, revision, outgoing }));
  },

  // Taken up again unless another tab has moved papers since: the server's order must be the one this tab
  // last knew, or the one it had sent without hearing of it.
  unstash() {
    const waiting = JSON.parse(sessionStorage.getItem(UNSAVED) || "null");
    sessionStorage.removeItem(UNSAVED);
    if (waiting?.attempt !== this.attempt) return null;
    const known = waiting.revision === this.revision || (waiting.outgoing && same(waiting.outgoing, this.piles));
    return known && !same(waiting.piles, this.piles) ? waiting.piles : null;
  },

  leave() {
    if (!this.unsaved() || this.busy || this.overtaken) return;
    this.stash();
    if (this.signedOut || (this.onItsWay && same(this.outgoing, this.piles))) return;
    // The order on its way, if there is one, will have taken the next number.
    const revision = this.revision + (this.onItsWay ? 1 : 0);
    this.post("/calibration/ranking", { attempt: this.attempt, state: { piles: this.piles }, revision }, { keepalive: true }).catch(() => null);
  },

  status(words, kind) {
    this.saved.textContent = words;
    this.saved.dataset.kind = kind;
  },
};
