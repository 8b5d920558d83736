"""One against the rest: shares of first places, Elo, intervals; and the bots that may not play for results."""

import json
import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.decks import load_deck
from dnup_ai.errors import ConfigError
from tournaments.config import Tournament
from tournaments.duels import DuelTally, elo_of_share
from tournaments.match import Fault, play_match, play_round
from tournaments.runner import play
from tournaments.schedule import Game, seatings
from tournaments.standings import Tally
from tournaments.statistics import t_interval
from tournaments.table import Played

# --- Elo


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_equal_share_is_elo_0(players):
    assert elo_of_share(1 / players, players) == pytest.approx(0)


def test_elo_by_known_values():
    # 2 players: the usual scale. 3 and 4: by hand, p (n - 1) / (1 - p) is 10 at 400 Elo.
    assert elo_of_share(10 / 11, 2) == pytest.approx(400)
    assert elo_of_share(0.64, 2) == pytest.approx(99.95, abs=0.01)
    assert elo_of_share(10 / 12, 3) == pytest.approx(400)
    assert elo_of_share(10 / 13, 4) == pytest.approx(400)
    assert elo_of_share(0.5, 5) == pytest.approx(400 * math.log10(4))
    assert elo_of_share(0.25, 2) == pytest.approx(-elo_of_share(0.75, 2))


@given(st.floats(-1, 2), st.floats(-1, 2), st.integers(2, 5))
def test_elo_grows_with_the_share_and_is_infinite_at_its_ends(share, other, players):
    if share < other:
        assert elo_of_share(share, players) <= elo_of_share(other, players)
    if share <= 0:
        assert elo_of_share(share, players) == -math.inf
    if share >= 1:
        assert elo_of_share(share, players) == math.inf
    assert not math.isnan(elo_of_share(share, players))


# --- counting


def outcome(ranks, fault=None):
    return SimpleNamespace(ranks=tuple(ranks), fault=fault)


def played(seating, *rounds):
    return Played(Game(0, 0, 0, tuple(seating)), rounds, None, ())


def only(tally):
    (duel,) = tally.duels()
    return duel


def test_first_places_of_the_single_seat_are_counted_wherever_it_sits():
    tally = DuelTally(["a", "b"], 3)
    tally.add(played([0, 1, 1], outcome([1, 2, 0])))
    tally.add(played([1, 0, 1], outcome([1, 2, 0])))
    tally.add(played([1, 1, 0], outcome([0, 2, 1])))
    tally.close_deal()
    duel = only(tally)
    assert (duel.one, duel.rest, duel.deals, duel.interval, duel.elo_interval) == ("a", "b", 1, None, None)
    assert duel.share == pytest.approx(2 / 3)
    assert duel.elo == pytest.approx(400 * math.log10(4))


def test_undecided_rounds_are_shared_equally_by_all_seats():
    for players in (2, 3, 5):
        tally = DuelTally(["a", "b"], players)
        tally.add(played([0] + [1] * (players - 1), outcome([0] * players)))
        tally.close_deal()
        assert only(tally).share == pytest.approx(1 / players)
        assert only(tally).elo == pytest.approx(0)


def test_a_first_place_counts_also_when_the_second_is_open():
    """First out and then repetition: the first place is decided."""
    tally = DuelTally(["a", "b"], 3)
    tally.add(played([0, 1, 1], outcome([1, 0, 0])))
    tally.add(played([1, 0, 1], outcome([1, 0, 0])))
    tally.close_deal()
    assert only(tally).share == 0.5


def test_a_deal_with_a_fault_is_left_out_whoever_made_it():
    tally = DuelTally(["a", "b"], 3)
    fault = Fault(1, "illegal", "no move")
    for deal in range(3):
        for seating in ([0, 1, 1], [1, 0, 1], [1, 1, 0]):
            seat = seating.index(0)
            broken = deal == 1 and seat == 1
            tally.add(played(seating, outcome([int(seat == s) for s in range(3)], fault if broken else None)))
        tally.close_deal()
    duel = only(tally)
    assert (duel.deals, duel.share) == (2, 1.0)
    assert duel.elo == math.inf


def test_a_deal_that_is_not_whole_does_not_count():
    tally = DuelTally(["a", "b"], 2)
    tally.add(played([0, 1], outcome([1, 0])))
    assert tally.duels() == ()
    tally.close_deal()
    assert only(tally).deals == 1


def test_the_interval_is_over_deals_and_elo_is_of_its_ends():
    tally = DuelTally(["a", "b"], 2)
    shares = [1.0, 0.5, 0.5, 0.0, 1.0, 0.5]
    for share in shares:
        for game, seating in enumerate(([0, 1], [1, 0])):
            won = share == 1 or (share == 0.5 and game == 0)
            seat = seating.index(0)
            tally.add(played(seating, outcome([1 if (s == seat) == won else 0 for s in range(2)])))
        tally.close_deal()
    duel = only(tally)
    assert duel.share == pytest.approx(sum(shares) / 6)
    assert duel.interval == pytest.approx(t_interval(shares))
    low, high = duel.interval
    assert duel.elo_interval == pytest.approx((elo_of_share(low, 2), elo_of_share(high, 2)))
    assert duel.elo_interval[0] < duel.elo < duel.elo_interval[1]


