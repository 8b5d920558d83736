"""Lines of play for the tests: rules of every shipped deck, and Hypothesis strategies that shrink."""

from hypothesis import strategies as st

from cython_core.dnup import DnupRules, DnupState
from cython_core.rng import Rng
from dnup_ai.decks import load_deck, shipped_decks

EVERY_TABLE = [(deck, players) for deck in shipped_decks() for players in load_deck(deck).player_counts()]
SMALL_CARDS = ((1, 2), (1, 3), (1, 5), (2, 3), (2, 4), (3, 4))


def rules_of(deck: str, players: int, **options: object) -> DnupRules:
    return load_deck(deck).rules(players, **options)


def small_rules(players: int, cards: int = 6, **options: object) -> DnupRules:
    """A deck so small that all its deals can be counted."""
    return DnupRules(players, SMALL_CARDS[:cards], (1, 5), deck="small", **options)


def play(state: DnupState, choices: list[int]) -> DnupState:
    """Play one move a number, until the round is over or the numbers are."""
    for choice in choices:
        if state.is_over:
            break
        moves = state.legal_moves()
        state.apply(moves[choice % len(moves)])
    return state


tables = st.sampled_from(EVERY_TABLE)
seeds = st.integers(0, 2**32 - 1)
choices = st.lists(st.integers(0, 999), max_size=80)
options = st.sampled_from([{}, {"out_sets": "frozen"}])


@st.composite
def states(draw: st.DrawFn, tokens: bool = True) -> DnupState:
    """A true state somewhere in a round, at every number of players of every shipped deck; tokens: given before it."""
    deck, players = draw(tables)
    rules = rules_of(deck, players, **draw(options))
    most = 0 if not tokens else 1 if players == 2 else 3
    before = draw(st.lists(st.integers(0, most), min_size=players, max_size=players))
    return play(rules.deal(Rng(draw(seeds)), before), draw(choices))
