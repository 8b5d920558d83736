"""The match that a person sits in, without a terminal; and what games say of it in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cython_core.game import IllegalMoveError
from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.cli import play_screen as screen
from dnup_ai.cli.play_save import RecordFile
from dnup_ai.errors import ConfigError, StoreError
from dnup_ai.games import game_named
from dnup_ai.lines import count, plain
from tournaments.match import Fault, play_match
from tournaments.person import Seating
from tournaments.records import replay_file
from tournaments.sitting import Sitting
from tournaments.table import start_of

GAMES = ("dnup", "dnup-pile", "3up3down")
GOLDEN = Path(__file__).parent / "golden"


def seating(
    *bots: str, game: str = "dnup", person: int = 0, seed: int = 1, options: dict | None = None, **settings: object
) -> Seating:
    played = game_named(game)
    deck = played.load_deck(played.shipped_decks()[0])
    specs = [parse_spec(bot) for bot in bots]
    specs.insert(person, None)
    rules = played.rules(deck, len(specs), options or {})
    return Seating(played, deck, rules, tuple(specs), seed, **settings)


def until_own_turn(sitting: Sitting) -> None:
    while sitting.turn not in (None, sitting.person):
        sitting.ask_bot()


def choose(sitting: Sitting, rng: Rng) -> None:
    """Let the person make a random move."""
    sitting.play(rng.choice(sitting.view.legal_moves()))


def play_on(sitting: Sitting, rng: Rng) -> None:
    """Play to the end, the person at random."""
    while True:
        until_own_turn(sitting)
        if sitting.turn is not None:
            choose(sitting, rng)
        elif sitting.is_over:
            return
        else:
            sitting.next_round()


def moves(sitting: Sitting) -> list[list[str]]:
    return [[str(ply.move) for ply in played.plies] for played in sitting.rounds]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_a_match_goes_to_its_end_and_its_records_replay(game, players, tmp_path):
    sitting = Sitting(seating(*["greedy", "random", "greedy"][: players - 1], game=game, person=1))
    play_on(sitting, Rng(3))
    assert sitting.is_over
    assert sitting.winner is not None
    assert sitting.tokens() == tuple(map(sum, zip(*(played.result for played in sitting.rounds), strict=True)))
    with pytest.raises(ValueError, match="no next round"):
        sitting.next_round()
    path = tmp_path / "match.jsonl"
    save(path, sitting)
    replayed = list(replay_file(path))
    assert [len(found.moves) >= len(played.plies) for found, played in zip(replayed, sitting.rounds, strict=True)]
    assert [found.record["end"] for found in replayed] == [played.end for played in sitting.rounds]


def save(path: Path, sitting: Sitting) -> None:
    RecordFile(path).write(sitting.records())


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_match_that_the_harness_plays(game):
    """A bot in the person's place makes the match that tournaments play, seed and deals being the same."""
    table = seating("greedy:epsilon=0", game=game, person=1)
    sitting = Sitting(table)
    while True:
        until_own_turn(sitting)
        if sitting.turn is not None:
            sitting.play(sitting.view.greedy_move(Rng(1)))
        elif sitting.is_over:
            break
        else:
            sitting.next_round()
    bots = [parse_spec("greedy:epsilon=0").make(Rng(1)) for _ in range(2)]
    match = play_match(table.rules, bots, lambda index, tokens: start_of(table.rules, 1, 0, index, tokens))
    assert moves(sitting) == [[str(move) for move in played.moves] for played in match.rounds]
    assert (sitting.tokens(), sitting.winner) == (match.tokens, match.winner)
    assert [played.end for played in sitting.rounds] == [played.outcome.end for played in match.rounds]


def test_the_same_seed_and_moves_give_the_same_match():
    def played(seed):
        sitting = Sitting(seating("ismcts:iterations=30", "random", seed=seed))
        play_on(sitting, Rng(9))
        return moves(sitting)

    assert played(4) == played(4)
    assert played(4) != played(5)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_taken_back_and_played_again_is_answered_alike(game):
    sitting = Sitting(seating("ismcts:iterations=20", "random", game=game))
    rng = Rng(2)
    for _ in range(4):
        until_own_turn(sitting)
        choose(sitting, rng)
    until_own_turn(sitting)
    before, view, state = moves(sitting), sitting.view, sitting._state.to_bytes()
    seen = dict(sitting._seen)
    own = [ply.move for ply in sitting.round.plies if ply.seat == sitting.person]
    taken = sitting.undo() + sitting.undo()
    assert taken >= 2
    assert sitting.turn == sitting.person
    assert sum(map(len, moves(sitting))) == sum(map(len, before)) - taken
    for move in own[-2:]:
        until_own_turn(sitting)
        sitting.play(move)
    until_own_turn(sitting)
    assert (moves(sitting), sitting.view, sitting._state.to_bytes()) == (before, view, state)
    assert sitting._seen == seen


