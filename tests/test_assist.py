"""A session follows a real game: exactly what the seat knows, nothing impossible, nothing lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cython_core.rng import Rng
from dnup_ai.assist import Session, SessionFile, Settings
from dnup_ai.decks import load_deck
from dnup_ai.errors import ConfigError, DnupError, EventError, NotationError, StoreError
from dnup_ai.games import game_named
from tables import TABLES, follow, lines, table, tables

choices = st.lists(st.integers(0, 999), max_size=90)


# --- what the session knows


@given(tables(), choices)
def test_a_session_knows_what_its_seat_may_know(at, line):
    """Moved on by what a person types, the view is byte for byte the one that the truth gives the seat."""
    session = Session(at.settings)
    session.deal(at.answers())
    seat = at.settings.seat
    assert session.view.to_bytes() == at.state.observe(seat).to_bytes()
    for typed, shown, state in lines(at, line):
        follow(session, typed, shown)
        assert session.view.to_bytes() == state.observe(seat).to_bytes()
        assert str(session.view) == str(state.observe(seat))
        assert session.my_turn == (state.turn == seat)
    assert session.tokens == at.state.result()


@pytest.mark.parametrize(("game", "deck", "players", "options"), TABLES)
def test_whole_rounds_are_followed_by_every_seat(game, deck, players, options):
    for seat in range(players):
        at = table(game, deck, players, options, seat, seed=seat)
        session = Session(at.settings)
        session.deal(at.answers())
        rng = Rng(seat, 1)
        for _ in range(3000):
            if at.state.is_over:
                break
            typed, shown = at.happen(at.state.greedy_move(rng, 0.1))
            follow(session, typed, shown)
        assert session.view.to_bytes() == at.state.observe(seat).to_bytes()
        assert session.round_over == at.state.is_over
        assert options or at.state.is_over


@given(tables(), choices)
def test_the_events_of_a_session_replay_to_the_same_bytes(at, line):
    session = Session(at.settings)
    events = [session.deal(at.answers())]
    for typed, shown, _ in lines(at, line):
        events.append(session.play(typed))
        if shown:
            events.append(session.show(shown))
    again = Session.replayed(at.settings, events)
    assert again.view.to_bytes() == session.view.to_bytes()
    assert again.now._replace(view=None) == session.now._replace(view=None)


@given(tables(), choices, st.integers(1, 20))
def test_undo_takes_back_any_number(at, line, count):
    """The view is then what it was; played again, it is what it was before."""
    session = Session(at.settings)
    events = [session.deal(at.answers())]
    seen = [None, session.view.to_bytes()]
    for typed, shown, _ in lines(at, line):
        events.append(session.play(typed))
        seen.append(session.view.to_bytes())
        if shown:
            events.append(session.show(shown))
            seen.append(session.view.to_bytes())
    count = min(count, len(events))
    session.undo(count)
    before = seen[-1 - count]
    assert (None if session.view is None else session.view.to_bytes()) == before
    for event in events[-count:]:
        session.take(event)
    assert session.view.to_bytes() == seen[-1]


def test_a_session_follows_a_match_of_several_rounds():
    """Tokens are carried on, the winner is named, and no round begins after the match."""
    rules = load_deck("standard").rules(3)
    session = Session(Settings("dnup", 3, 0, load_deck("standard")))
    rng, tokens = Rng(3, 1), (0, 0, 0)
    for number in range(20):
        at = table("dnup", "standard", 3, {}, 0, seed=number)
        at.state = rules.deal(Rng(number), tokens)
        session.deal(at.answers())
        assert session.view.to_bytes() == at.state.observe(0).to_bytes()
        while not at.state.is_over:
            follow(session, *at.happen(at.state.greedy_move(rng)))
        tokens = tuple(map(sum, zip(tokens, at.state.result(), strict=True)))
        assert session.tokens == tokens
        if session.winner is not None:
            break
        session.next_round()
        assert session.question.name == "hand"
    assert max(tokens) >= 4
    assert tokens[session.winner] == max(tokens)
    with pytest.raises(EventError, match="the match is over, seat"):
        session.next_round()
    assert session.question is None


def test_a_session_can_begin_in_the_middle_of_a_match_and_of_a_round():
    session = Session(Settings("dnup", 3, 1, load_deck("standard"), tokens=(3, 0, 1)))
    view = (
        "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- "
        "tokens=0,2,1"
    )
    session.deal({"position": view})
    assert str(session.view) == view
    assert session.now.tokens == (0, 2, 1)
    session.play("p 2/8")
    assert session.view.turn == 2


def test_a_round_can_be_broken_off():
    at = table("dnup", "standard", 3, {}, 0, seed=1)
    session = Session(at.settings)
    session.deal(at.answers())
    with pytest.raises(EventError, match="the round is not over"):
        session.next_round()
    with pytest.raises(EventError, match="a round has begun already"):
        session.deal(at.answers())
    session.next_round(broken_off=True)
    assert session.now.rounds == (((0, 0, 0), "broken off"),)
    with pytest.raises(EventError, match="the next round is being dealt already"):
        session.next_round()
    with pytest.raises(EventError, match="no round has begun"):
        session.play("f")


def test_a_deal_is_told_answer_by_answer():
    session = Session(Settings("dnup", 3, 0, load_deck("standard")))
    assert session.question.name == "hand"
    session.deal({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 7/2"})
    assert session.view is None
    assert session.question.name == "begins"
    with pytest.raises(NotationError, match="begins, column 1: expected a seat from 0 to 2, got '3'"):
        session.deal({"begins": "3"})
    session.undo()
    assert session.question.name == "hand"
    session.deal({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 5/1~"})
    assert session.my_turn
    assert session.question is None


# --- what is refused, and why

VIEW = (
    "dnup:3 view=1 turn={} hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
)
TWO = "dnup:2 view=0 turn=0.1 hands=2/4,3/1,3/2,3/4,3/5,5/2,5/7;1~5,9x table=-;8/5,8/6;7/8;- gone=- out=- tokens=0,0"


@pytest.mark.parametrize(
    ("turn", "event", "why"),
    [
        (0, "p 2/8", "2/8 cannot be played by seat 0: you hold it"),
        (0, "p 4/8 4/3", "4/3 4/8 cannot be played by seat 0: you hold 4/3"),
        (0, "p 6/4", "6/4 cannot be played by seat 0: seat 2 holds it"),
        (0, "p 5/1", "5/1 cannot be played by seat 0: seat 2 holds it"),
        (0, "p 3/7", "3/7 cannot be played by seat 0: it lies in front of seat 2"),
        (0, "p 1/4", "1/4 cannot be played by seat 0: it was discarded"),
        (2, "p 4/6", "4/6 cannot be played by seat 2: seat 2 holds it as 6/4"),
        (0, "p 5/4 5/8", "5/4 5/8 cannot be played by seat 0: a set of 2 cards of value 7 lies in front of seat 2, so"),
        (1, "p 8/2", "you cannot play 8/2: you hold it as 2/8"),
        (1, "p 5/8", "you cannot play 5/8: you do not hold it"),
        (1, "p 6/4", "you cannot play 6/4: seat 2 holds it"),
        (0, "t1", "the set in front of you cannot be taken by seat 0: no set lies in front of you"),
        (2, "t2", "the set in front of seat 2 cannot be taken by seat 2: only sets of other seats"),
        (1, "t0", "you cannot take the set in front of seat 0: no set lies in front of seat 0"),
        (0, "a 5/2 2", "5/2 cannot be added by seat 0: the set in front of seat 2 has the value 7"),
        (0, "a 5/2 1", "5/2 cannot be added by seat 0: no set lies in front of you"),
        (0, "2: f", "it is the turn of seat 0, not of seat 2"),
    ],
)
def test_impossible_events_of_dnup_are_refused_with_the_reason(turn, event, why):
    session = Session(Settings("dnup", 3, 1, load_deck("standard")))
    session.deal({"position": VIEW.format(turn)})
    before = session.view.to_bytes()
    with pytest.raises(EventError) as caught:
        session.play(event)
    assert str(caught.value).startswith(why)
    assert session.view.to_bytes() == before
    assert session.undoable == ("the deal",)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ("x", "event, column 1: expected p CARDS, a CARD ZONE, t ZONE or f, got 'x'"),
        ("", "event, column 1: expected a move, like p 4/6 or f, got ''"),
        ("p 4-6", "cards, column 3: expected a card like 3/7, got '4-6'"),
        ("p 4/6 5/6", "cards, column 7: expected a card in play in deck standard at 3 players, got '5/6'"),
        ("p 4/6 5/8", "cards, column 7: expected a card with the active value 4 of its set, got '5/8'"),
        ("p 4/6 6/4", "cards, column 7: expected each card once, got '6/4'"),
        ("p 4/6,10/3", "cards, column 7: expected a card in play in deck standard at 3 players, got '10/3'"),
        ("p", "cards, column 2: expected a card like 3/7, got ''"),
        ("t3", "zone, column 2: expected a seat from 0 to 2, got '3'"),
        ("t", "zone, column 2: expected a seat from 0 to 2, got ''"),
        ("a 5/2", "zone, column 6: expected a seat from 0 to 2, got ''"),
        ("f 3", "event, column 3: expected nothing behind f, got '3'"),
        ("a 5/2 1 1", "event, column 9: expected the end of the event, got '1'"),
        ("play:4/6,4/x", "cards, column 10: expected a card like 3/7, got '4/x'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(event, why):
    session = Session(Settings("dnup", 3, 1, load_deck("standard")))
    session.deal({"position": VIEW.format(0)})
    with pytest.raises(NotationError) as caught:
        session.play(event)
    assert str(caught.value) == why


def test_short_forms_mean_moves():
    session = Session(Settings("dnup", 3, 1, load_deck("standard")))
    session.deal({"position": VIEW.format(0)})
    read = lambda text: str(session.game.read_event(session.view, text))  # noqa: E731
    assert read("f") == read(" flip ") == "flip"
    assert read("t2") == read("t 2") == read("t@2") == read("take 2") == read("take@2") == "take@2"
    assert read("p 8/1 8/2") == read("p8/2,8/1") == read("8/1 8/2") == read("play:8/2,8/1") == "play:8/1,8/2"
    assert read("a 7/1 2") == read("a7/1@2") == read("add 7/1 @2") == read("add:7/1@2") == "add:7/1@2"
    assert session.play("0: f")["seat"] == 0


@given(tables(), choices, st.data())
def test_an_event_is_refused_exactly_if_it_is_against_the_rules(at, line, data):
    """Reasons are found for what no world allows, and for nothing else; and they are words, not a last resort."""
    session = Session(at.settings)
    session.deal(at.answers())
    for typed, shown, _ in lines(at, line):
        follow(session, typed, shown)
    view = session.view
    other = table(at.settings.game, at.settings.deck.name, at.settings.players, dict(at.settings.options), 0, 5)
    for _ in lines(other, data.draw(choices)):
        pass
    strange = [] if other.state.is_over else other.state.legal_moves()
    for move in [*strange, *([] if at.state.is_over else at.state.legal_moves())]:
        fault = session.game.event_fault(view, move)
        assert (fault is None) == view.is_legal(move)
        assert fault is None or "against the rules" not in fault, (str(view), str(move))


@given(tables(), choices)
def test_completion_offers_what_happens_next(at, line):
    """The words of every legal move are among those offered, one after the other."""
    session = Session(at.settings)
    session.deal(at.answers())
    for typed, shown, _ in lines(at, line[:30]):
        words = typed.split()
        for count, word in enumerate(words):
            offered = session.game.event_words(session.view, words[:count])
            assert word.partition("*")[0] in offered, (str(session.view), typed, offered)
        follow(session, typed, shown)


# --- cards that chance shows


def test_a_drawn_card_is_asked_for_and_checked():
    at = table("dnup-pile", "standard", 2, {}, 0, seed=4)
    session = Session(at.settings)
    session.deal(at.answers())
    move = next(move for move in at.state.legal_moves() if move.kind == "play")
    held = session.view.position().hands[0].cards
    typed, shown = at.happen(move)
    session.play(typed)
    assert session.pending == 1
    assert not session.my_turn
    with pytest.raises(EventError, match=r"first name what play:.* showed"):
        session.play("r")
    other = next(card for card in held if card != move.card)
    for cards, why in [
        (f"{other[0]}/{other[1]}", "cannot have been drawn: you hold it"),
        ("{}/{}".format(*move.card), "cannot have been drawn: it lies on a pile"),
        ("1/3 1/4", "drawn: expected 1 card, got 2"),
        ("11/3", "drawn, column 1: expected a card of deck standard"),
    ]:
        with pytest.raises(DnupError, match=why):
            session.show(cards)
    session.show(shown)
    assert session.pending == 0
    with pytest.raises(EventError, match="no move shows cards"):
        session.show(shown)
    session.undo()
    assert session.pending == 1
    session.undo()
    assert session.my_turn


def test_cards_shown_in_3up3down_are_asked_for_and_checked():
    at = table("3up3down", "standard", 2, {}, 0, seed=4)
    session = Session(at.settings)
    session.deal(at.answers())
    for _ in range(2):
        follow(session, *at.happen(at.state.legal_moves()[0]))
    typed, shown = at.happen(at.state.legal_moves()[0])
    session.play(typed)
    assert session.pending == len(shown.split()) == 1
    with pytest.raises(EventError, match="shown: expected 1 card, got 2"):
        session.show("7 7")
    with pytest.raises(NotationError, match="a card like 7"):
        session.show("D")
    session.show(shown)
    assert session.view.to_bytes() == at.state.observe(0).to_bytes()


# --- first hands


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"hand": "2/4 4/3"}, "hand: expected 8 cards, got 2"),
        ({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 1/10"}, "hand, column 29: expected a card in play in deck standard"),
        ({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 4/2"}, "hand, column 29: expected each card once"),
        ({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 1/5", "begins": "2"}, "the starred card 1/5 is in your hand"),
        ({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 7/2", "begins": "3"}, "begins, column 1: expected a seat from 0 to 2"),
        ({"hand": "2/4 4/3 5/2 5/7 5/8 6/7 7/1 7/2", "begins": "0"}, "the starred card 1/5 is not in your hand, so"),
        ({"position": "dnup:3 turn=0"}, "hands, column 14"),
        ({"position": VIEW.format(0).replace("view=1", "view=0")}, "hands"),
        ({"position": TWO}, "position: expected 3 players and the rules of this session"),
        ({"position": VIEW.format(0)}, "position: expected the view of seat 0, got the view of seat 1"),
        ({"position": "dnup-pile:3 turn=0"}, "position: expected one of dnup, got one of dnup-pile"),
        ({}, "deal: expected answers as text"),
    ],
)
def test_impossible_deals_are_refused(answers, why):
    session = Session(Settings("dnup", 3, 0, load_deck("standard")))
    with pytest.raises(DnupError) as caught:
        session.deal(answers)
    assert str(caught.value).startswith(why)
    assert session.view is None


def test_settings_that_cannot_be():
    deck = load_deck("standard")
    with pytest.raises(ConfigError, match="seat: expected 0 to 2, got 3"):
        Settings("dnup", 3, 3, deck)
    with pytest.raises(ConfigError, match="tokens: expected 3 numbers"):
        Settings("dnup", 3, 0, deck, tokens=(1, 2))
    with pytest.raises(ConfigError, match="with 4,0,0 the match is over"):
        Settings("dnup", 3, 0, deck, tokens=(4, 0, 0))


def test_a_game_that_says_nothing_of_tables_is_followed_from_a_position():
    """A user's own game needs nothing for it."""
    path = f"{__file__.rpartition('/')[0]}/toy_game.py:TrickGame"
    game = game_named(path)
    start = game.rules(game.load_deck("seven"), 2, {}).deal(Rng(1))
    session = Session(Settings(path, 2, 0, game.load_deck("seven")))
    assert session.question.name == "position"
    session.deal({"position": str(start.observe(0))})
    while not start.is_over:
        move = start.legal_moves()[0]
        start.apply(move)
        session.play(str(move))
        assert session.view.to_bytes() == start.observe(0).to_bytes()


