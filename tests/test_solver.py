"""The solver of endings: against value iteration in plain Python, and against endings worked out by hand."""

import math
from collections import Counter

import pytest

from cython_core.dnup import DnupRules, DnupState
from cython_core.kuhn import KuhnRules
from cython_core.prover import Prover
from cython_core.python_state import PythonRules, PythonState
from cython_core.rng import Rng
from cython_core.solver import Solver
from dnup_ai.notation import parse_position
from lines import rules_of, small_rules
from searching import run, tiny
from test_search_solved import ENDINGS, whole

ENDLESS = math.inf


def live_cards(state: DnupState) -> int:
    position = state.position()
    return sum(len(hand.cards) for hand in position.hands) + sum(map(len, position.table))


def endings(rules: DnupRules, cards: tuple[int, int], count: int, seed: int, epsilon: float = 0.3) -> list[DnupState]:
    """States with so many live cards, one a round, reached by greedy play with some random moves."""
    found: list[DnupState] = []
    deal = 0
    while len(found) < count:
        state, rng = rules.deal(Rng(seed, deal)), Rng(seed, deal, 1)
        wanted = cards[0] + rng.below(cards[1] - cards[0] + 1)
        deal += 1
        for _ in range(200):
            if state.is_over or live_cards(state) <= wanted:
                break
            state.apply(state.greedy_move(rng, epsilon))
        for _ in range(rng.below(3)):
            if not state.is_over:
                state.apply(rng.choice(state.legal_moves()))
        if not state.is_over and cards[0] <= live_cards(state) <= cards[1]:
            found.append(state)
    return found


class Graph:
    """Every state that can be reached, in plain Python, by the key of the rule on repetition."""

    def __init__(self, start: DnupState, limit: int = 10**9) -> None:
        self.turn: dict[bytes, int | None] = {}
        self.after: dict[bytes, list[bytes]] = {}
        self.rewards: dict[bytes, tuple[float, ...]] = {}
        todo = [start.copy()]
        self.root = start.repetition_key()
        self.turn[self.root] = start.turn
        while todo and len(self.turn) < limit:
            state = todo.pop()
            key = state.repetition_key()
            self.rewards[key] = state.rewards()
            self.after[key] = []
            for move in state.legal_moves():
                undo = state.apply(move)
                next_key = state.repetition_key()
                self.after[key].append(next_key)
                if next_key not in self.turn:
                    self.turn[next_key] = state.turn
                    todo.append(state.copy())
                state.undo(undo)
        self.whole = not todo


def values_of_two(graph: Graph) -> tuple[dict[bytes, float], dict[bytes, float]]:
    """Value iteration: seat 0's reward with so many turns to go, until nothing changes; and the first turn it was so.

    With t turns to go, what is not decided counts as a draw: a state has its value for good from the number of turns
    on in which it can be forced.
    """
    value = dict.fromkeys(graph.turn, 0.5)
    since = {key: 0.0 if graph.turn[key] is None else ENDLESS for key in graph.turn}
    value |= {key: graph.rewards[key][0] for key, turn in graph.turn.items() if turn is None}
    turns = 0
    changed = True
    while changed:
        turns += 1
        fresh = {}
        for key, turn in graph.turn.items():
            if turn is not None and value[key] == 0.5:
                best = (max if turn == 0 else min)(value[after] for after in graph.after[key])
                if best != 0.5:
                    fresh[key] = best
        value |= fresh
        since |= dict.fromkeys(fresh, float(turns))
        changed = bool(fresh)
    return value, since