@pytest.mark.parametrize(("players", "pairs"), [(2, 3), (3, 6), (4, 6)])
def test_which_pairs_there_are(players, pairs):
    """Every ordered pair; at 2 seats A against B and B against A are the same games, counted once for the earlier."""
    tally = DuelTally(["a", "b", "c"], players)
    for seating in seatings("one-vs-rest", 3, players):
        tally.add(played(seating, outcome([1] + [0] * (players - 1))))
    tally.close_deal()
    found = [(duel.one, duel.rest) for duel in tally.duels()]
    assert len(set(found)) == len(found) == pairs
    if players == 2:
        assert found == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(duel.share == pytest.approx(1 / players) for duel in tally.duels())


def test_line_ups_of_other_kinds_are_not_counted():
    tally = DuelTally(["a", "b", "c"], 4)
    tally.add(played([0, 0, 1, 1], outcome([1, 0, 0, 0])))
    tally.add(played([0, 1, 2, 2], outcome([1, 0, 0, 0])))
    tally.close_deal()
    assert tally.duels() == ()


def test_a_tournament_has_the_duels_of_its_games():
    specs = (parse_spec("greedy"), parse_spec("random"))
    tournament = Tournament(specs, 3, 20, 1, load_deck("standard"), lineup="one-vs-rest")
    tally = Tally(tournament)
    won = {(0, 1): [], (1, 0): []}
    for game in play(tournament):
        tally.add(game)
        seating = game.game.seating
        one = min((0, 1), key=seating.count)
        won[one, 1 - one].append(game.rounds[0].ranks[seating.index(one)] == 1)
    duels = {(duel.one, duel.rest): duel for duel in tally.summary().duels}
    for (one, rest), firsts in won.items():
        duel = duels[str(specs[one]), str(specs[rest])]
        assert duel.share == pytest.approx(sum(firsts) / len(firsts))
        assert duel.deals == 20
    assert duels["greedy", "random"].elo > 0 > duels["random", "greedy"].elo


# --- bots that see all cards


def test_a_bot_that_sees_all_plays_only_where_that_is_allowed():
    specs = (parse_spec("cheat:iterations=20"), parse_spec("random"))
    assert [name for name, bot in shipped_bots().items() if bot.sees_all] == ["cheat"]
    with pytest.raises(ConfigError, match=r"bot cheat:iterations=20 sees all cards: .*--allow-cheating lets it play"):
        Tournament(specs, 2, 1, 1, load_deck("standard"))
    rules = load_deck("standard").rules(2)
    bots = [spec.make(Rng(1, 0, 0, seat)) for seat, spec in enumerate(specs)]
    start = rules.deal(Rng(1))
    with pytest.raises(ValueError, match="allow_cheating"):
        play_round(rules, bots, start)
    with pytest.raises(ValueError, match="allow_cheating"):
        play_match(rules, bots, lambda index, tokens: rules.deal(Rng(1, 0, index), tokens))
    assert play_round(rules, bots, start, allow_cheating=True).outcome.fault is None


def test_it_is_marked_in_standings_and_records():
    specs = (parse_spec("cheat:iterations=20"), parse_spec("ismcts:iterations=20"))
    tournament = Tournament(specs, 2, 2, 1, load_deck("standard"), lineup="one-vs-rest", allow_cheating=True)
    marked = "cheat:iterations=20 (sees all)"
    tally = Tally(tournament)
    for game in play(tournament, records=True):
        tally.add(game)
        assert sorted(json.loads(game.records[0])["bots"]) == [marked, "ismcts:iterations=20"]
    summary = tally.summary()
    assert marked in [standing.bot for standing in summary.standings]
    assert summary.duels[0].one == marked
    assert not summary.ends.get("fault")


def test_only_a_bot_that_sees_all_is_given_the_truth():
    """The views of the others hide the same cards when it is at the table."""
    rules = load_deck("standard").rules(3)
    seen = []
    cheat = parse_spec("cheat:iterations=5").make(Rng(1))
    honest = parse_spec("ismcts:iterations=5").make(Rng(1))
    for bot in (cheat, honest):
        choose = bot.choose
        bot.choose = lambda view, history, choose=choose, bot=bot: (
            seen.append((bot, view.view)),
            choose(view, history),
        )[1]
    play_round(rules, [cheat, honest, honest], rules.deal(Rng(2)), allow_cheating=True)
    assert {view for bot, view in seen if bot is cheat} == {None}
    assert {view for bot, view in seen if bot is honest} == {1, 2}


def test_the_command_refuses_it_unless_told(dnup_ai):
    words = ("tournament", "run", "cheat:iterations=5", "random", "-n", 2, "--deals", 1, "--seed", 1, "-j", 1, "-q")
    done = dnup_ai(*words)
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "cheat:iterations=5 sees all cards" in done.err
    assert "--allow-cheating" in done.err
    done = dnup_ai(*words, "--allow-cheating", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert "cheat:iterations=5 (sees all)" in found["bots"]
    assert "--allow-cheating" in found["command"]
    assert "(sees all)" in dnup_ai(*words, "--allow-cheating").out
