// What a grader says of the blind: a text that gives its author away, and who may have written it.

const RUSH_MS = 400; // Keys meant for the desk can still arrive when the question opens; they must not answer it.
const NOTE_ALONE = "This is a note for the record. You still grade the answer, and no score changes. It can be said once of an answer, and stays.";

const Guessing = {
  drawFlag() {
    this.flagToken = freshToken();
    this.flagButton = make("button", { type: "button", class: "quiet", "data-testid": "flag-author", onclick: () => this.flagAuthor() });
    this.showFlag(this.data.author_flagged_at);
    return this.flagButton;
  },

  showFlag(at) {
    this.flaggedAt = at;
    this.flagButton.replaceChildren(at ? `Author given away: noted ${timeOfDay(at)}` : "The text gives its author away");
    this.flagButton.setAttribute("aria-disabled", String(Boolean(at)));
    this.flagButton.classList.toggle("done", Boolean(at));
  },

  drawGuessing() {
    return this.data.calibrating ? [] : [this.drawFlagDialog(), this.drawGuess()];
  },

  flagAuthor() {
    if (!this.flagDialog?.isConnected || this.flaggedAt || this.busy) return;
    this.flagDialog.showModal();
    this.flagWords.focus();
  },

  drawFlagDialog() {
    const problem = make("p", { class: "problem", role: "alert" });
    this.flagWords = make("textarea", { id: "flag-words", rows: 3, "data-testid": "flag-words" });
    const send = async () => {
      const answer = await this.say("/desk/flag-author", { token: this.flagToken, words: this.flagWords.value }, problem);
      if (!answer) return;
      this.showFlag(answer.recorded_at);
      this.flagDialog.close();
      this.pad.focus({ preventScroll: true });
    };
    this.flagDialog = make(
      "dialog",
      { "aria-labelledby": "flag-title", "data-testid": "flag-dialog" },
      make("h2", { id: "flag-title" }, "The text gives its author away"),
      make("p", {}, this.data.correcting ? NOTE_ALONE : `${NOTE_ALONE} If you cannot be fair to it any more, use “Cannot grade this”.`),
      make("label", { for: "flag-words", class: "label" }, "What gives it away? This may stay empty"),
      this.flagWords,
      problem,
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "quiet", onclick: () => this.flagDialog.close() }, "Back to the answer"),
        make("button", { type: "button", class: "submit", "data-testid": "flag-send", onclick: send }, make("span", {}, "Put it on record"), make("kbd", {}, "Ctrl+Enter")),
      ),
    );
    this.flagDialog.addEventListener("keydown", (event) => {
      event.stopPropagation(); // Nothing typed here is a key of the desk.
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
        event.preventDefault();
        send();
      }
    });
    return this.flagDialog;
  },

  // The grade is on disk; only now is the question put. Whatever becomes of it, the next answer follows.
  askGuess(word) {
    this.guessToken = freshToken();
    this.guessed = false;
    this.openedAt = performance.now();
    this.afterGuess = () => {
      if (this.guessed) return;
      this.guessed = true;
      this.askForNext(word);
    };
    this.guessDialog.showModal();
    this.guessDialog.focus();
  },

  rushed() {
    return performance.now() - this.openedAt < RUSH_MS;
  },

  drawGuess() {
    const { data } = this;
    this.guessProblem = make("p", { class: "problem", role: "alert", "data-testid": "guess-problem" });
    const choice = (name, option, key) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name, value: option.id, "data-testid": `${name}-${option.id}`, onchange: () => this.showGuess() }),
        make("span", {}, option.text, " ", make("kbd", {}, key)),
      );
    this.sureGroup = make("fieldset", { class: "boxes" }, make("legend", {}, "How sure are you?"), data.sureness.map((one) => choice("sure", one, one.id[0])));
    this.guessWords = make("input", { type: "text", id: "guess-words", maxlength: 2000, "data-testid": "guess-words" });
    this.guessDialog = make(
      "dialog",
      { "aria-labelledby": "guess-title", "aria-describedby": "guess-why", "data-testid": "guess-dialog", tabindex: -1 },
      make("h2", { id: "guess-title" }, "Who wrote the answer you just graded?"),
      make("p", { id: "guess-why" }, "Your grade is submitted, and this does not change it. The question is put now and then to see how well the blind holds. Nobody will tell you whether you were right."),
      make("fieldset", { class: "boxes" }, make("legend", {}, "Written by"), data.guesses.map((one, place) => choice("guess", one, place + 1))),
      this.sureGroup,
      make("label", { for: "guess-words", class: "label" }, "Why do you think so? This may stay empty"),
      this.guessWords,
      this.guessProblem,
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "quiet", "data-testid": "guess-skip", onclick: () => this.guessDialog.close() }, "Skip ", make("kbd", {}, "Esc")),
        make("button", { type: "button", class: "submit", "data-testid": "guess-send", onclick: () => this.sendGuess() }, make("span", {}, "Record it"), make("kbd", {}, "Enter")),
      ),
    );
    this.guessDialog.addEventListener("keydown", (event) => this.guessKey(event));
    this.guessDialog.addEventListener("cancel", (event) => {
      if (this.rushed()) event.preventDefault();
    });
    // Closed without an answer is no answer: nothing is sent, and it is not asked again.
    this.guessDialog.addEventListener("close", () => this.afterGuess());
    this.showGuess();
    return this.guessDialog;
  },

  chosenIn(name) {
    return this.guessDialog.querySelector(`input[name="${name}"]:checked`)?.value ?? null;
  },

  showGuess() {
    this.sureGroup.disabled = ![null, "person", "model"].includes(this.chosenIn("guess"));
    if (this.sureGroup.disabled) for (const box of this.sureGroup.querySelectorAll("input")) box.checked = false;
    this.guessProblem.textContent = "";
  },

  choose(name, id) {
    const box = this.guessDialog.querySelector(`input[name="${name}"][value="${id}"]`);
    if (!box || box.matches(":disabled")) return;
    box.checked = true;
    box.focus();
    this.showGuess();
  },

  guessKey(event) {
    event.stopPropagation(); // Nothing typed here is a key of the desk.
    const at = event.composedPath()[0];
    if (this.rushed()) {
      event.preventDefault();
      return;
    }
    // Ctrl+Enter submits at the desk: pressed once too often, it must not answer this.
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Enter") event.preventDefault();
      return;
    }
    if (event.key === "Enter" && at.localName !== "button") {
      event.preventDefault();
      if (!event.repeat) this.sendGuess();
      return;
    }
    if (at.localName === "input" && at.type === "text") return;
    const guess = this.data.guesses[Number(event.key) - 1];
    const sure = this.data.sureness.find((one) => one.id[0] === event.key);
    if (guess || sure) {
      event.preventDefault();
      if (guess) this.choose("guess", guess.id);
      else this.choose("sure", sure.id);
    }
  },

  async sendGuess() {
    const guess = this.chosenIn("guess");
    if (!guess) {
      this.guessProblem.textContent = "Choose one of the three, or skip the question.";
      return;
    }
    const body = { token: this.guessToken, guess, sure: this.chosenIn("sure"), words: this.guessWords.value };
    if (await this.say("/desk/guess", body, this.guessProblem)) this.guessDialog.close();
  },

  // One act of its own kind, with its refusal where it was said; a click while it is under way does nothing.
  async say(path, body, problem) {
    if (this.saying) return null;
    this.saying = true;
    problem.textContent = "";
    try {
      const answer = await this.post(path, { assignment: this.assignment, ...body });
      if (answer.ok) return answer.body;
      problem.textContent = answer.body.problem || "The workbench could not keep this. Try again in a moment.";
    } catch {
      problem.textContent = "No connection, so this is not recorded yet. Try again in a moment.";
    } finally {
      this.saying = false;
    }
    return null;
  },
};
