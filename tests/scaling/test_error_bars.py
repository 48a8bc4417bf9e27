"""Error bars: by formula where there is one, and what each line covers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from drawn_pools import ON_0_TO_6, UBE_ITEMS, drawn_pool
from scipy.sparse import csr_array
from scipy.stats import norm, t

import grader_app.scaling.error_bars as error_bars_module
from grader_app.domain.reader_variance import ReaderVariance
from grader_app.errors import ScalingProblem
from grader_app.scaling.constants import Member, constants_of
from grader_app.scaling.error_bars import Settings, error_bars
from grader_app.scaling.joint_draw import GroupErrors, draws
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import AssumedReference, PoolReference
from grader_app.scaling.scale_pool import scale_pool

READERS = {item: ReaderVariance(0.09, 0.36, 100, 5, "From 100 answers.") for item in UBE_ITEMS}
SQUARED_WEIGHTS = 6 * 1 + 2 * 4


def slope_of(scaled):
    constants = scaled.constants[None]
    return constants.mbe_sd / constants.written.sd


def bars_of(found, readers=READERS, reads=None, items=UBE_ITEMS, **settings):
    return error_bars(found.pool, found.scaled, items, readers, found.reads if reads is None else reads,
                      Settings(**settings))  # fmt: skip


def test_with_a_reader_of_its_own_each_score_varies_by_the_sum_of_the_weighted_variances():
    found = drawn_pool()
    bars = bars_of(found, reads={}, n_draws=400)
    n = len(bars.candidates)
    # Errors are taken about their mean over the n members, so 1/n of them drops out.
    expected = slope_of(found.scaled) ** 2 * SQUARED_WEIGHTS * (0.09 + 0.36) * (1 - 1 / n)
    assert [one.reader_variance for one in bars.candidates] == pytest.approx([expected] * n)


def test_one_grader_an_item_leaves_the_residual_alone_and_says_that_severity_cannot_be_seen():
    found = drawn_pool(n_graders=1)
    bars = bars_of(found, n_draws=400)
    expected = slope_of(found.scaled) ** 2 * SQUARED_WEIGHTS * 0.36 * (1 - 1 / 200)
    assert [one.reader_variance for one in bars.candidates] == pytest.approx([expected] * 200)
    assert any("severity differences cannot be seen" in note for note in bars.notes)


def test_two_reads_halve_the_readers_variance():
    found = drawn_pool()
    once = bars_of(found, reads={}, n_draws=400).candidates[0].reader_variance
    twice = {one: {item: ("x" + one, "y" + one) for item in UBE_ITEMS} for one in found.reads}
    assert bars_of(found, reads=twice, n_draws=400).candidates[0].reader_variance == pytest.approx(once / 2)


def test_the_draw_of_readers_agrees_with_the_formula_in_the_linear_case():
    bars = bars_of(drawn_pool(), n_draws=4000)
    for one in bars.candidates[:40]:
        assert one.readers.sd == pytest.approx(math.sqrt(one.reader_variance), rel=0.05)
        assert one.readers.high - one.readers.low == pytest.approx(2 * 1.96 * one.readers.sd, rel=0.08)


def test_a_pool_drawn_anew_moves_a_score_as_the_formula_for_one_group_says():
    """Var = sd_mbe² (1 - r)(2 + (1 + r) z²)/n: linear equating of two tests taken by the same normal group.

    Source: Kolen & Brennan (2014), Test Equating, table 7.2 (single group design, linear method).
    """
    random = np.random.default_rng(3)
    n, r = 400, 0.6
    raws = random.normal(40, 10, n)
    mbes = 141 + 14 * (r * (raws - 40) / 10 + math.sqrt(1 - r**2) * random.normal(size=n))
    constants = constants_of([Member(*pair) for pair in zip(raws, mbes, strict=True)], "mean_sigma",
                             PoolReference())  # fmt: skip
    group = GroupErrors(raws, None, None, np.zeros(n), np.arange(n), mbes, constants)
    moves = np.array([draw.everything for draw in draws(group, 4000, 1)])
    z = (raws - raws.mean()) / raws.std()
    seen = np.corrcoef(raws, mbes)[0, 1]
    expected = constants.mbe_sd**2 * (1 - seen) * (2 + (1 + seen) * z**2) / n
    middle = np.abs(z) < 2
    assert moves.var(axis=0)[middle].mean() == pytest.approx(expected[middle].mean(), rel=0.08)


def test_questions_add_what_readers_do_not_explain():
    found = drawn_pool()
    bars = bars_of(found, reads={}, n_draws=400)
    items = bars.items[None]
    without = bars_of(found, readers={}, reads={}, n_draws=400).items[None]
    for item in UBE_ITEMS:
        assert items[item].questions == pytest.approx(without[item].questions - 0.45)
        assert without[item].questions_hold_readers
        assert not items[item].questions_hold_readers
    assert np.mean([without[item].questions for item in UBE_ITEMS]) == pytest.approx(0.81, rel=0.15)


def test_where_half_of_the_answers_are_read_twice_the_readers_part_is_the_mean_of_one_over_the_reads():
    found = drawn_pool()
    twice = {
        person: {item: (*graders, "second") if at % 2 else graders for item, graders in by_item.items()}
        for at, (person, by_item) in enumerate(found.reads.items())
    }
    alone = replace(READERS["mee-1"], severity=0.0, residual=0.4)
    bars = bars_of(found, readers=dict.fromkeys(UBE_ITEMS, alone), reads=twice, n_draws=400)
    without = bars_of(found, readers={}, reads={}, n_draws=400)
    for item in UBE_ITEMS:
        taken_out = without.items[None][item].questions - bars.items[None][item].questions
        assert taken_out == pytest.approx((0.4 + 0.4 / 2) / 2)


def test_without_double_reads_there_is_one_line_which_says_so():
    bars = bars_of(drawn_pool(), readers={}, n_draws=400)
    assert all(one.readers is None and one.everything is not None for one in bars.candidates)
    assert all(one.headline is one.everything for one in bars.candidates)
    assert any("no answer was read twice" in note for note in bars.notes)


def test_the_headline_is_the_wider_line():
    bars = bars_of(drawn_pool(), n_draws=400)
    for one in bars.candidates:
        widths = [line.high - line.low for line in (one.readers, one.everything)]
        assert one.headline.high - one.headline.low == max(widths)
        assert one.headline is one.everything


def test_an_error_is_smaller_at_the_ends_of_the_scale_than_in_the_middle():
    found = drawn_pool(score_of=lambda scores: np.clip(np.rint(scores * 1.6 - 1.8), 0, 6))
    by_raw = sorted(
        zip(found.scaled.candidates, bars_of(found, items=ON_0_TO_6, n_draws=400).candidates, strict=True),
        key=lambda pair: pair[0].written_raw,
    )
    lowest, highest = by_raw[:10], by_raw[-10:]
    middle = by_raw[95:105]
    sd = {name: np.mean([pair[1].readers.sd for pair in part])
          for name, part in (("low", lowest), ("middle", middle), ("high", highest))}  # fmt: skip
    assert sd["low"] < 0.9 * sd["middle"]
    assert sd["high"] < 0.9 * sd["middle"]


def test_the_same_seed_gives_the_same_bars_and_another_seed_others():
    found = drawn_pool(n=40)
    first, again, other = (bars_of(found, n_draws=400, seed=seed) for seed in (7, 7, 8))
    assert first.candidates == again.candidates
    assert first.candidates[0].readers != other.candidates[0].readers


def test_a_constant_added_to_every_score_changes_no_bar():
    found = drawn_pool()
    moved = drawn_pool(score_of=lambda scores: scores + 2)
    for one, other in zip(bars_of(found, n_draws=400).candidates, bars_of(moved, n_draws=400).candidates,
                          strict=True):  # fmt: skip
        assert other.readers.low == pytest.approx(one.readers.low, abs=1e-3)
        assert other.everything.high == pytest.approx(one.everything.high, abs=1e-3)


def test_the_order_of_candidates_changes_no_bit_of_a_bar():
    found = drawn_pool(n=60)
    backwards = Pool(tuple(reversed(found.pool.candidates)))
    weights = {item: rules.weight for item, rules in UBE_ITEMS.items()}
    scaled = scale_pool(backwards, weights, "mean_sigma", PoolReference(), "none")
    turned = replace(found, pool=backwards, scaled=scaled)
    there, back = bars_of(found, n_draws=400), bars_of(turned, n_draws=400)
    assert back.by_candidate == there.by_candidate
    assert [bars.candidate_id for bars in back.candidates] == [row.candidate_id for row in scaled.candidates]


def test_the_order_of_reads_changes_no_bit_of_a_bar():
    found = drawn_pool(n=60)
    ids = [candidate.candidate_id for candidate in found.pool.candidates]
    reads = {one: dict.fromkeys(UBE_ITEMS, ("C", "A", "B")[at % 2 :]) for at, one in enumerate(ids)}
    turned = {one: dict.fromkeys(by_item, tuple(reversed(*{*by_item.values()})))
              for one, by_item in reversed(reads.items())}  # fmt: skip
    there, back = (bars_of(found, reads=each, n_draws=400) for each in (reads, turned))
    assert back.candidates == there.candidates


def test_a_confidence_beyond_the_outermost_draw_is_refused_with_what_it_takes():
    found = drawn_pool(n=20)
    with pytest.raises(ScalingProblem, match=r"0\.9999 takes 20,000 draws .* there are 2,000\. Ask"):
        bars_of(found, confidence=0.9999)
    assert bars_of(found, confidence=0.999, n_draws=2000).settings.n_draws == 2000


def test_a_pool_too_large_for_so_many_draws_is_told_what_confidence_it_reaches(monkeypatch):
    monkeypatch.setattr(error_bars_module, "_CELLS", 400)
    with pytest.raises(ScalingProblem, match=r"400 for a pool of this size\. Give .* 0\.995 or less"):
        bars_of(drawn_pool(n=20), confidence=0.999)


def test_a_model_in_the_pool_has_bars_and_changes_nobody_elses():
    found = drawn_pool(n=60)
    model = Candidate("model", dict.fromkeys(UBE_ITEMS, 5.0), in_scaling_group=False)
    with_model = Pool((*found.pool.candidates, model))
    weights = {item: rules.weight for item, rules in UBE_ITEMS.items()}
    both = replace(found, pool=with_model,
                   scaled=scale_pool(with_model, weights, "mean_sigma", PoolReference(), "none"))  # fmt: skip
    alone, joined = bars_of(found, n_draws=400), bars_of(both, n_draws=400)
    assert joined.by_candidate["model"].headline is not None
    assert joined.items[None] == alone.items[None]
    for candidate, bars in alone.by_candidate.items():
        assert joined.by_candidate[candidate].reader_variance == pytest.approx(bars.reader_variance)


def test_an_assumed_reference_has_bars_without_any_mbe():
    found = drawn_pool(n=60)
    pool = Pool(tuple(replace(candidate, mbe=None) for candidate in found.pool.candidates))
    weights = {item: rules.weight for item, rules in UBE_ITEMS.items()}
    scaled = scale_pool(pool, weights, "mean_sigma", AssumedReference(143.8, 17.7), "none")
    bars = error_bars(pool, scaled, UBE_ITEMS, READERS, {}, Settings(n_draws=400))
    assert all(one.everything.sd > one.readers.sd > 0 for one in bars.candidates)


def test_scaling_by_rank_is_drawn_as_the_scaling_itself():
    found = drawn_pool(n=80, method="equipercentile")
    constants = found.scaled.constants[None]
    raws = np.array([row.written_raw for row in found.scaled.candidates])
    still = GroupErrors(raws, csr_array((80, 1)), np.zeros(80), None, np.arange(80),
                        np.array(constants.ordered_mbes), constants)  # fmt: skip
    [draw] = draws(still, 1, 0)
    assert np.abs(draw.readers).max() == 0
    from grader_app.scaling.joint_draw import _by_rank

    by_rank = _by_rank(np.array(constants.ordered_raws), np.array(constants.ordered_mbes))
    asked = np.concatenate([raws, raws + 0.3, [-5.0, 99.0]])
    assert by_rank(asked).tolist() == [constants.scaled(raw) for raw in asked.tolist()]


def test_few_candidates_leave_the_questions_unknown_and_the_readers_known():
    found = drawn_pool(n=6)
    bars = bars_of(found, n_draws=400)
    assert all(one.everything is None and one.readers is not None for one in bars.candidates)
    assert any("Fewer than 10 candidates" in note for note in bars.notes)


def test_a_single_performance_test_borrows_from_all_questions_and_says_so():
    found = drawn_pool()
    items = {item: rules for item, rules in UBE_ITEMS.items() if item != "mpt-2"}
    weights = {item: rules.weight for item, rules in items.items()}
    scaled = scale_pool(found.pool, weights, "mean_sigma", PoolReference(), "none")
    bars = error_bars(found.pool, scaled, items, READERS, found.reads, Settings(n_draws=400))
    assert bars.items[None]["mpt-1"].says.startswith("Borrowed from all 7 questions")
    assert bars.items[None]["mee-1"].says == "From 200 candidates on 6 questions of the same kind."


@pytest.mark.parametrize(
    "settings", [{"confidence": 1.0}, {"confidence": 0.1}, {"n_draws": 10}, {"seed": -1}]
)
def test_settings_that_cannot_be_used_are_refused(settings):
    with pytest.raises(ScalingProblem, match=r"cannot be used|too few"):
        bars_of(drawn_pool(n=20), **settings)


def test_harshness_that_all_share_moves_nobody_in_the_draw_either():
    bars = bars_of(drawn_pool(n_graders=1), n_draws=4000)
    for one in bars.candidates[:20]:
        assert one.readers.sd == pytest.approx(math.sqrt(one.reader_variance), rel=0.05)


def test_a_large_pool_drawn_once_a_line_has_the_bars_of_one_drawn_whole(monkeypatch):
    found = drawn_pool()
    whole = bars_of(found, n_draws=400)
    monkeypatch.setattr(error_bars_module, "_IN_FULL", 0)
    in_turns = bars_of(found, n_draws=400)
    for one, other in zip(whole.candidates, in_turns.candidates, strict=True):
        for line in ("readers", "everything"):
            ends, again = getattr(one, line), getattr(other, line)
            assert (again.low, again.high) == pytest.approx((ends.low, ends.high), abs=1e-4)


def test_variances_from_few_answers_give_the_ends_of_a_t_distribution():
    """With as many degrees of freedom as there are doubly read answers, and those of severity."""
    found = drawn_pool()
    few = {item: ReaderVariance(0.0, 0.36, 6, 5, "From 6 answers.") for item in UBE_ITEMS}
    many = {item: ReaderVariance(0.0, 0.36, 100_000, 5, "From 100,000 answers.") for item in UBE_ITEMS}
    wide, narrow = (bars_of(found, readers, n_draws=20_000).candidates for readers in (few, many))
    ratios = [
        (one.readers.high - one.readers.low) / (other.readers.high - other.readers.low)
        for one, other in zip(wide, narrow, strict=True)
    ]
    assert np.mean(ratios) == pytest.approx(t.ppf(0.975, 6) / norm.ppf(0.975), rel=0.02)
    assert [one.reader_variance for one in wide] == [one.reader_variance for one in narrow]


def test_what_severity_rests_on_widens_its_part_alone():
    found = drawn_pool()
    of_severity = {item: ReaderVariance(0.36, 0.0, 100_000, 4, "", severity_df=4) for item in UBE_ITEMS}
    of_both = {item: ReaderVariance(0.36, 0.0, 100_000, 4, "") for item in UBE_ITEMS}
    wide, narrow = (bars_of(found, readers, n_draws=20_000).candidates for readers in (of_severity, of_both))
    ratio = np.mean([one.readers.high - one.readers.low for one in wide]) / np.mean(
        [one.readers.high - one.readers.low for one in narrow]
    )
    assert ratio == pytest.approx(t.ppf(0.975, 4) / norm.ppf(0.975), rel=0.02)