def test_undo_leads_back_into_an_earlier_round_and_to_the_start():
    sitting = Sitting(seating("greedy", "greedy"))
    assert sitting.undo() == 0
    rng = Rng(1)
    while len(sitting.rounds) == 1:
        until_own_turn(sitting)
        if sitting.turn is None:
            sitting.next_round()
        else:
            choose(sitting, rng)
    until_own_turn(sitting)
    assert sitting.round.end is None
    sitting.undo()
    assert len(sitting.rounds) == 1
    assert (sitting.turn, sitting.tokens()) == (sitting.person, (0, 0, 0))
    while sitting.undo():
        pass
    assert all(ply.seat != sitting.person for ply in sitting.round.plies)


BOTS = '''
import os
from dnup_ai.bots import Bot

class Counts(Bot):
    """Plays by how often it was asked, which it remembers, and at random."""
    asked = 0
    def choose(self, view, history):
        self.asked += 1
        moves = view.legal_moves()
        return moves[(self.asked + self.rng.below(3)) % len(moves)]

class Fails(Bot):
    def choose(self, view, history):
        if len(history) > 4:
            raise RuntimeError("no idea")
        return view.legal_moves()[0]

class Dies(Bot):
    def choose(self, view, history):
        os._exit(3)

class Cheats(Bot):
    sees_all = True
    def choose(self, view, history):
        return view.legal_moves()[0]

class Flips(Bot):
    def choose(self, view, history):
        return view.rules.move("flip")
'''


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my_bots.py").write_text(BOTS)
    return str(tmp_path / "my_bots.py")


def test_a_bot_of_ones_own_that_remembers_is_asked_all_again_after_undo(own):
    sitting = Sitting(seating(f"{own}:Counts", "random"))
    rng = Rng(2)
    for _ in range(5):
        until_own_turn(sitting)
        choose(sitting, rng)
    until_own_turn(sitting)
    before = moves(sitting)
    again = [ply.move for ply in sitting.round.plies if ply.seat == 0][-2:]
    sitting.undo()
    sitting.undo()
    for move in again:
        until_own_turn(sitting)
        sitting.play(move)
    until_own_turn(sitting)
    assert moves(sitting) == before
    sitting.close()


@pytest.mark.parametrize(("bot", "kind"), [("Fails", "exception"), ("Dies", "death")])
def test_a_fault_voids_the_round_and_the_match_goes_on(own, bot, kind, tmp_path):
    sitting = Sitting(seating(f"{own}:{bot}", "greedy", person=2, options={"max_rounds": 3}))
    rng = Rng(1)
    for index in range(3):
        while sitting.round.end is None:
            if sitting.turn == sitting.person:
                choose(sitting, rng)
            else:
                found = sitting.ask_bot()
        assert isinstance(found, Fault)
        assert (sitting.round.end, sitting.round.fault.kind) == ("fault", kind)
        assert sitting.tokens() == (0, 0, 0)
        text = plain(screen.round_lines(sitting))
        assert f"{bot}) is at fault: {kind}:" in re.sub(r"\s+", " ", text)
        assert "The round is void: it gives no tokens." in text
        if index < 2:
            sitting.next_round()
    assert sitting.is_over
    assert sitting.winner is None
    save(tmp_path / "faults.jsonl", sitting)
    assert [found.record["end"] for found in replay_file(tmp_path / "faults.jsonl")] == ["fault"] * 3
    sitting.close()


def test_a_bot_that_sees_all_sits_down_only_where_that_is_allowed(own):
    for spec in ("cheat", f"{own}:Cheats"):
        with pytest.raises(ConfigError, match="--allow-cheating lets it play"):
            Sitting(seating(spec))
        sitting = Sitting(seating(spec, allow_cheating=True, options={"max_turns": 6}))
        play_on(sitting, Rng(1))
        sitting.close()