def compare(state: DnupState, solver: Solver, graph: Graph) -> str:
    """Value, distance and outcome of every move, and of the state."""
    value, since = values_of_two(graph)
    found = solver.solve(state)
    assert found.exact
    assert [move.move for move in found.moves] == state.legal_moves()
    for solved in found.moves:
        undo = state.apply(solved.move)
        key = state.repetition_key()
        state.undo(undo)
        mine = value[key] if state.turn == 0 else 1 - value[key]
        assert solved.exact
        assert solved.value == solved.values[state.turn] == mine, f"{solved} in {state}"
        assert sum(solved.values) == 1
        assert solved.outcome == {1.0: "win", 0.5: "draw", 0.0: "loss"}[mine]
        assert (solved.distance or ENDLESS) == since[key] + 1, f"{solved} in {state}"
    top = max(move.value for move in found.moves)
    best = [move for move in found.moves if move.value == top]
    turns = [move.distance or ENDLESS for move in best]
    wanted = min(turns) if top == 1 else max(turns)
    assert list(found.best) == [move.move for move, at in zip(best, turns, strict=True) if at == wanted]
    assert found.values == next(move.values for move in found.moves if move.move == found.best[0])
    key = state.repetition_key()
    assert (found.values[0], found.distance or ENDLESS) == (value[key], since[key])
    return found.outcome


def check_endings(rules: DnupRules, cards: tuple[int, int], count: int, seed: int, limit: int) -> dict[str, int]:
    solver = Solver()
    outcomes = {"win": 0, "draw": 0, "loss": 0}
    skipped = 0
    for state in endings(rules, cards, count, seed):
        graph = Graph(state, limit)
        if graph.whole:
            outcomes[compare(state, solver, graph)] += 1
        else:
            skipped += 1
    return outcomes | {"skipped": skipped}


@pytest.mark.parametrize(("cards", "count"), [((2, 3), 80), ((4, 4), 20)])
def test_every_move_of_small_endings_is_what_value_iteration_says(cards, count):
    outcomes = check_endings(rules_of("standard", 2), cards, count, 1, 10**9)
    assert outcomes["skipped"] == 0
    assert min(outcomes["win"], outcomes["loss"]) > count / 10


@pytest.mark.slow
def test_a_thousand_endings_are_what_value_iteration_says():
    """Of 2 to 4 live cards, on both decks, frozen sets included; and some of 5, of about 57,000 states each."""
    total = {"win": 0, "draw": 0, "loss": 0, "skipped": 0}
    parts = [("standard", (2, 4), 600, 10**9, {}), ("pairs-36", (2, 4), 420, 10**9, {})]
    parts.append(("standard", (5, 5), 12, 10**9, {"out_sets": "frozen"}))
    for deck, cards, count, limit, options in parts:
        for outcome, number in check_endings(rules_of(deck, 2, **options), cards, count, 2, limit).items():
            total[outcome] += number
    assert total["skipped"] == 0
    assert sum(total.values()) >= 1000
    assert min(total["win"], total["loss"]) > 100
    assert total["draw"] > 0


@pytest.mark.slow
def test_endings_of_six_and_seven_cards_agree_with_what_follows_them():
    """Too large for value iteration in Python: each move is worth what the state after it is, solved on its own."""
    outcomes = Counter()
    for state in endings(rules_of("standard", 2), (6, 7), 25, 4):
        solver = Solver(2_000_000)
        found = solver.solve(state)
        outcomes[found.outcome if found.exact else "open"] += 1
        for move in found.moves:
            after = state.copy()
            after.apply(move.move)
            if after.is_over:
                assert move.values == after.rewards()
                continue
            alone = Solver(2_000_000).solve(after)
            if move.exact and alone.exact:
                assert (move.values, move.distance or 0) == (alone.values, alone.distance + 1 if alone.distance else 0)
        if found.exact:
            assert found.values[state.turn] == max(move.values[state.turn] for move in found.moves)
    assert min(outcomes["win"], outcomes["loss"]) > 3
    assert outcomes["open"] < 3


def test_rounds_of_the_smallest_deck_are_solved_whole():
    """Four cards, two each, from the deal on: up to some thousand states, draws among them."""
    outcomes = set()
    for seed in range(8):
        state = small_rules(2, 4).deal(Rng(seed))
        graph = Graph(state)
        outcomes.add(compare(state, Solver(), graph))
    assert len(outcomes) > 1