# --- the file


def entered(path, at, line):
    """A session file after these events; returns what its lines must be."""
    events = []
    with SessionFile.create(path, at.settings) as file:
        events.append(file.session.deal(at.answers()))
        file.append(events[-1])
        for typed, shown, _ in lines(at, line):
            events.append(file.session.play(typed))
            file.append(events[-1])
            if shown:
                events.append(file.session.show(shown))
                file.append(events[-1])
    return events


@settings(max_examples=30)
@given(tables(), choices, st.data())
def test_a_file_cut_anywhere_opens_with_all_whole_events(tmp_path_factory, at, line, data):
    path = tmp_path_factory.mktemp("cut") / "game.jsonl"
    events = entered(path, at, line)
    whole = path.read_bytes()
    head = whole.index(b"\n") + 1
    cut = data.draw(st.integers(head, len(whole)))
    path.write_bytes(whole[:cut])
    kept = whole[:cut].count(b"\n") - 1
    # A line that lacks no more than its end is whole.
    kept += whole[cut : cut + 1] == b"\n"
    with SessionFile.open(path) as file:
        assert file.session.view is None if kept == 0 else True
        expected = Session.replayed(at.settings, events[:kept])
        if kept:
            assert file.session.view.to_bytes() == expected.view.to_bytes()
        assert bool(file.dropped) == (cut > head and whole[cut - 1 : cut] != b"\n" and whole[cut : cut + 1] != b"\n")
        for event in events[kept:]:
            file.append(file.session.take(event))
    assert path.read_bytes() == whole