def test_an_unfinished_round_is_a_record_too(tmp_path):
    sitting = Sitting(seating("greedy", "greedy"))
    until_own_turn(sitting)
    choose(sitting, Rng(1))
    save(tmp_path / "some.jsonl", sitting)
    (found,) = replay_file(tmp_path / "some.jsonl")
    assert (found.record["end"], found.record["bots"][0]) == ("unfinished", "person")
    assert len(found.moves) == len(sitting.round.plies)
    with pytest.raises(StoreError, match="there is such a file already"):
        save(tmp_path / "some.jsonl", sitting)


def test_rounds_are_single_ones_when_their_number_is_given():
    sitting = Sitting(seating("random", "random", rounds=3))
    play_on(sitting, Rng(1))
    assert len(sitting.rounds) == 3
    assert all("tokens=0,0,0" in str(played.start) for played in sitting.rounds)
    assert {record.get("match") for record in sitting.records()} == {None}


def test_the_truth_is_kept_until_the_round_is_over_and_errors_do_not_tell_it():
    sitting = Sitting(seating("greedy", "greedy", person=2))
    with pytest.raises(ValueError, match="for when the round is over"):
        sitting.truth()
    until_own_turn(sitting)
    rules = sitting.seating.rules
    held = {card[:2] for card in sitting.view.position().hands[2].cards}
    low, high = next(card for card in rules.cards if not {card, card[::-1]} & held)
    with pytest.raises(IllegalMoveError) as caught:
        sitting.play(rules.move("play", [(low, high)]))
    assert "view=2" in str(caught.value)
    sitting.play(sitting.view.legal_moves()[0])
    with pytest.raises(ValueError, match="it is the turn of"):
        sitting.play(rules.move("flip"))


# Words and screens.