# Worked out by hand from the rules. Text, outcome, distance, best moves.
BY_HAND = [
    # One card that beats the single 4: out at once. To flip it makes a 1, to take the 4 fills the hand.
    ("turn=0.1 hands=5/1+;3/2 table=-;-;4/1,;- gone=1/2,1/3,2/4", "win", 1, "play:5/1"),
    # Adding the 4 empties the hand as well; a set of two beats nothing and meets nothing.
    ("turn=0.1 hands=4/2;5/1+ table=-;-;4/1;- gone=1/2,1/3,2/3", "win", 1, "add:4/2@1.1"),
    # 2/1 is lower than the single 5, and flipped it is lower still. Whatever seat 0 does in its last turn, seat 1
    # plays the 3 in zone 1 or 2: its own 5 is discarded before it plays there.
    ("turn=0.2 hands=2/1;3/2 table=-;-;5/1;- gone=1/3,1/4,2/4", "loss", None, None),
]


@pytest.mark.parametrize(("text", "outcome", "distance", "best"), BY_HAND)
def test_endings_worked_out_by_hand(text, outcome, distance, best):
    state = tiny(f"dnup:2 deck=small {text.replace(',;', ';')} out=- tokens=0,0")
    found = Solver().solve(state)
    assert found.exact
    assert found.outcome == outcome
    if distance is not None:
        assert found.distance == distance
        assert " ".join(map(str, found.best)) == best


@pytest.mark.parametrize(
    ("moves", "turn", "hands", "table"),
    [
        # To flip loses by force, to take the 8 back into play for ever does not; value iteration agrees on both.
        ("flip loss 4, take@1.2 draw None", "0.1", "1/3+;3/4+", "-;-;-;4/8"),
        ("flip draw None", "0.2", "1/3+;3/4+", "8/4;-;-;-"),
    ],
)
def test_draws_of_three_cards(moves, turn, hands, table):
    rules = rules_of("standard", 2)
    gone = ",".join(f"{low}/{high}" for low, high in rules.cards if (low, high) not in {(1, 3), (3, 4), (4, 8)})
    state = parse_position(f"dnup:2 turn={turn} hands={hands} table={table} gone={gone} out=- tokens=0,0")
    found = Solver().solve(state)
    assert ", ".join(f"{move.move} {move.outcome} {move.distance}" for move in found.moves) == moves
    assert compare(state, Solver(), Graph(state)) == "draw"


@pytest.mark.parametrize("text", [text for text in ENDINGS if text.startswith("dnup:2")])
def test_search_and_solver_name_the_same_outcome(text):
    state = whole(text)
    found = Solver().solve(state)
    result = run(state, 1, 20_000, rollout="random")
    assert {move.move: move for move in found.moves}[result.best].value == found.values[state.turn]


# --- more players


def max_n(graph: Graph) -> dict[bytes, tuple[tuple[float, ...], int] | None]:
    """Reward by seat and turns until it is certain, of what can be: literal, a turn at a time.

    A state is certain once its successors are, or one of those that are gives the mover the most that any end which
    can be reached does, or an endless round. Then the best for the mover; the soonest if it is that most, or more than
    an endless round gives, else the latest; then the first.
    """
    most = bounds(graph)
    known = {key: (graph.rewards[key], 0) for key, turn in graph.turn.items() if turn is None}
    turns = 0
    while True:
        turns += 1
        fresh = {}
        for key, turn in graph.turn.items():
            if turn is None or key in known:
                continue
            sure = [known[after] for after in graph.after[key] if after in known]
            reached = any(values[turn] >= most[key][turn] for values, _ in sure)
            if len(sure) == len(graph.after[key]) or reached:
                top = max(values[turn] for values, _ in sure)
                best = [found for found in sure if found[0][turn] == top]
                soon = reached or top > graph.rewards[key][turn]
                wanted = (min if soon else max)(at for _, at in best)
                fresh[key] = (next(values for values, at in best if at == wanted), turns)
        if not fresh:
            return {key: known.get(key) for key in graph.turn}
        known |= fresh


