"""Bots that see all cards: yardsticks, which play only where that is allowed, and are marked."""

import json

import pytest

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.decks import load_deck
from dnup_ai.errors import ConfigError
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.match import play_match, play_round
from tournaments.records import game_records
from tournaments.runner import play
from tournaments.standings import summarise


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
    how = {"format": "head-to-head", "lineup": "one-vs-rest", "allow_cheating": True}
    tournament = Tournament(specs, 2, 2, 1, load_deck("standard"), **how)
    marked = "cheat:iterations=20 (sees all)"
    ledger = Ledger(tournament)
    for game in (game for games in play(tournament) for game in games):
        ledger.add([game])
        (record,) = game_records(tournament, game)
        assert sorted(record["bots"]) == [marked, "ismcts:iterations=20"]
    summary = summarise(ledger)
    assert marked in [standing.bot for standing in summary.standings]
    assert summary.singles[0].one == marked
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
    words = (
        "tournament",
        "run",
        "cheat:iterations=5",
        "random",
        "-n",
        2,
        "--deals",
        1,
        "--seed",
        1,
        "-j",
        1,
        "-q",
        "--store",
        ":memory:",
    )
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