def drawn(table, view):
    """All that is drawn of a view."""
    lines = [*table.game.table_lines(view, table.names()), *screen.menu_lines(table.game.move_groups(view))[0]]
    return plain(lines), table.game.public_hands(view)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_everything_fits_80_columns_and_tells_nothing_hidden(game, players):
    """Screens of the person's turns are equal in all worlds that the person cannot tell apart."""
    table = seating(*["greedy"] * (players - 1), game=game, seed=players)
    sitting = Sitting(table)
    rng = Rng(7)
    for _ in range(25):
        until_own_turn(sitting)
        if sitting.turn is None:
            break
        view = sitting.view
        lines = [*screen.table_lines(sitting), *screen.event_lines(sitting)]
        listed, numbered = screen.menu_lines(table.game.move_groups(view))
        assert max(len(row) for row in plain([*lines, *listed]).splitlines()) <= 80
        groups = [move for group in table.game.move_groups(view) for move, _ in group.moves]
        assert sorted(map(str, groups)) == sorted(map(str, view.legal_moves()))
        assert set(map(str, numbered)) <= set(map(str, view.legal_moves()))
        assert drawn(table, view) == drawn(table, view.determinise(rng).observe(0))
        assert {found.view for ply in sitting.round.plies for found in (ply.before, ply.after)} <= {0}
        told = [turn for turn, ply in enumerate(sitting.round.plies) if ply.seat != 0]
        if told:
            why = plain(screen.why_lines(sitting, told[-1]))
            assert "are shown after the round" in re.sub(r"\s+", " ", why)
            assert max(map(len, why.splitlines())) <= 80
        choose(sitting, rng)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_that_is_not_legal_has_a_reason_and_no_legal_one_has(game):
    played = game_named(game)
    rules = played.rules(played.load_deck("standard"), 3, {})
    rng = Rng(5)
    reasons = set()
    known = set()
    for deal in range(6):
        state = rules.deal(Rng(deal))
        while not state.is_over:
            view = state.observe(state.turn)
            legal = view.legal_moves()
            known.update(legal)
            assert all(played.why_illegal(view, move) is None for move in legal)
            for move in sorted(known - set(legal), key=str)[:: max(len(known) // 15, 1)]:
                reasons.add(re.sub(r"\d+(/\d+)?|C\d?", "N", played.why_illegal(view, move)))
            state.apply(rng.choice(legal) if rng.random() < 0.3 else state.greedy_move(rng))
    assert len(reasons) >= 5
    assert "the rules do not allow it here" not in reasons


def test_what_the_others_do_is_told_alike_whatever_they_hide():
    """A flip of a hand that the person does not know, and a draw of a card that it does not see."""
    for game in GAMES:
        played = game_named(game)
        rules = played.rules(played.load_deck("standard"), 3, {})
        state = rules.deal(Rng(8))
        rng = Rng(4)
        compared = 0
        while not state.is_over and compared < 15:
            move = state.greedy_move(rng, 0.3)
            view = state.observe(0)
            world = view.determinise(rng)
            if state.turn != 0 and world.is_legal(move):
                texts = []
                for found in (state, world):
                    after = found.copy()
                    after.apply(move)
                    texts.append(played.tell(found.observe(0), found.seen_move(move, 0), after.observe(0)))
                # What is turned over is public, and differs between worlds.
                if not str(move).startswith("down"):
                    assert texts[0] == texts[1]
                    compared += 1
            state.apply(move)
        assert compared >= 5


@pytest.mark.parametrize("game", ["dnup", "3up3down"])
def test_what_everybody_knows_of_hands_is_the_same_from_every_seat(game):
    played = game_named(game)
    rules = played.rules(played.load_deck("standard"), 4, {})
    state = rules.deal(Rng(2))
    rng = Rng(2)
    longest = 0
    for _ in range(40):
        if state.is_over:
            break
        told = [
            {seat: text.replace("your hand", f"seat {seat}'s hand") for seat, text in played.public_hands(view).items()}
            for view in map(state.observe, range(4))
        ]
        assert all(found == told[0] for found in told)
        longest = max(longest, *(len(text) for text in told[0].values()))
        state.apply(state.greedy_move(rng, 0.3))
    assert longest > 30  # something is known


def test_after_the_round_it_is_told_what_a_bot_saw_and_thought():
    sitting = Sitting(seating("ismcts:iterations=50", "greedy"))
    rng = Rng(1)
    while sitting.round.end is None:
        until_own_turn(sitting)
        if sitting.turn is not None:
            choose(sitting, rng)
    plies = sitting.round.plies
    searched = next(turn for turn, ply in enumerate(plies) if ply.seat == 1 and ply.thoughts is not None)
    text = plain(screen.why_lines(sitting, searched))
    assert "as seat 1 sees it" in text
    assert "50 iterations" in text
    assert str(plies[searched].move) in text
    greedy = next(turn for turn, ply in enumerate(plies) if ply.seat == 2)
    assert "it did not search here" in re.sub(r"\s+", " ", plain(screen.why_lines(sitting, greedy)))


def test_long_lists_of_moves_are_cut_and_say_so():
    played = game_named("dnup")
    hand = ",".join(f"1/{low}" for low in (3, 4, 6, 7, 8)) + ",1/5~"
    state = played.parse_position(f"dnup:3 view=0 turn=0 hands={hand};9x;9x table=-;-;- gone=-")
    lines, numbered = screen.menu_lines(played.move_groups(state))
    assert "and 43 more: type them" in plain(lines)
    assert len(numbered) == 21
    assert str(numbered[19]) == "play:1/3,1/4,1/5,1/6,1/7,1/8"


def test_numbers_have_their_plurals():
    assert (count(1, "card"), count(0, "card")) == ("1 card", "0 cards")


@pytest.mark.parametrize(("game", "turns"), [("dnup", 14), ("dnup-pile", 12), ("3up3down", 22)])
def test_the_table_looks_as_it_did(game, turns, request):
    """Golden text; write it anew by deleting the file."""
    sitting = Sitting(seating("greedy", "greedy:epsilon=0.3", game=game, seed=3))
    rng = Rng(6)
    until_own_turn(sitting)
    while len(sitting.round.plies) < turns:
        choose(sitting, rng)
        until_own_turn(sitting)
    lines = [*screen.event_lines(sitting), *screen.table_lines(sitting), ()]
    text = plain([*lines, *screen.menu_lines(sitting.seating.game.move_groups(sitting.view))[0]]) + "\n"
    path = GOLDEN / f"play_{game}.txt"
    if not path.exists():
        path.write_text(text)
    assert text == path.read_text()