@pytest.mark.parametrize("cut", [0, 5, 30])
def test_a_file_that_was_killed_as_it_was_made_can_be_made_again(tmp_path, cut):
    path = tmp_path / "game.jsonl"
    at = table("dnup", "standard", 3, {}, 0, 1)
    SessionFile.create(path, at.settings).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    assert not SessionFile.is_there(path)
    SessionFile.create(path, at.settings).close()
    assert path.read_bytes() == whole


def test_no_file_is_overwritten_and_none_used_twice(tmp_path):
    path = tmp_path / "game.jsonl"
    at = table("dnup", "standard", 3, {}, 0, 1)
    with SessionFile.create(path, at.settings), pytest.raises(StoreError, match="another dnup-ai assist is using it"):
        SessionFile.open(path)
    with pytest.raises(StoreError, match="there is such a file already"):
        SessionFile.create(path, at.settings)
    path.write_text("my shopping list")
    with pytest.raises(StoreError, match="there is such a file already"):
        SessionFile.create(path, at.settings)
    assert path.read_text() == "my shopping list"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "line 3: expected a JSON object, got 'nonsense'"),
        ("[1]", "line 3: expected a JSON object"),
        ('{"what": 1}', "line 3: expected one of deal, move, shown, round, undo, note, got what"),
        ('{"move": 3, "seat": 0}', "line 3: move: not what a session has there"),
        ('{"move": "flip", "seat": 9}', "line 3: it is the turn of seat 2, not of seat 9"),
        ('{"move": "flip"}', "line 3: it is the turn of seat 2, not of seat None"),
        ('{"move": "play:2/4", "seat": 2}', "line 3: 2/4 cannot be played by seat 2: you hold it"),
        ('{"undo": 3}', "line 3: undo: 3 cannot be taken back, there are only 1"),
        ('{"undo": 0}', "line 3: undo: expected 1 or more events"),
        ('{"undo": true}', "line 3: undo: not what a session has there"),
        ('{"deal": {"hand": "3"}}', "line 3: deal: a round has begun already"),
        ('{"deal": {"hand": 3}}', "line 3: deal: expected answers as text"),
        ('{"round": "over"}', "line 3: the round is not over"),
        ('{"round": "up"}', "line 3: round: expected over or broken off"),
        ('{"note": " "}', "line 3: note: expected some words"),
        ('{"shown": "3/4"}', "line 3: no move shows cards"),
    ],
)
def test_damage_inside_a_file_names_its_line(tmp_path, line, why):
    path = tmp_path / "game.jsonl"
    entered(path, table("dnup", "standard", 3, {}, 0, 1), [])
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(StoreError) as caught:
        SessionFile.open(path)
    assert str(caught.value).startswith(f"{path}, {why}")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"assist": 2}, "line 1: expected a session of format 1, got '2'"),
        ({"seat": 7}, "line 1: seat: expected 0 to 2, got 7"),
        ({"players": "3"}, "line 1: players: not what a session has there"),
        ({"game": "chess"}, "line 1: unknown game 'chess'"),
        ({"deck": "gold"}, "line 1: deck 'gold'"),
        ({"rules": {"out_sets": "shut"}}, "line 1: rules of dnup: out_sets"),
    ],
)
def test_damaged_settings_name_the_line(tmp_path, change, why):
    import json

    path = tmp_path / "game.jsonl"
    SessionFile.create(path, table("dnup", "standard", 3, {}, 0, 1).settings).close()
    path.write_text(json.dumps(json.loads(path.read_text()) | change) + "\n")
    with pytest.raises(StoreError) as caught:
        SessionFile.open(path)
    assert str(caught.value).startswith(f"{path}, {why}")


def test_a_deck_of_ones_own_is_in_the_file(tmp_path):
    deck = load_deck("pairs-36")
    own = type(deck)("mine", deck.cards, deck.star, deck.symbols)
    path = tmp_path / "game.jsonl"
    settings = Settings("dnup", 3, 0, own, {"out_sets": "frozen"}, (1, 2, 3))
    SessionFile.create(path, settings).close()
    with SessionFile.open(path) as file:
        assert file.session.settings == settings
