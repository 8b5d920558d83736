"""3UP 3DOWN as Python sees it: rules with options, moves, states (docs/rules-3up3down.md)."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from cython_core.game cimport MAX_MOVES, Move, Policy, Rules, State, move_t, undo_t
from cython_core.rng cimport Rng, rng_below, rng_t
from cython_core.three_up_data cimport (
    CLEAR, CLEAR_1, CLEAR_2, DOWN, DRAW, DRAW_WORDS, KEEP, NODRAW, PICKUP, PLAY, SEEN_MASK, THREE_UP_CARDS,
    THREE_UP_COUNT, THREE_UP_DEALT, THREE_UP_HAND, THREE_UP_RANKS, THREE_UP_SEATS, UP, ThreeUpData, ThreeUpTables,
    ThreeUpUndo, cards_below, cards_of, cards_size, count_of, keep_cards, keep_make, move_count, move_kind, move_make,
    move_rank, seen_make, three_up_hash,
)
from cython_core.three_up_greedy cimport three_up_greedy_move, three_up_priors
from cython_core.three_up_rewards cimport three_up_evaluate, three_up_rewards, three_up_row
from cython_core.three_up_rules cimport (
    hand_size, three_up_apply, three_up_is_out, three_up_legal_moves, three_up_payoffs, three_up_undo, three_up_winner,
)
from cython_core.three_up_view cimport (
    three_up_determinise, three_up_has, three_up_is_legal, three_up_observe, three_up_seen, three_up_shown,
)

from cython_core.three_up_position import RANKS, ThreeUpHand, ThreeUpPosition, ThreeUpStack, cards_text

_KINDS = {"draw": DRAW, "nodraw": NODRAW, "keep": KEEP, "play": PLAY, "up": UP, "down": DOWN, "pickup": PICKUP}
_KIND_NAMES = {number: name for name, number in _KINDS.items()}
OPTIONS = {"repetition": 3, "max_turns": 1000, "max_rounds": 1}


cdef class ThreeUpMove(Move):
    @property
    def kind(self):
        return _KIND_NAMES[move_kind(self.code)]

    @property
    def cards(self):
        if move_kind(self.code) == KEEP:
            return _list_of(keep_cards(self.code))
        return (move_rank(self.code),) * move_count(self.code)

    @property
    def seen(self):
        return tuple([(self.code >> shift & 15) - 1 for shift in (0, 4, 8) if self.code >> shift & 15])

    def __str__(self):
        text = self.kind
        if self.cards:
            text += f":{cards_text(self.cards)}"
        if self.seen:
            text += f">{cards_text(self.seen)}"
        return text


cdef tuple _list_of(uint64_t cards):
    """A set of cards as ranks, ascending."""
    return tuple([rank for rank in range(THREE_UP_RANKS) for _ in range(count_of(cards, rank))])


cdef class ThreeUpRules(Rules):
    def __init__(
        self, players, counts, *, str deck="standard", repetition=3, max_turns=1000, max_rounds=1,
    ):
        for name, number in (
            ("players", players), ("repetition", repetition), ("max_turns", max_turns), ("max_rounds", max_rounds)
        ):
            if type(number) is not int or number >= 2**31:
                raise ValueError(f"{name}: expected an integer up to 2147483647, got {number!r}")
        if not 2 <= players <= THREE_UP_SEATS:
            raise ValueError(f"players: expected 2 to {THREE_UP_SEATS}, got {players}")
        if repetition < 0 or repetition == 1:
            raise ValueError(f"repetition: expected 0 (off) or 2 and more, got {repetition}")
        if max_turns < 1:
            raise ValueError(f"max_turns: expected 1 or more, got {max_turns}")
        if max_rounds < 1:
            raise ValueError(f"max_rounds: expected 1 or more, got {max_rounds}")
        self.game = "3up3down"
        self.deck = deck
        self.players = players
        self.repetition = repetition
        self.max_turns = max_turns
        self.max_rounds = max_rounds
        self.counts = tuple(counts)
        self._check_counts()
        memset(&self.tables, 0, sizeof(ThreeUpTables))
        self.tables.players = players
        self.tables.total = sum(self.counts)
        for rank, count in enumerate(self.counts):
            self.tables.cards += cards_of(rank, count)
        # A hand can hold every card that may be played, and three of six cards can be chosen in 20 ways.
        self.max_moves = max(20, sum(self.counts))

    def _check_counts(self):
        if len(self.counts) != THREE_UP_RANKS:
            raise ValueError(f"counts: expected {THREE_UP_RANKS} numbers, one per rank, got {len(self.counts)}")
        for rank, count in zip(RANKS, self.counts):
            if not 0 <= count <= THREE_UP_COUNT:
                raise ValueError(f"counts: expected 0 to {THREE_UP_COUNT} cards of rank {rank}, got {count}")
        # One card more than are dealt: the draw pile tells whether face-up cards are still to be chosen.
        least = THREE_UP_DEALT * self.players + 1
        if not least <= sum(self.counts) <= THREE_UP_CARDS:
            raise ValueError(
                f"counts: expected {least} to {THREE_UP_CARDS} cards at {self.players} players, got {sum(self.counts)}"
            )

    cdef Move wrap(self, move_t move):
        cdef ThreeUpMove wrapped = ThreeUpMove.__new__(ThreeUpMove)
        wrapped.rules = self
        wrapped.code = move
        return wrapped

    def search_defaults(self):
        # Long rounds with many draws: a short rollout and the heuristic's prior do better than playing on to the end.
        return {"selection": "puct", "exploration": 0.5, "first_play": 0.5, "rollout_turns": 20}

    def options(self):
        return {name: getattr(self, name) for name, default in OPTIONS.items() if getattr(self, name) != default}

    def deal(self, Rng rng not None, tokens=None):
        cdef ThreeUpState state = ThreeUpState.__new__(ThreeUpState)
        cdef ThreeUpData* s = &state.data
        cdef uint8_t pool[THREE_UP_CARDS]
        cdef int n = 0
        cdef int rank, seat, i, _i
        if tokens is not None and any(tokens):
            raise ValueError(f"tokens: a match is one round, so nobody has any before it, got {tuple(tokens)}")
        _bind(state, self)
        _clear(s)
        for rank in range(THREE_UP_RANKS):
            for _ in range(self.counts[rank]):
                pool[n] = rank
                n += 1
        for seat in range(self.players):
            for i in range(THREE_UP_HAND):
                s.down[seat] |= (_take(&rng.stream, pool, &n) + 1) << 4 * i
            s.n_down[seat] = THREE_UP_HAND
            for _i in range(THREE_UP_DEALT - THREE_UP_HAND):
                s.hand[seat] += cards_of(_take(&rng.stream, pool, &n), 1)
        s.n_draw = n
        for i in range(s.n_draw):
            s.draw[i >> 4] |= <uint64_t>(_take(&rng.stream, pool, &n) + 1) << 4 * (i & 15)
        s.turn = 0
        return state

    def move(self, kind, cards=(), seen=()):
        cdef int number = _KINDS.get(kind, 0)
        cdef move_t code
        cdef uint64_t shown = 0
        if not number:
            raise ValueError(f"expected a move of kind {', '.join(_KINDS)}, got {kind!r}")
        for rank in (*cards, *seen):
            if not 0 <= rank < THREE_UP_RANKS:
                raise ValueError(f"{kind}: expected ranks from 0 to {THREE_UP_RANKS - 1}, got {rank}")
        if number == KEEP:
            if len(cards) != THREE_UP_HAND:
                raise ValueError(f"keep: expected three cards, got {len(cards)}")
            low, middle, high = sorted(cards)
            code = keep_make(low, middle, high)
        elif number in (PLAY, UP):
            if not 1 <= len(cards) <= THREE_UP_COUNT:
                raise ValueError(f"{kind}: expected 1 to {THREE_UP_COUNT} cards, got {len(cards)}")
            if len(set(cards)) > 1:
                raise ValueError(f"{kind}: expected cards of one rank, got {cards_text(cards)}")
            code = move_make(number, cards[0], len(cards))
        else:
            if cards:
                raise ValueError(f"{kind}: takes no cards, got {cards_text(cards)}")
            code = move_make(number, 0, 0)
        limit = 0 if number in (KEEP, NODRAW) else 1 if number == DOWN else THREE_UP_HAND
        if len(seen) > limit:
            raise ValueError(f"{kind}: shows at most {limit} cards, got {len(seen)}")
        for rank in seen:
            shown += cards_of(rank, 1)
        return self.wrap(code | seen_make(shown))

    def _key(self):
        return (self.players, self.counts, self.deck, self.repetition, self.max_turns, self.max_rounds)

    def __eq__(self, other):
        if self is other:
            return True
        return self._key() == (<ThreeUpRules>other)._key() if isinstance(other, ThreeUpRules) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        options = "".join([f" {name}={value}" for name, value in self.options().items()])
        return f"<3up3down rules players={self.players} deck={self.deck}{options}>"

    def __reduce__(self):
        return _unpickle_rules, (self.players, self.counts, self.deck, self.options())


def _unpickle_rules(players, counts, deck, options):
    return ThreeUpRules(players, counts, deck=deck, **options)


cdef int _take(rng_t* rng, uint8_t* pool, int* n) noexcept:
    """Takes a random one of the `n` cards out of the pool."""
    cdef uint32_t pick = rng_below(rng, n[0])
    cdef int card = pool[pick]
    n[0] -= 1
    pool[pick] = pool[n[0]]
    return card


cdef void _bind(ThreeUpState state, ThreeUpRules rules):
    state.rules = rules
    state.tables = &rules.tables


cdef void _clear(ThreeUpData* s):
    memset(s, 0, sizeof(ThreeUpData))
    s.view = -1
    s.turn = -1


cdef class ThreeUpState(State):
    def __init__(self, ThreeUpRules rules not None, position):
        _bind(self, rules)
        _clear(&self.data)
        self._read(position)
        self.check()

    cdef State blank(self):
        cdef ThreeUpState state = ThreeUpState.__new__(ThreeUpState)
        state.rules = self.rules
        state.tables = self.tables
        return state

    # --- the contract of game.pxd, one line each

    cdef void c_copy_from(self, State other) noexcept nogil:
        self.data = (<ThreeUpState>other).data

    cdef int c_turn(self) noexcept nogil:
        return self.data.turn

    cdef int c_view(self) noexcept nogil:
        return self.data.view

    cdef int c_legal_moves(self, move_t* moves) noexcept nogil:
        return three_up_legal_moves(self.tables, &self.data, moves)

    cdef bint c_is_legal(self, move_t move) noexcept nogil:
        return three_up_is_legal(self.tables, &self.data, move)

    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil:
        three_up_apply(self.tables, &self.data, move, <ThreeUpUndo*>undo)

    cdef void c_undo(self, const undo_t* undo) noexcept nogil:
        three_up_undo(&self.data, <const ThreeUpUndo*>undo)

    cdef void c_payoffs(self, double* payoffs) noexcept nogil:
        three_up_payoffs(self.tables, &self.data, payoffs)

    cdef void c_ranks(self, int8_t* ranks) noexcept nogil:
        cdef int winner = three_up_winner(self.tables, &self.data)
        memset(ranks, 0, self.tables.players)
        if winner >= 0:
            ranks[winner] = 1

    cdef void c_observe(self, int seat, State view) noexcept nogil:
        three_up_observe(self.tables, &self.data, seat, &(<ThreeUpState>view).data)

    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil:
        three_up_determinise(self.tables, &self.data, rng, &(<ThreeUpState>world).data)

    cdef int fill_rewards(self, str kind, double* table) except -1:
        # A match is one round, so both kinds are the same.
        cdef int winner, seat
        if kind not in ("tokens", "match", "first", "second"):
            raise ValueError(f"reward: expected 'tokens' or 'match', got {kind!r}")
        for winner in range(-1, self.tables.players):
            for seat in range(self.tables.players):
                if kind == "second":
                    three_up_row(table, winner)[seat] = 0
                elif winner >= 0 or kind == "first":
                    three_up_row(table, winner)[seat] = seat == winner
                else:
                    three_up_row(table, winner)[seat] = 1.0 / self.tables.players
        return 0

    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil:
        three_up_rewards(self.tables, &self.data, table, rewards)

    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil:
        three_up_evaluate(self.tables, &self.data, table, rewards)

    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil:
        # What is played is public. What chance then shows is no part of it: it is not known when the move is chosen.
        if merge and move_kind(move) == KEEP:
            return move_make(KEEP, 0, 0)
        return move & ~<move_t>SEEN_MASK

    cdef move_t c_seen_move(self, move_t move, int seat) noexcept nogil:
        return three_up_seen(self.tables, &self.data, move, seat)

    cdef int c_move_group(self, move_t move) noexcept nogil:
        return move_kind(move) == KEEP

    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil:
        three_up_priors(self.tables, &self.data, moves, n, priors)

    cdef uint64_t c_hash(self) noexcept nogil:
        return three_up_hash(&self.data)

    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil:
        return three_up_greedy_move(self.tables, &self.data, rng, epsilon)

    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil:
        cdef ThreeUpData s = self.data
        cdef move_t moves[MAX_MOVES]
        cdef move_t move
        cdef int turns = 0
        while s.turn >= 0 and turns < max_turns:
            if policy == Policy.GREEDY:
                move = three_up_greedy_move(self.tables, &s, rng, epsilon)
            else:
                move = moves[rng_below(rng, three_up_legal_moves(self.tables, &s, moves))]
            three_up_apply(self.tables, &s, move, NULL)
            turns += 1
        self.data = s
        return turns

    # --- what is 3UP 3DOWN's own

    def apply(self, move):
        cdef move_t code = self._code(move)
        cdef move_t bare = code & ~<move_t>SEEN_MASK
        cdef int shown
        if self.data.view >= 0 and code == bare and three_up_is_legal(self.tables, &self.data, code):
            shown = three_up_shown(self.tables, &self.data, bare)
            if shown:
                raise ValueError(
                    f"{self.rules.wrap(code)} shows {shown} card{'s' if shown > 1 else ''} to seat {self.data.view}: "
                    f"apply seen_move(move, {self.data.view}) of the true state to {self}"
                )
        return State.apply(self, code)

    @property
    def extra(self):
        return self.data.extra

    def result(self):
        winner = three_up_winner(self.tables, &self.data)
        return tuple([int(seat == winner) for seat in range(self.rules.players)])

    def repetition_key(self):
        # All cards, the turn and the extra plays; what is known of the hands does not count.
        cdef ThreeUpData s = self.data
        self._require_truth("repetition_key is taken")
        memset(s.known, 0, sizeof(s.known))
        return (<char*>&s)[:sizeof(ThreeUpData)]

    def to_bytes(self):
        return (<char*>&self.data)[:sizeof(ThreeUpData)]

    def position(self):
        cdef ThreeUpData* s = &self.data
        cdef int seat
        players = self.rules.players
        hands = [
            ThreeUpHand(_list_of(s.hand[seat] - s.known[seat]), _list_of(s.known[seat]), s.hidden[seat])
            for seat in range(players)
        ]
        return ThreeUpPosition(
            players=players,
            turn=None if s.turn < 0 else s.turn,
            view=None if s.view < 0 else s.view,
            hands=tuple(hands),
            up=tuple([_list_of(s.up[seat]) for seat in range(players)]),
            down=tuple([self._stack(self._down_cards(seat)) for seat in range(players)]),
            pile=_list_of(s.pile),
            draw=self._stack(self._draw_cards()),
            gone=_list_of(s.gone),
            extra=s.extra,
            may_draw=bool(s.may_draw),
            deck=self.rules.deck,
        )

    def _draw_cards(self):
        """The ranks of the draw pile in drawing order, -1 where the view does not know them."""
        cdef ThreeUpData* s = &self.data
        cdef int i
        return [<int>(s.draw[i >> 4] >> 4 * (i & 15) & 15) - 1 for i in range(s.n_draw - 1, -1, -1)]

    def _down_cards(self, int seat):
        cdef ThreeUpData* s = &self.data
        cdef int i
        return [<int>(s.down[seat] >> 4 * i & 15) - 1 for i in range(s.n_down[seat] - 1, -1, -1)]

    def _stack(self, cards):
        return ThreeUpStack(tuple(cards)) if self.data.view < 0 else ThreeUpStack((), len(cards))

    def __str__(self):
        return str(self.position())

    def __reduce__(self):
        return ThreeUpState, (self.rules, self.position())

    # --- reading and checking a position

    def _read(self, position):
        """Copies the position into the struct; raises ValueError for what has no place there."""
        cdef ThreeUpData* s = &self.data
        cdef uint64_t placed = 0
        cdef int seat
        players = self.rules.players
        for field, got, wanted in (
            ("players", position.players, players),
            ("deck", position.deck, self.rules.deck),
            ("hands", len(position.hands), players),
            ("up", len(position.up), players),
            ("down", len(position.down), players),
        ):
            if got != wanted:
                raise ValueError(f"{field}: expected {wanted!r}, got {got!r}")
        for field, value in (("view", position.view), ("turn", position.turn)):
            if value is not None and not 0 <= value < players:
                raise ValueError(f"{field}: expected seat 0..{players - 1}, got {value}")
        s.view = -1 if position.view is None else position.view
        s.turn = -1 if position.turn is None else position.turn
        for seat, hand in enumerate(position.hands):
            s.known[seat] = self._place("hands", hand.known, &placed)
            s.hand[seat] = s.known[seat] + self._place("hands", hand.cards, &placed)
            s.hidden[seat] = _small(hand.hidden, "hands")
            s.up[seat] = self._place("up", position.up[seat], &placed)
            s.n_down[seat] = self._lay("down", position.down[seat], THREE_UP_HAND, &placed)
            for i, rank in enumerate(reversed(position.down[seat].cards)):
                s.down[seat] |= (rank + 1) << 4 * i
        s.pile = self._place("pile", position.pile, &placed)
        s.gone = self._place("gone", position.gone, &placed)
        s.n_draw = self._lay("draw", position.draw, 16 * DRAW_WORDS, &placed)
        for i, rank in enumerate(reversed(position.draw.cards)):
            s.draw[<int>i >> 4] |= <uint64_t>(rank + 1) << 4 * (<int>i & 15)
        s.extra = _small(position.extra, "extra")
        s.may_draw = bool(position.may_draw)

    cdef uint64_t _place(self, str field, cards, uint64_t* placed) except? 0:
        """The cards as a set, counted among those that have a place; there may be no more than in the deck."""
        cdef uint64_t found = 0
        for rank in cards:
            if not 0 <= rank < THREE_UP_RANKS:
                raise ValueError(f"{field}: expected ranks from 0 to {THREE_UP_RANKS - 1}, got {rank}")
            if count_of(placed[0], rank) == count_of(self.tables.cards, rank):
                raise ValueError(f"{field}: too many cards of rank {RANKS[rank]}, the deck has {self._count(rank)}")
            found += cards_of(rank, 1)
            placed[0] += cards_of(rank, 1)
        return found

    cdef int _lay(self, str field, stack, int limit, uint64_t* placed) except -1:
        """Checks face-down cards; returns how many there are."""
        if not 0 <= len(stack) <= limit or stack.hidden < 0:
            raise ValueError(f"{field}: expected at most {limit} cards, got {len(stack)}")
        if (stack.cards and self.data.view >= 0) or (stack.hidden and self.data.view < 0):
            raise ValueError(f"{field}: a true state names every card, a view no face-down one")
        self._place(field, stack.cards, placed)
        return len(stack)

    def _count(self, int rank):
        return count_of(self.tables.cards, rank)

    def check(self):
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self):
        """Yields what is wrong with the struct, each with the field of the notation that is at fault."""
        cdef ThreeUpData* s = &self.data
        cdef int seat
        yield from self._faults_of_cards()
        winners = [seat for seat in range(self.tables.players) if three_up_is_out(s, seat)]
        if len(winners) > 1:
            yield f"hands: seats {winners[0]} and {winners[1]} have no card left, but the first ends the round"
        if bool(winners) != (s.turn < 0):
            yield "turn: the round is over and a seat is to move, or the reverse"
        for seat in range(self.tables.players):
            if s.n_down[seat] < THREE_UP_HAND and s.up[seat]:
                yield f"down: seat {seat} has played face-down cards before its face-up ones"
        if any([count_of(s.pile, rank) > 2 for rank in range(CLEAR)]) or s.pile & ~cards_below(CLEAR):
            yield "pile: three of a number or a clear card clear the pile"
        if s.turn < 0:
            if s.extra or s.may_draw:
                yield "extra: the round is over"
            return
        if s.n_draw and any([s.up[seat] == 0 for seat in range(self.tables.players)]):
            yield from self._faults_of_keeping()
        else:
            yield from self._faults_of_turn()

    def _faults_of_cards(self):
        """Every card of the deck in one place, or among those that the view cannot name."""
        cdef ThreeUpData* s = &self.data
        cdef const ThreeUpTables* t = self.tables
        cdef uint64_t placed = s.pile + s.gone
        cdef int seat
        unknown = s.n_draw
        for seat in range(t.players):
            placed += s.hand[seat] + s.up[seat]
            unknown += s.hidden[seat] + s.n_down[seat]
            if not three_up_has(s.hand[seat], s.known[seat]):
                yield "hands: a card that everybody knows to be in a hand is not there"
            if s.hidden[seat] and (s.view < 0 or s.view == seat):
                yield f"hands: the hand of seat {seat} is known to the reader"
            if s.view >= 0 and s.view != seat and s.hand[seat] != s.known[seat]:
                yield "hands: the view names a card of another hand that not everybody knows"
            if cards_size(s.up[seat]) > THREE_UP_HAND:
                yield f"up: seat {seat} has more than {THREE_UP_HAND} face-up cards"
            if s.view >= 0 and s.down[seat]:
                yield "down: the view knows a face-down card"
        if s.view >= 0 and any([s.draw[i] for i in range(DRAW_WORDS)]):
            yield "draw: the view knows the draw pile"
        if s.view < 0:
            for seat in range(t.players):
                for rank in self._down_cards(seat):
                    placed += cards_of(rank, 1)
            for rank in self._draw_cards():
                placed += cards_of(rank, 1)
            unknown = 0
        named = cards_size(placed)
        if not three_up_has(t.cards, placed):
            yield "hands: more cards of a rank than the deck has"
        if named + unknown != t.total:
            missing = t.total - named - unknown
            left = cards_text(_list_of(t.cards - placed))
            cards = "1 card" if abs(missing) == 1 else f"{abs(missing)} cards"
            yield f"hands: {cards} {'missing' if missing > 0 else 'too many'}; not placed: {left}"

    def _faults_of_keeping(self):
        """Before the first turn: the seats choose their face-up cards in order."""
        cdef ThreeUpData* s = &self.data
        cdef int seat
        for seat in range(self.tables.players):
            kept = 0 if seat >= s.turn else THREE_UP_HAND
            if cards_size(s.up[seat]) != kept or s.n_down[seat] != THREE_UP_HAND:
                yield f"up: the seats choose three face-up cards in turn, and seat {s.turn} is the next"
            if hand_size(s, seat) != 2 * THREE_UP_HAND - kept or s.known[seat]:
                yield f"hands: seat {seat} has not the {2 * THREE_UP_HAND - kept} cards of the deal"
        if s.pile or s.gone or s.extra or s.may_draw:
            yield "pile: cards were played before all face-up cards were chosen"

    def _faults_of_turn(self):
        """Hands are full while the draw pile lasts; extra plays come from clear cards."""
        cdef ThreeUpData* s = &self.data
        cdef int seat
        for seat in range(self.tables.players):
            if s.n_draw and (cards_size(s.up[seat]) < THREE_UP_HAND or s.n_down[seat] < THREE_UP_HAND):
                yield f"up: seat {seat} has played from the table while the draw pile lasts"
            if s.n_draw and hand_size(s, seat) < THREE_UP_HAND and not (seat == s.turn and s.extra):
                yield f"hands: seat {seat} has less than {THREE_UP_HAND} cards while the draw pile lasts"
        if s.extra > count_of(s.gone, CLEAR_1) + 2 * count_of(s.gone, CLEAR_2):
            yield "extra: more extra plays than the clear cards that are gone can give"
        size = hand_size(s, s.turn)
        if s.may_draw and not (s.extra and s.n_draw and size < THREE_UP_HAND and s.pile == 0):
            yield "extra: a draw is possible after a clear card, with less than three in hand and cards to draw"
        if s.extra and s.n_draw and size == 0 and not s.may_draw:
            yield "extra: with nothing in hand, cards to draw and no right to, an extra play lapses"


cdef int _small(number, str field) except -1:
    if not 0 <= number <= THREE_UP_CARDS:
        raise ValueError(f"{field}: expected 0 to {THREE_UP_CARDS}, got {number}")
    return number