def taken_at_once(graph: Graph, key: bytes) -> list[bytes]:
    """What may follow: but at the root, a mover who can end the round with all there is does so."""
    turn = graph.turn[key]
    if turn is None or key == graph.root:
        return graph.after[key]
    ends = [after for after in graph.after[key] if graph.turn[after] is None and graph.rewards[after][turn] == 1]
    return ends[:1] or graph.after[key]


def bounds(graph: Graph) -> dict[bytes, tuple[float, ...]]:
    most = dict(graph.rewards)
    after = {key: taken_at_once(graph, key) for key in graph.turn}
    changed = True
    while changed:
        changed = False
        for key, turn in graph.turn.items():
            if turn is not None:
                rows = [most[key], *(most[later] for later in after[key])]
                better = tuple(max(column) for column in zip(*rows, strict=True))
                changed = changed or better != most[key]
                most[key] = better
    return most


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_get_what_literal_max_n_gives(players):
    solver = Solver()
    exact = 0
    for state in endings(rules_of("standard", players), (players - 1, players), 25, 3):
        graph = Graph(state, 9000)
        if not graph.whole:
            continue
        known = max_n(graph)
        found = solver.solve(state)
        for solved in found.moves:
            undo = state.apply(solved.move)
            proof = known[state.repetition_key()]
            state.undo(undo)
            if proof is not None:
                assert solved.exact
                assert solved.values == pytest.approx(proof[0])
                assert solved.distance == proof[1] + 1
        proof = known[state.repetition_key()]
        if proof is not None:
            exact += 1
            assert found.exact
            assert found.values == pytest.approx(proof[0])
    assert exact >= 5


def test_with_one_player_out_the_rest_is_a_game_for_two():
    """Three players, one out: who of the others gets the second prize, with the values of `solving.solve`."""
    from solving import move_values

    for text in ENDINGS:
        if text.startswith("dnup:3"):
            state = whole(text)
            values = move_values(state)
            for move in Solver(1 << 21).solve(state).moves:
                assert move.exact
                assert move.value == values[move.move] / 2
                assert move.values[state.out[0]] == 1.0


class PlainRules(PythonRules):
    """A game that is a list of places: (seat to move, places that follow) or (None, points by seat)."""

    def __init__(self, players: int, places: tuple[tuple[int | None, tuple[float, ...]], ...]) -> None:
        super().__init__("plain", players, max_moves=8, points=(0, 4))
        self.places = places

    def options(self) -> dict[str, object]:
        return {"places": self.places}


class PlainState(PythonState):
    data: int

    def place(self):
        return self.rules.places[self.data]

    def get_turn(self):
        return self.place()[0]

    def legal_codes(self):
        return [] if self.place()[0] is None else list(range(1, len(self.place()[1]) + 1))

    def play(self, code):
        return self.place()[1][code - 1]

    def hide(self, seat):
        return self.data

    def deal_hidden(self, rng):
        return self.data

    def get_points(self):
        # An undecided round gives 2 to everybody.
        return self.place()[1] if self.place()[0] is None else (2,) * self.rules.players


def plain_game(players: int, seed: int, ends: tuple[tuple[int, ...], ...], size: int = 30) -> PlainState:
    """A random graph with cycles; place 0 is the root."""
    rng = Rng(3, seed)
    places: list[tuple[int | None, tuple[int, ...]]] = []
    for number in range(size):
        if number and rng.below(6) == 0:
            places.append((None, rng.choice(ends)))
        else:
            places.append((rng.below(players), tuple(rng.below(size) for _ in range(1 + rng.below(3)))))
    return PlainState(PlainRules(players, tuple(places)), 0)


