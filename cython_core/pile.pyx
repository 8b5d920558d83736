"""dnup-pile as Python sees it: rules with options, moves, states (docs/rules-pile.md)."""

import re

from libc.stdint cimport int8_t, uint64_t
from libc.string cimport memset

from cython_core.bits cimport lowest, popcount
from cython_core.game cimport Move, Policy, Rules, State, Undo, move_t, undo_t
from cython_core.pile_data cimport (
    LAY, PILE_CARDS, PILE_FIRST, PILE_SEATS, PILE_SECOND, PILE_VALUES, REVOLVE, SKIP, PileData, PileTables, PileUndo,
    pile_alike, pile_card, pile_hash, pile_kind, pile_lie, pile_make, pile_number, pile_shown,
)
from cython_core.pile_greedy cimport PILE_MOVES, pile_greedy_move, pile_priors
from cython_core.pile_rewards cimport pile_evaluate, pile_rewards, pile_row
from cython_core.pile_rules cimport (
    pile_apply, pile_cards_of, pile_fewest, pile_legal_moves, pile_payoffs, pile_shuffle, pile_still_in, pile_undo,
    pile_wins_match,
)
from cython_core.pile_view cimport pile_determinise, pile_is_legal, pile_observe, pile_unnamed
from cython_core.rng cimport Rng, rng_below, rng_bits, rng_t

from cython_core.pile_equity import leaders, match_winner, reward_table
from cython_core.pile_position import PileHand, PilePosition

_KINDS = {"skip": SKIP, "revolve": REVOLVE, "play": LAY}
_KIND_NAMES = {number: name for name, number in _KINDS.items()}
OPTIONS = {
    "piles": 1, "match": "either", "revolves": 1, "reshuffle": "never", "one_point": "feeder", "blocked": "fewest",
    "repetition": 3, "max_turns": 1000, "max_rounds": 100,
}
_CHOICES = {
    "match": ("either", "active"),
    "reshuffle": ("never", "always"),
    "one_point": ("feeder", "second_out"),
    "blocked": ("fewest", "void"),
}
_MOST_POINTS = 99


cdef class PileMove(Move):
    @property
    def kind(self):
        return _KIND_NAMES[pile_kind(self.code)]

    @property
    def card(self):
        if pile_kind(self.code) != LAY:
            return None
        low, high = (<PileRules>self.rules).cards[pile_card(self.code)]
        return (high, low) if pile_lie(self.code) else (low, high)

    @property
    def visible(self):
        if pile_kind(self.code) != LAY:
            return None
        return (<PileRules>self.rules).cards[pile_card(self.code)][pile_shown(self.code)]

    @property
    def pile(self):
        return pile_number(self.code) if pile_kind(self.code) == LAY else None

    def __str__(self):
        if pile_kind(self.code) != LAY:
            return self.kind
        text = f"play:{self.card[0]}/{self.card[1]}>{self.visible}"
        return f"{text}@{self.pile}" if (<PileRules>self.rules).piles == 2 else text


