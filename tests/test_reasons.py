"""Reasons and beliefs, against brute force: the plain reference of the rules, over all worlds of small positions."""

import re

import pytest

import reference
from cython_core.belief import Belief
from cython_core.rng import Rng
from dnup_ai.beliefs import believe, seat_beliefs
from dnup_ai.games import game_named
from dnup_ai.reasons import Reasons, chance_out, line_words
from dnup_ai.search import SearchParams
from dnup_ai.words import a_number, percent
from lines import rules_of

DNUP = game_named("dnup")


def small_views(number: int, most: int = 64):
    """Views of the seat to move, at 2 to 5 players, each of another round, with few worlds and a choice."""
    found = []
    deal = 0
    while len(found) < number:
        players = 2 + deal % 4
        state = rules_of("standard", players).deal(Rng(500, deal))
        rng = Rng(501, deal)
        deal += 1
        while state.turn is not None:
            view = state.observe(state.turn)
            if len(state.legal_moves()) > 3 and (view.count_worlds(most) or 0) > 1:
                found.append(view)
                break
            state.apply(state.greedy_move(rng, 0.3))
    return found


VIEWS = small_views(24)


def all_worlds(view) -> list[reference.Position]:
    worlds = list(reference.worlds(reference.parse(str(view))))
    assert len(worlds) == view.count_worlds()
    return worlds


def reasons_of(view, move) -> tuple[str, ...]:
    belief = believe(view, Rng(1))
    assert belief.listed
    return Reasons(DNUP, view, belief).of(move)


def beats_it(world: reference.Position, zone: str) -> bool:
    """Whether some opponent, were it its turn, has a move that beats the set in the zone."""
    mover = reference.owner(zone)
    for other in reference.zones(world.players):
        seat = reference.owner(other)
        if seat == mover or seat in world.out or not world.hands[seat].cards:
            continue
        turned = reference.copy(world)
        turned.turn = other
        for text in reference.legal(turned):
            if text.startswith(("play", "add")) and not reference.play(turned, text).table[zone]:
                return True
    return False


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_how_likely_a_set_is_beaten(view):
    worlds = all_worlds(view)
    for move in view.legal_moves():
        if move.kind != "play":
            continue
        text = "; ".join(reasons_of(view, move))
        after = [reference.play(world, str(move)) for world in worlds]
        if view.turn in after[0].out:
            assert "opponent holds" not in text
            continue
        chance = sum(beats_it(world, worlds[0].turn) for world in after) / len(worlds)
        if chance == 0:
            assert "no opponent holds what beats" in text, (text, str(move))
        else:
            assert re.search(r"opponent holds [^;:]*: (.*?%)", text)[1] == percent(chance), (text, str(move))


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_the_hand_that_is_left(view):
    for move in view.legal_moves():
        seat = view.turn
        after = reference.play(all_worlds(view)[0], str(move))
        hand = after.hands[seat].cards
        sets = len({card.active for card in hand})
        words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
        first = reasons_of(view, move)[0]
        if not hand:
            assert first == "leaves no card"
            continue
        assert f"{words[sets]} set{'s' * (sets > 1)}" in first
        assert f"{words[len(hand)] if len(hand) <= 10 else len(hand)} card{'s' * (len(hand) > 1)}" in first


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_what_is_beaten_and_who_is_out(view):
    seat = view.turn
    before = all_worlds(view)[0]
    for move in view.legal_moves():
        after = reference.play(before, str(move))
        text = "; ".join(reasons_of(view, move))
        own = before.turn
        gone = [
            zone
            for zone in reference.zones(before.players)
            if before.table[zone] and not after.table[zone] and zone != own and str(move) != f"take@{zone}"
        ]
        # The seat that would come next may be out, and its set is then discarded: that is no beating.
        made = reference.parse_move(str(move), before.players)
        size = {"play": len(made.cards), "add": 1 + len(before.table.get(made.zone, []))}.get(made.kind, 0)
        beaten = [zone for zone in gone if len(before.table[zone]) == size]
        assert bool(beaten) == ("; beats " in text)
        for zone in beaten:
            owner = reference.owner(zone)
            back = "you" if owner == seat else f"seat {owner}"
            assert (", which is discarded" if owner in before.out else f", which goes back to {back}") in text
        rank = reference.ranks(after)[seat]
        assert ("you are out first" in text, "you are out second" in text) == (rank == 1, rank == 2)


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_whether_the_next_seat_can_be_out_at_once(view):
    worlds = all_worlds(view)
    for move in view.legal_moves():
        count = 0
        for world in worlds:
            after = reference.play(world, str(move))
            if reference.is_over(after):
                continue
            seat = reference.owner(after.turn)
            if seat != view.turn:
                count += any(seat in reference.play(after, text).out for text in reference.legal(after))
        chance = count / len(worlds)
        assert chance_out(move, view.turn, believe(view, Rng(1))) == pytest.approx(chance)
        text = "; ".join(reasons_of(view, move))
        assert (f"can then be out at once: {percent(chance)}" in text) == (chance > 0)


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_beliefs_are_shares_of_all_worlds(view):
    worlds = all_worlds(view)
    for belief in seat_beliefs(DNUP, view, believe(view, Rng(1))):
        hands = [world.hands[belief.seat].cards for world in worlds]
        known = {f"{min(card[:2])}/{max(card[:2])}" for card in view.position().hands[belief.seat].cards}
        held = [{"{}/{}".format(*sorted((card.active, card.inactive))) for card in hand} for hand in hands]
        assert set(belief.cards) == set().union(*held) - known
        for card, chance in belief.cards.items():
            assert chance == pytest.approx(sum(card in hand for hand in held) / len(worlds))
        for value, chances in belief.values.items():
            assert sum(chances) == pytest.approx(1)
            for number, chance in enumerate(chances):
                found = sum(sum(str(card.active) == value for card in hand) == number for hand in hands)
                assert chance == pytest.approx(found / len(worlds), abs=1e-9)