def test_random_games_for_two_with_one_prize_are_what_value_iteration_says():
    """200 graphs, many with draws: by ends of two kinds, and where there are draws by agreement too."""
    solver = Solver(1000)
    outcomes = set()
    for seed in range(200):
        ends = ((4, 0), (0, 4)) if seed % 2 else ((4, 0), (0, 4), (2, 2))
        state = plain_game(2, seed, ends)
        value, _ = values_of_two(Graph(state))
        found = solver.solve(state)
        assert found.exact
        for solved in found.moves:
            after = state.copy()
            after.apply(solved.move)
            assert solved.values[0] == value[after.repetition_key()], (seed, solved)
        outcomes.add(found.outcome)
    assert outcomes == {"win", "draw", "loss"}


def test_prizes_of_several_sizes_are_exact_only_where_no_cycle_matters():
    """Ends worth 3 and 4: what is marked exact is what value iteration over all sizes says."""
    exact = 0
    for seed in range(200):
        state = plain_game(2, seed, ((4, 0), (3, 1), (1, 3), (0, 4)))
        graph = Graph(state)
        value = sized_values(graph)
        found = Solver(1000).solve(state)
        if found.exact:
            exact += 1
            assert found.values[0] == value[state.repetition_key()], seed
    assert exact > 40


def sized_values(graph: Graph) -> dict[bytes, float]:
    """Seat 0's rewards, endless play a draw: what can be forced, the best for each seat before the next best."""
    value: dict[bytes, float] = {}
    ends = {key: graph.rewards[key][0] for key, turn in graph.turn.items() if turn is None}
    levels = sorted({end for end in ends.values() if end > 0.5}, reverse=True)
    levels += sorted({end for end in ends.values() if end < 0.5})
    for level in levels:
        seat = 0 if level > 0.5 else 1
        value |= {key: end for key, end in ends.items() if end == level}
        changed = True
        while changed:
            changed = False
            for key, turn in graph.turn.items():
                if turn is None or key in value:
                    continue
                # As good as this or better for the seat.
                good = [after in value and (value[after] > 0.5) == (seat == 0) for after in graph.after[key]]
                if any(good) if turn == seat else all(good):
                    value[key] = level
                    changed = True
    return {key: value.get(key, 0.5) for key in graph.turn}


PRIZES = ((4, 2, 0), (4, 0, 2), (0, 4, 2), (2, 4, 0), (0, 2, 4), (2, 0, 4))


@pytest.mark.parametrize("depth", [0, 1, 7])
def test_random_games_for_three_are_literal_max_n_and_the_rest_is_looked_at_to_a_depth(depth):
    """Certain values of every move; where cycles leave something open, max^n with so many turns to go, marked so."""
    certain = open_roots = 0
    for seed in range(150):
        state = plain_game(3, seed, PRIZES)
        graph = Graph(state)
        known = max_n(graph)
        values = {key: proof[0] if proof else graph.rewards[key] for key, proof in known.items()}
        for _ in range(depth):
            fresh = {}
            for key, proof in known.items():
                if proof is None:
                    turn = graph.turn[key]
                    top = max(values[after][turn] for after in graph.after[key])
                    best = [after for after in graph.after[key] if values[after][turn] == top]
                    fresh[key] = values[next((after for after in best if known[after]), best[0])]
            values |= fresh
        found = Solver(1000).solve(state, depth)
        # Where only two seats are left to move, a draw may be certain: that is beyond the literal version.
        drawn = any(move.exact and move.distance is None for move in found.moves)
        for solved in found.moves:
            after = state.copy()
            after.apply(solved.move)
            key = after.repetition_key()
            if known[key] is not None:
                assert (solved.exact, solved.values) == (True, known[key][0]), seed
                certain += 1
            elif not solved.exact and not drawn and not_drawn(graph):
                assert solved.values == values[key], seed
                open_roots += 1
    assert certain > 50
    assert open_roots > 10