cdef class PileRules(Rules):
    def __init__(
        self, players, cards, *, str deck="standard", piles=1, match="either", revolves=1, reshuffle="never",
        one_point="feeder", blocked="fewest", repetition=3, max_turns=1000, max_rounds=100,
    ):
        for name, number in (
            ("players", players), ("piles", piles), ("revolves", revolves), ("repetition", repetition),
            ("max_turns", max_turns), ("max_rounds", max_rounds),
        ):
            if type(number) is not int or number >= 2**31:
                raise ValueError(f"{name}: expected an integer up to 2147483647, got {number!r}")
        if not 2 <= players <= PILE_SEATS:
            raise ValueError(f"players: expected 2 to 5, got {players}")
        chosen = {"match": match, "reshuffle": reshuffle, "one_point": one_point, "blocked": blocked}
        for name, value in chosen.items():
            if value not in _CHOICES[name]:
                raise ValueError(f"{name}: expected {' or '.join(map(repr, _CHOICES[name]))}, got {value!r}")
        if not 1 <= piles <= 2:
            raise ValueError(f"piles: expected 1 or 2, got {piles}")
        if not 0 <= revolves <= 100:
            raise ValueError(f"revolves: expected 0 to 100, got {revolves}")
        if repetition < 0 or repetition == 1:
            raise ValueError(f"repetition: expected 0 (off) or 2 and more, got {repetition}")
        if max_turns < 1:
            raise ValueError(f"max_turns: expected 1 or more, got {max_turns}")
        if max_rounds < 1:
            raise ValueError(f"max_rounds: expected 1 or more, got {max_rounds}")
        self.game = "dnup-pile"
        self.deck = deck
        self.players = players
        self.piles = piles
        self.match = match
        self.revolves = revolves
        self.reshuffle = reshuffle
        self.one_point = one_point
        self.blocked = blocked
        self.repetition = repetition
        self.max_turns = max_turns
        self.max_rounds = max_rounds
        self.cards = tuple(sorted([(min(card), max(card)) for card in cards]))
        self._fill_options()
        self._check_cards()
        self._index = {card: i for i, card in enumerate(self.cards)}
        self._fill_cards()
        # Each card on each pile, either end visible; and a revolve.
        self.max_moves = 1 + 4 * self.tables.start

    def _fill_options(self):
        cdef PileTables* t = &self.tables
        memset(t, 0, sizeof(PileTables))
        t.players = self.players
        t.piles = self.piles
        t.start = 6 if self.players <= 3 else 5
        t.revolves = self.revolves
        t.active = self.match == "active"
        t.reshuffle = self.reshuffle == "always"
        t.second_out = self.one_point == "second_out"
        t.blocked_void = self.blocked == "void"

    def _check_cards(self):
        needed = self.players * self.tables.start + self.piles
        if not needed <= len(self.cards) <= PILE_CARDS:
            raise ValueError(
                f"cards: expected {needed} to {PILE_CARDS} cards for {self.players} players, got {len(self.cards)}"
            )
        if len(set(self.cards)) < len(self.cards):
            raise ValueError("cards: two cards have the same pair of values")
        for low, high in self.cards:
            if not 1 <= low < high < PILE_VALUES:
                raise ValueError(f"cards: expected two different values from 1 to {PILE_VALUES - 1}, got {low}/{high}")

    def _fill_cards(self):
        cdef PileTables* t = &self.tables
        cdef int card, side, value, visible
        t.top = max([high for _, high in self.cards])
        for card, pair in enumerate(self.cards):
            t.cards |= <uint64_t>1 << card
            for side in range(2):
                value = pair[side]
                t.value[side][card] = value
                for visible in range(value - 1, min(value + 2, PILE_VALUES)):
                    t.near[side][visible] |= <uint64_t>1 << card

    cdef Move wrap(self, move_t move):
        cdef PileMove wrapped = PileMove.__new__(PileMove)
        wrapped.rules = self
        wrapped.code = move
        return wrapped

    def options(self):
        return {name: getattr(self, name) for name, default in OPTIONS.items() if getattr(self, name) != default}

    def match_winner(self, rounds):
        emptied = [0] * self.players
        twos = [0] * self.players
        for result, end in rounds:
            for seat, points in enumerate(result):
                twos[seat] += points == PILE_FIRST
                if self.one_point == "second_out":
                    emptied[seat] += points > 0
                else:
                    emptied[seat] += points == PILE_FIRST and end == "out"
        scores = [result for result, _ in rounds]
        return match_winner(tuple(map(sum, zip(*scores, strict=True))), emptied, twos) if scores else None

    def deal(self, Rng rng not None, tokens=None):
        cdef PileState state = PileState.__new__(PileState)
        cdef PileTables* t = &self.tables
        cdef PileData* s = &state.data
        cdef int seat, pile, _i
        _bind(state, self)
        _clear(s)
        _set_points(s, self, (0,) * self.players if tokens is None else tuple(tokens))
        pile_shuffle(s, t.cards, &rng.stream)
        for seat in range(t.players):
            for _i in range(t.start):
                s.hand[seat] |= <uint64_t>1 << _next_card(s)
        for pile in range(t.piles):
            s.card[pile] = _next_card(s)
        if t.reshuffle:
            s.draws = rng_bits(&rng.stream)
        s.turn = 0
        return state

    def move(self, kind, card=None, visible=None, pile=None):
        cdef int number = _KINDS.get(kind, 0)
        if not number:
            raise ValueError(f"expected a move of kind {', '.join(_KINDS)}, got {kind!r}")
        if number != LAY:
            if (card, visible, pile) != (None, None, None):
                raise ValueError(f"{kind}: takes no card, visible value or pile")
            return self.wrap(pile_make(number, 0, 0, 0, 0))
        if card is None or visible is None:
            raise ValueError(f"{kind}: a card and the value that is visible then are missing")
        active, inactive = card
        index = self._index.get((min(card), max(card)))
        if index is None:
            raise ValueError(f"{active}/{inactive} is not a card in play")
        if visible not in card:
            raise ValueError(f"{kind}: {visible} is not on the card {active}/{inactive}")
        if pile is None and self.piles == 1:
            pile = 0
        if pile not in range(self.piles):
            raise ValueError(f"{kind}: expected pile 0..{self.piles - 1}, got {pile!r}")
        return self.wrap(pile_make(LAY, index, pile, active > inactive, visible == max(card)))

    def _lie(self, uint64_t cards, uint64_t up):
        """The cards as they lie: the value that is up first."""
        cdef int card
        lying = []
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            lying.append(self._card(card, up))
        return lying

    def _card(self, int card, uint64_t up):
        low, high = self.cards[card]
        return (high, low) if (up >> card) & 1 else (low, high)

    def _key(self):
        return (self.players, self.cards, self.deck, *[getattr(self, name) for name in OPTIONS])

    def __eq__(self, other):
        if self is other:
            return True
        return self._key() == (<PileRules>other)._key() if isinstance(other, PileRules) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        options = "".join([f" {name}={value}" for name, value in self.options().items()])
        return f"<dnup-pile rules players={self.players} deck={self.deck}{options}>"

    def __reduce__(self):
        return _unpickle_rules, (self.players, self.cards, self.deck, self.options())