def test_drawn_worlds_are_near_the_listed_ones():
    """At 2 players with 10 hidden cards all 1,024 ways up are listed; 4,000 drawn ones are within 4 standard errors."""
    view = rules_of("standard", 2).deal(Rng(3)).observe(0)
    assert believe(view, Rng(1), worlds=1024).listed
    drawn = believe(view, Rng(1), worlds=1000)
    assert not drawn.listed
    assert (len(drawn.worlds), sum(drawn.weights)) == (1000, pytest.approx(1))
    exact = seat_beliefs(DNUP, view, believe(view, Rng(1), worlds=1024))[0].values
    for value, chances in seat_beliefs(DNUP, view, drawn)[0].values.items():
        for number, chance in enumerate(chances):
            if number < len(exact[value]):
                assert chance == pytest.approx(exact[value][number], abs=4 * 0.5 / 1000**0.5)


@pytest.mark.parametrize(("players", "listed"), [(2, True), (3, False)])
def test_the_belief_is_that_of_the_bot(players, listed):
    """By the moves of the round if its parameters say so: the weights are those of the search's own belief."""
    state = rules_of("standard", players).deal(Rng(3))
    history = []
    while len(history) < 9:
        history.append(state.greedy_move(Rng(3, len(history)), 0.0))
        state.apply(history[-1])
    view = state.observe(state.turn)
    found = believe(view, Rng(1), history, 1024)
    assert (found.listed, found.informed) == (listed, True)
    options = {"limit": 1024, "pool": 1024, "temperature": 2.0, "floor": 0.2}
    own = Belief(view, [move.code for move in history], Rng(1), **options)
    assert found.weights == tuple(own.probabilities())
    assert max(found.weights) > 2 / len(found.weights)
    for plain in (believe(view, Rng(1)), believe(view, Rng(1), history, params=SearchParams(belief_temperature=0.0))):
        assert not plain.informed
        assert set(plain.weights) == {1 / len(plain.weights)}


def test_a_belief_comes_from_the_seed():
    view = rules_of("standard", 3).deal(Rng(3)).observe(0)
    assert believe(view, Rng(5)).worlds == believe(view, Rng(5)).worlds
    assert believe(view, Rng(5)).worlds != believe(view, Rng(6)).worlds


def test_percentages_never_round_to_what_is_not():
    assert [percent(chance) for chance in (0, 0.001, 0.12, 0.994, 0.999, 1.0)] == [
        "0%",
        "under 1%",
        "12%",
        "99%",
        "over 99%",
        "100%",
    ]


def test_a_line_in_words():
    view = DNUP.parse_position(
        "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 tokens=0,2,1"
    )
    moves = [DNUP.parse_move(view.rules, text) for text in ("take@2", "play:6/4", "add:1/8@2", "flip", "play:3/7")]
    assert line_words(DNUP, view, moves[:2]) == "you take seat 2's set (7/3, 7/6), seat 2 plays one 6 (6/4)"
    # A 1 cannot be added to a set of 6s: no world goes on like that, and the line ends there.
    assert line_words(DNUP, view, moves) == line_words(DNUP, view, moves[:2])
    two = DNUP.parse_position("dnup:2 view=0 turn=0.1 hands=2/3,2/6,6/7;1x table=-;6/1,6/4;-;3/1 gone="
                              "1/4,1/5,1/7,2/4,2/5,2/8,3/5,3/7,4/8,5/7,5/8,6/8,7/8")  # fmt: skip
    add, take = (DNUP.parse_move(two.rules, text) for text in ("take@1.2", "play:6/7"))
    assert line_words(DNUP, two, [add]) == "you take seat 1's set in zone 2 (3/1)"
    assert line_words(DNUP, two, [take]) == "you play one 6 (6/7)"


def test_numbers_have_the_article_that_is_spoken():
    numbers = ("1", "7", "8", "8 or 9", "10", "11", "12", "15", "7 or 8")
    assert [a_number(text).split()[0] for text in numbers] == ["a", "a", "an", "an", "a", "an", "a", "a", "a"]


def test_reasons_speak_of_an_8():
    said = " ".join(reason for view in VIEWS for move in view.legal_moves() for reason in reasons_of(view, move))
    assert "an opponent holds an 8, which beats it" in said
    assert "an 8 to add to a set" in said
    assert " a 8" not in said