def not_drawn(graph: Graph) -> bool:
    """Whether from no place only two of the seats or fewer ever move again."""
    movers = {key: set() if turn is None else {turn} for key, turn in graph.turn.items()}
    changed = True
    while changed:
        changed = False
        for key in graph.turn:
            wider = movers[key].union(*(movers[after] for after in graph.after[key]))
            changed = changed or wider != movers[key]
            movers[key] = wider
    return all(len(seats) in (0, 3) or graph.turn[key] is None for key, seats in movers.items())


# --- the face


def test_another_game_is_solved_by_the_same_code():
    """Kuhn poker with open cards, pots of two sizes: the king bets and wins one chip, since the jack gives up."""
    deals = 0
    for seed in range(12):
        state = KuhnRules().deal(Rng(seed))
        found = Solver().solve(state)
        high = 0 if state.hands.index(max(state.hands, key="JQK".find)) == 0 else 1
        deals += 1
        assert found.exact
        assert found.values[high] == 0.75
        assert found.values[1 - high] == 0.25
    assert deals == 12


def test_too_many_states_are_no_solution():
    state = rules_of("standard", 2).deal(Rng(1))
    found = Solver(100).solve(state)
    assert not found.exact
    assert found.values == (0.5, 0.5)
    three = Solver(100).solve(rules_of("standard", 3).deal(Rng(1)))
    assert (three.exact, three.moves, three.best, three.outcome) == (False, (), (), None)


def test_a_round_that_is_over_is_worth_what_it_gave():
    state = tiny("dnup:2 deck=small turn=0.1 hands=5/1+;3/2 table=-;-;4/1;- gone=1/2,1/3,2/4 out=- tokens=0,0")
    state.apply(state.rules.move("play", [(5, 1)]))
    found = Solver().solve(state)
    assert (found.values, found.exact, found.moves) == ((1.0, 0.0), True, ())


def test_solving_leaves_the_state_as_it_is_and_is_repeated():
    state = endings(rules_of("standard", 2), (4, 5), 1, 9)[0]
    before = state.to_bytes()
    solver = Solver()
    first = solver.solve(state)
    assert state.to_bytes() == before
    assert solver.solve(state) == first == Solver().solve(state)


def test_to_stop_at_a_win_finds_the_same_value_and_the_same_best_moves():
    stopped = 0
    solver = Solver()
    for state in endings(rules_of("standard", 2), (4, 6), 60, 11):
        every, first = solver.solve(state), solver.solve(state, every_move=False)
        if every.exact:
            assert (first.exact, first.outcome, first.distance) == (True, every.outcome, every.distance)
            assert (first.values, first.best) == (every.values, every.best)
            stopped += any(not move.exact for move in first.moves)
    assert stopped > 3


def test_errors_say_what_was_expected():
    state = rules_of("standard", 2).deal(Rng(1))
    with pytest.raises(ValueError, match="from a true state, not from a view"):
        Solver().solve(state.observe(0))
    with pytest.raises(ValueError, match="node_limit: expected 1 to"):
        Solver(0)
    with pytest.raises(ValueError, match="depth: expected 0 or more, got -1"):
        Solver().solve(state, -1)
    with pytest.raises(ValueError, match="reset the prover"):
        Prover(state).winner(state)


@pytest.mark.parametrize("players", [3, 4])
def test_the_graph_has_a_node_for_each_state_that_the_rule_on_repetition_tells_apart(players):
    """As many nodes as the plain graph has keys: with nobody out, no first prize ends a round, so none is left out."""
    compared = 0
    for state in endings(rules_of("standard", players), (players, players + 1), 12, 7):
        graph = Graph(state, 20_000)
        if graph.whole:
            assert Solver(1 << 20).solve(state).nodes == len(graph.turn)
            compared += 1
    assert compared >= 3
