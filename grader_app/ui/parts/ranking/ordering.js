// The order itself: piles from the best on, each a list of groups from the best on, each a list of tied papers.
// Every function here gives new piles and leaves those it was given as they were.

function copied(piles) {
  return piles.map(({ label, groups }) => ({ label, groups: groups.map((group) => [...group]) }));
}

function spotOf(piles, id) {
  for (const [pile, { groups }] of piles.entries()) {
    const group = groups.findIndex((ids) => ids.includes(id));
    if (group < 0) continue;
    // Tied papers share the place of the first of them: 1, 2, 2, 4.
    const place = 1 + groups.slice(0, group).reduce((sum, ids) => sum + ids.length, 0);
    return { pile, group, within: groups[group].indexOf(id), place, tied: groups[group].filter((other) => other !== id) };
  }
  return null;
}

function without(piles, id) {
  return piles.map(({ label, groups }) => ({
    label,
    groups: groups.map((group) => group.filter((other) => other !== id)).filter((group) => group.length),
  }));
}

// `how` is top or bottom of the pile, or above, below or tied with the paper `beside`.
function placed(piles, id, { pile, how, beside }) {
  const next = without(piles, id);
  const { groups } = next[pile];
  const at = groups.findIndex((group) => group.includes(beside));
  if (how === "top") groups.unshift([id]);
  else if (how === "bottom") groups.push([id]);
  else if (how === "above") groups.splice(at, 0, [id]);
  else if (how === "below") groups.splice(at + 1, 0, [id]);
  else groups[at].splice(groups[at].indexOf(beside) + 1, 0, id);
  return next;
}

// Those a paper would pass when it moves one step up (-1) or down (1) in its pile: a tied one passes the
// others of its tie, one that stands alone the whole next group.
function passedBy(piles, id, step) {
  const spot = spotOf(piles, id);
  if (!spot) return [];
  return spot.tied.length ? spot.tied : piles[spot.pile].groups[spot.group + step] || [];
}

function stepped(piles, id, step) {
  const passed = passedBy(piles, id, step);
  if (!passed.length) return null;
  return placed(piles, id, { pile: spotOf(piles, id).pile, how: step < 0 ? "above" : "below", beside: passed[0] });
}

// A tie is a line between a paper and the one above it; this draws or cuts the line.
function tieToggled(piles, id) {
  const spot = spotOf(piles, id);
  if (!spot || (spot.group === 0 && spot.within === 0)) return null;
  const next = copied(piles);
  const { groups } = next[spot.pile];
  if (spot.within > 0) groups.splice(spot.group, 1, groups[spot.group].slice(0, spot.within), groups[spot.group].slice(spot.within));
  else groups.splice(spot.group - 1, 2, [...groups[spot.group - 1], ...groups[spot.group]]);
  return next;
}

function tiesIn(piles) {
  return piles.flatMap(({ groups }) => groups.filter((group) => group.length > 1));
}

function inOrder(piles) {
  return piles.flatMap(({ groups }) => groups.flat());
}

function same(piles, others) {
  return JSON.stringify(piles) === JSON.stringify(others);
}