def _unpickle_rules(players, cards, deck, options):
    return PileRules(players, cards, deck=deck, **options)


cdef void _bind(PileState state, PileRules rules):
    state.rules = rules
    state.tables = &rules.tables


cdef void _clear(PileData* s):
    memset(s, 0, sizeof(PileData))
    s.view = -1
    s.turn = -1
    s.first = -1
    s.second = -1
    s.laid[0] = -1
    s.laid[1] = -1


cdef int _next_card(PileData* s) noexcept:
    """Takes the next card of a stock that is not empty."""
    s.n_stock -= 1
    card = s.stock[s.n_stock]
    s.stock[s.n_stock] = 0
    return card


cdef int _set_points(PileData* s, PileRules rules, tuple points) except -1:
    if len(points) != rules.players:
        raise ValueError(f"points: expected {rules.players} numbers, got {len(points)}")
    for seat, number in enumerate(points):
        if not 0 <= number <= _MOST_POINTS:
            raise ValueError(f"points: expected 0 to {_MOST_POINTS}, got {number}")
        s.points[<int>seat] = number
    ahead = leaders(points)
    if len(ahead) == 1:
        raise ValueError(f"points: seat {ahead[0]} leads with {max(points)}: the match is over")
    return 0


cdef class PileState(State):
    def __init__(self, PileRules rules not None, position):
        _bind(self, rules)
        _clear(&self.data)
        self._read(position)
        self.check()
        if rules.tables.reshuffle and self.data.view < 0:
            # No text shows the generator of reshuffles to come, so it issues from the position.
            self.data.draws = pile_hash(&self.data)

    cdef State blank(self):
        cdef PileState state = PileState.__new__(PileState)
        state.rules = self.rules
        state.tables = self.tables
        return state

    cdef State perft_root(self):
        # The end of a match by points is ignored.
        cdef PileState root = self.copy()
        memset(root.data.points, 0, sizeof(root.data.points))
        return root

    # --- the contract of game.pxd, one line each

    cdef void c_copy_from(self, State other) noexcept nogil:
        self.data = (<PileState>other).data

    cdef int c_turn(self) noexcept nogil:
        return self.data.turn

    cdef int c_view(self) noexcept nogil:
        return self.data.view

    cdef int c_legal_moves(self, move_t* moves) noexcept nogil:
        return pile_legal_moves(self.tables, &self.data, moves)

    cdef bint c_is_legal(self, move_t move) noexcept nogil:
        return pile_is_legal(self.tables, &self.data, move)

    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil:
        pile_apply(self.tables, &self.data, move, <PileUndo*>undo)

    cdef void c_undo(self, const undo_t* undo) noexcept nogil:
        pile_undo(&self.data, <const PileUndo*>undo)

    cdef void c_payoffs(self, double* payoffs) noexcept nogil:
        pile_payoffs(self.tables, &self.data, payoffs)

    cdef void c_ranks(self, int8_t* ranks) noexcept nogil:
        memset(ranks, 0, self.tables.players)
        if self.data.first >= 0:
            ranks[self.data.first] = 1
        if self.data.second >= 0:
            ranks[self.data.second] = 2

    cdef void c_observe(self, int seat, State view) noexcept nogil:
        pile_observe(self.tables, &self.data, seat, &(<PileState>view).data)

    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil:
        pile_determinise(self.tables, &self.data, rng, &(<PileState>world).data)

    cdef void c_reveal(self, State truth) noexcept nogil:
        cdef PileData* s = &self.data
        cdef const PileData* other = &(<PileState>truth).data
        cdef uint64_t drawn = other.hand[s.view] & ~s.hand[s.view]
        s.hand[s.view] |= drawn
        s.hidden[s.view] = 0
        s.up |= other.up & drawn

    cdef int fill_rewards(self, str kind, double* table) except -1:
        cdef int first, second, seat
        if kind not in ("tokens", "match", "first", "second"):
            raise ValueError(f"reward: expected 'tokens' or 'match', got {kind!r}")
        for (first, second), row in reward_table(kind, self.points, bool(self.tables.second_out)):
            for seat in range(self.tables.players):
                pile_row(table, first, second)[seat] = row[seat]
        return 0

    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil:
        pile_rewards(self.tables, &self.data, table, rewards)

    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil:
        pile_evaluate(self.tables, &self.data, table, rewards)

    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil:
        if merge:
            return pile_alike(self.tables, move)
        # Where either end fits, nobody has to see which way up the card was held.
        if self.tables.active or pile_kind(move) != LAY:
            return move
        return pile_make(LAY, pile_card(move), pile_number(move), 0, pile_shown(move))

    cdef int c_move_group(self, move_t move) noexcept nogil:
        return pile_alike(self.tables, move) & 63 if pile_kind(move) == LAY else 0

    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil:
        pile_priors(self.tables, &self.data, moves, n, priors)

    cdef uint64_t c_hash(self) noexcept nogil:
        return pile_hash(&self.data)

    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil:
        return pile_greedy_move(self.tables, &self.data, rng, epsilon)

    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil:
        cdef PileData s = self.data
        cdef move_t moves[PILE_MOVES]
        cdef move_t move
        cdef int turns = 0
        while s.turn >= 0 and turns < max_turns:
            if policy == Policy.GREEDY:
                move = pile_greedy_move(self.tables, &s, rng, epsilon)
            else:
                move = moves[rng_below(rng, pile_legal_moves(self.tables, &s, moves))]
            pile_apply(self.tables, &s, move, NULL)
            turns += 1
        self.data = s
        return turns

    # --- what is dnup-pile's own

    @property
    def points(self):
        return tuple([self.data.points[seat] for seat in range(self.rules.players)])

    @property
    def out(self):
        empty = [seat for seat in range(self.rules.players) if pile_cards_of(&self.data, seat) == 0]
        return tuple(sorted(empty, key=lambda seat: seat != self.data.first))

    @property
    def end(self):
        if self.data.turn >= 0:
            return None
        return "blocked" if self.data.skips else "out"

    def result(self):
        given = [0] * self.rules.players
        if self.data.first >= 0:
            given[self.data.first] = PILE_FIRST
        if self.data.second >= 0:
            given[self.data.second] = PILE_SECOND
        return tuple(given)

    def repetition_key(self):
        # Hands with their ways up, piles and who laid them, the order of the stock, revolves, skips, who got points.
        cdef PileState seen
        self._require_truth("repetition_key is taken")
        seen = self.copy()
        seen.data.draws = 0
        return seen.to_bytes()

    def to_bytes(self):
        return (<char*>&self.data)[:sizeof(PileData)]

    def __eq__(self, other):
        # Reshuffles to come are no part of a position.
        if not isinstance(other, PileState):
            return NotImplemented
        cdef size_t skipped = sizeof(uint64_t)
        return self.rules == other.rules and self.to_bytes()[skipped:] == other.to_bytes()[skipped:]

    def __hash__(self):
        return hash(self.c_hash())

    # --- chance

    def reshuffled(self, Undo undo not None):
        cdef const PileUndo* done = <const PileUndo*>&undo.record
        self._require_truth("a reshuffle is read")
        if not done.shuffled:
            return None
        drawn = (<PileRules>self.rules)._lie(self.data.hand[done.turn] & ~done.hand, self.data.up)
        cards = [*drawn, *self.position().stock]
        return "stock:" + ",".join([f"{active}/{inactive}" for active, inactive in cards])

    def set_reshuffle(self, str text not None):
        cdef PileData* s = &self.data
        cdef uint64_t wanted = 0
        cdef uint64_t drawn
        cdef int seat, i
        cdef int n = s.n_stock + 1
        self._require_truth("a reshuffle is set")
        cards = self._read_stock(text)
        for card in cards:
            wanted |= <uint64_t>1 << <int>self._card_index(card)
        drawn = wanted
        for i in range(s.n_stock):
            drawn &= ~(<uint64_t>1 << s.stock[i])
        seat = self._last_to_play(drawn)
        if s.gone or not self.tables.reshuffle or seat < 0:
            raise ValueError(f"stock, column 1: expected the reshuffle of a move just played, got {text[:40]!r}")
        if len(cards) != n or popcount(wanted) != n or popcount(drawn) != 1:
            raise ValueError(f"stock, column 7: expected the {n} cards of the new stock once, the drawn one first")
        s.hand[seat] &= ~drawn
        s.up &= ~wanted
        for i, card in enumerate(cards):
            index = self._card_index(card)
            if card[0] > card[1]:
                s.up |= <uint64_t>1 << <int>index
            if i == 0:
                s.hand[seat] |= <uint64_t>1 << <int>index
            else:
                s.stock[n - 1 - i] = index

    def _last_to_play(self, uint64_t drawn):
        """The seat that laid a card last and holds one of these; -1: there is none."""
        cdef int pile, seat
        for pile in range(self.tables.piles):
            seat = self.data.laid[pile]
            if seat >= 0 and self.data.hand[seat] & drawn:
                return seat
        return -1

    def _read_stock(self, text):
        """The cards of a record entry for a reshuffle."""
        if not text.startswith("stock:"):
            raise ValueError(f"stock, column 1: expected stock: and the cards in drawing order, got {text[:40]!r}")
        cards = []
        column = len("stock:") + 1
        for part in text[column - 1:].split(","):
            found = re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)", part, re.ASCII)
            card = (int(found[1]), int(found[2])) if found else None
            if card is None or self._card_index(card) is None:
                raise ValueError(f"stock, column {column}: expected a card of the deck like 3/8, got {part[:40]!r}")
            cards.append(card)
            column += len(part) + 1
        return cards

    def _card_index(self, card):
        return (<PileRules>self.rules)._index.get((min(card), max(card)))

    def drew(self, card):
        cdef PileData* s = &self.data
        if s.view < 0 or s.hidden[s.view] == 0:
            raise ValueError(f"no card was drawn that is still to be named in {self}")
        active, inactive = card
        index = self._card_index(card)
        if index is None or not (pile_unnamed(self.tables, s) >> <int>index) & 1:
            raise ValueError(f"{active}/{inactive} cannot have been drawn in {self}")
        s.hand[s.view] |= <uint64_t>1 << <int>index
        s.hidden[s.view] -= 1
        if active > inactive:
            s.up |= <uint64_t>1 << <int>index

    def _require_own_turn(self):
        State._require_own_turn(self)
        if self.data.view >= 0 and self.data.turn >= 0 and self.data.hidden[self.data.view]:
            raise ValueError(f"seat {self.data.view} has drawn a card: name it by reveal() or drew() first")

    # --- positions

    def position(self):
        cdef PileData* s = &self.data
        cdef PileRules rules = self.rules
        cdef int i
        true = s.view < 0
        hands = [
            PileHand(tuple(sorted(rules._lie(s.hand[<int>seat], s.up))), s.hidden[<int>seat])
            for seat in range(rules.players)
        ]
        stock = [rules._card(s.stock[i], s.up) for i in range(s.n_stock - 1, -1, -1)] if true else []
        return PilePosition(
            players=rules.players,
            turn=None if s.turn < 0 else s.turn,
            hands=tuple(hands),
            piles=tuple([rules._card(s.card[<int>pile], s.up) for pile in range(rules.piles)]),
            laid=tuple([None if s.laid[<int>pile] < 0 else s.laid[<int>pile] for pile in range(rules.piles)]),
            stock=tuple(stock),
            stock_hidden=0 if true else s.n_stock,
            gone=tuple(rules._lie(s.gone, 0)),
            skips=s.skips,
            revolved=tuple([s.revolved[<int>seat] for seat in range(rules.players)]),
            points=self.points,
            given=self.result(),
            view=None if true else s.view,
            deck=rules.deck,
        )

    def __str__(self):
        return str(self.position())

    def __reduce__(self):
        return _unpickle_state, (self.rules, self.position(), self.data.draws)

    # --- reading and checking a position

    def _read(self, position):
        """Copies the position into the struct; raises ValueError for what has no place there."""
        cdef PileData* s = &self.data
        cdef PileRules rules = self.rules
        cdef int n = len(position.stock)
        for field, got, wanted in (
            ("players", position.players, rules.players),
            ("deck", position.deck, rules.deck),
            ("hands", len(position.hands), rules.players),
            ("piles", len(position.piles), rules.piles),
            ("laid", len(position.laid), rules.piles),
            ("revolved", len(position.revolved or (0,) * rules.players), rules.players),
            ("given", len(position.given or (0,) * rules.players), rules.players),
        ):
            if got != wanted:
                raise ValueError(f"{field}: expected {wanted!r}, got {got!r}")
        if position.view is not None:
            self._require_seat(position.view)
            s.view = position.view
        if position.turn is not None:
            self._require_seat(position.turn)
            s.turn = position.turn
        _set_points(s, rules, tuple(position.points or (0,) * rules.players))
        self._read_given(position.given)
        self._read_counts(position)
        seen = set()
        for seat, hand in enumerate(position.hands):
            for active, inactive in hand.cards:
                s.hand[<int>seat] |= self._bit("hands", active, inactive, seen)
        for pile, (shown, other) in enumerate(position.piles):
            s.card[<int>pile] = lowest(self._bit("piles", shown, other, seen))
        for i, (active, inactive) in enumerate(position.stock):
            s.stock[n - 1 - <int>i] = lowest(self._bit("stock", active, inactive, seen))
        for low, high in position.gone:
            if low > high:
                raise ValueError(f"gone: expected the lower value first, got {low}/{high}")
            s.gone |= self._bit("gone", low, high, seen)

    def _read_given(self, given):
        for seat, number in enumerate(given):
            if number == PILE_FIRST and self.data.first < 0:
                self.data.first = seat
            elif number == PILE_SECOND and self.data.second < 0:
                self.data.second = seat
            elif number:
                raise ValueError(f"given: expected a 2 and a 1 at most, got {number}")

    def _read_counts(self, position):
        cdef PileData* s = &self.data
        s.n_stock = _small(len(position.stock) + position.stock_hidden, "stock")
        s.skips = _small(position.skips, "skips")
        for pile, seat in enumerate(position.laid):
            if seat is not None:
                self._require_seat(seat)
                s.laid[<int>pile] = seat
        for seat, hand in enumerate(position.hands):
            s.hidden[<int>seat] = _small(hand.hidden, "hands")
        for seat, number in enumerate(position.revolved):
            if not 0 <= number <= self.tables.revolves:
                raise ValueError(f"revolved: expected 0 to {self.tables.revolves}, got {number}")
            s.revolved[<int>seat] = number

    cdef uint64_t _bit(self, str field, int first, int second, set seen) except 0:
        cdef uint64_t bit
        card = self._card_index((first, second))
        if card is None:
            raise ValueError(f"{field}: {first}/{second} is not a card in play")
        if card in seen:
            raise ValueError(f"{field}: the card {first}/{second} is there twice")
        seen.add(card)
        bit = <uint64_t>1 << <int>card
        if first > second:
            self.data.up |= bit
        return bit

    def check(self):
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self):
        """Yields what is wrong with the struct, each with the field of the notation that is at fault."""
        cdef PileData* s = &self.data
        cdef const PileTables* t = self.tables
        yield from self._faults_of_cards()
        for seat in range(t.players):
            if pile_cards_of(s, seat) > t.start:
                yield f"hands: seat {seat} has more than {t.start} cards"
            if s.revolved[<int>seat] > t.revolves:
                yield f"revolved: seat {seat} revolved more than {t.revolves} times"
        if s.turn >= 0 and pile_cards_of(s, s.turn) == 0:
            yield f"turn: seat {s.turn} has no cards"
        yield from self._faults_of_end()

    def _faults_of_cards(self):
        """Every card of the deck in one place, or among those that the view cannot name."""
        cdef PileData* s = &self.data
        cdef const PileTables* t = self.tables
        cdef uint64_t unnamed = pile_unnamed(t, s)
        cdef uint64_t stock = 0
        cdef int i
        places = [s.hand[seat] for seat in range(t.players)] + [s.gone]
        places += [<uint64_t>1 << s.card[pile] for pile in range(t.piles)]
        if sum([popcount(place) for place in places]) != popcount(t.cards & ~unnamed):
            yield "hands: a card is in two places"
        hidden = sum([s.hidden[seat] for seat in range(t.players)])
        if s.view < 0:
            if hidden:
                yield "hands: a true state names every card"
            for i in range(s.n_stock):
                stock |= <uint64_t>1 << s.stock[i]
            if popcount(stock) != s.n_stock or stock & ~unnamed:
                yield "stock: a true state names each card of the stock, once"
        else:
            if s.hidden[s.view] > 1:
                yield "hands: of its own cards a seat has seen all but the one that it has just drawn"
            if any([s.hand[seat] for seat in range(t.players) if seat != s.view]):
                yield "hands: the view names a card of another hand"
            for i in range(s.n_stock):
                stock |= s.stock[i]
            if stock:
                yield "stock: the view names a card of the stock"
        if s.up & (s.gone | ~t.cards | (unnamed if s.view >= 0 else 0)):
            yield "hands: a way up is set that does not count"
        missing = popcount(unnamed) - hidden - s.n_stock
        if missing:
            cards = ", ".join([f"{low}/{high}" for low, high in (<PileRules>self.rules)._lie(unnamed, 0)])
            yield f"hands: {abs(missing)} cards {'missing' if missing > 0 else 'too many'}; not placed: {cards or '-'}"

    def _faults_of_end(self):
        """Points of the round, empty hands, skips and the turn agree."""
        cdef PileData* s = &self.data
        cdef const PileTables* t = self.tables
        cdef bint over = s.turn < 0
        cdef int still_in = pile_still_in(t, s)
        out = [seat for seat in range(t.players) if pile_cards_of(s, seat) == 0]
        if s.skips > still_in:
            yield f"skips: only {still_in} seats are still in"
        blocked = s.skips == still_in
        first, second = s.first, s.second
        if not out:
            wanted = pile_fewest(t, s) if blocked and not t.blocked_void else -1
            if (first, second) != (wanted, -1):
                yield "given: points that nobody has earned, or not the ones that were"
            ends = blocked
        elif t.second_out:
            if first not in out or (second not in out if len(out) > 1 else second >= 0) or len(out) > 2:
                yield "given: expected 2 points for the first and 1 for the second empty hand, and no more"
            ends = len(out) == 2 or blocked or (first >= 0 and pile_wins_match(t, s, first))
        else:
            if out != [first] or second == first:
                yield "given: expected 2 points for the only empty hand"
            ends = True
        if ends != over:
            yield "turn: the round is over and a seat is to move, or the reverse"
        if over and s.skips and not blocked:
            yield "skips: the round did not end by a skip"


def _unpickle_state(rules, position, draws):
    cdef PileState state = PileState(rules, position)
    state.data.draws = draws
    return state


cdef int _small(number, str field) except -1:
    if not 0 <= number <= PILE_CARDS:
        raise ValueError(f"{field}: expected 0 to {PILE_CARDS}, got {number}")
    return number
