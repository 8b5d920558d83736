"""Kuhn poker behind the contract of game.pxd. The rules themselves are in kuhn.pxd."""

from libc.stdint cimport int8_t, uint64_t
from libc.string cimport memset

from cython_core.game cimport Move, Policy, Rules, State, move_t, undo_t
from cython_core.rng cimport Rng, rng_below, rng_t

_CARDS = "JQK"
_MOVES = {"pass": PASS, "bet": BET} | {f"show:{card}": SHOW + i for i, card in enumerate(_CARDS)}
_TEXTS = {code: text for text, code in _MOVES.items()}


cdef class KuhnMove(Move):
    def __str__(self):
        return _TEXTS.get(self.code, f"code {self.code}")


cdef class KuhnRules(Rules):
    def __cinit__(self):
        self.game = "kuhn"
        self.deck = "kuhn"
        self.players = 2
        self.max_moves = 2
        self.repetition = 0
        self.max_turns = 10
        self.max_rounds = 1

    cdef Move wrap(self, move_t move):
        cdef KuhnMove wrapped = KuhnMove.__new__(KuhnMove)
        wrapped.rules = self
        wrapped.code = move
        return wrapped

    def options(self):
        return {}

    def deal(self, Rng rng not None, tokens=None):
        if tokens is not None and any(tokens):
            raise ValueError(f"tokens: a match is one round, so nobody has any before it, got {tokens!r}")
        first = rng_below(&rng.stream, KUHN_CARDS)
        second = rng_below(&rng.stream, KUHN_CARDS - 1)
        return KuhnState(self, _CARDS[first] + _CARDS[second if second < first else second + 1])

    def move(self, text):
        if text not in _MOVES:
            raise ValueError(f"expected one of {', '.join(_MOVES)}, got {text!r}")
        return self.wrap(_MOVES[text])

    def __eq__(self, other):
        return True if isinstance(other, KuhnRules) else NotImplemented

    def __hash__(self):
        return hash(self.game)

    def __repr__(self):
        return "<kuhn rules>"

    def __reduce__(self):
        return KuhnRules, ()


cdef class KuhnState(State):
    def __init__(self, KuhnRules rules not None, hands, moves=(), view=None):
        cdef KuhnData* s = &self.data
        self.rules = rules
        memset(s, 0, sizeof(KuhnData))
        if len(hands) != 2 or set(hands) - set(_CARDS + "x"):
            raise ValueError(f"hands: expected two of J, Q, K and x, got {hands!r}")
        if view is not None:
            self._require_seat(view)
        s.view = -1 if view is None else view
        for seat, card in enumerate(hands):
            s.card[<int>seat] = _CARDS.find(card)
        for text in moves:
            code = rules.move(text).code
            if not kuhn_is_legal(s, code):
                raise ValueError(f"moves: {text} is not legal in {self}")
            kuhn_apply(s, code, NULL)
        self.check()

    cdef State blank(self):
        cdef KuhnState state = KuhnState.__new__(KuhnState)
        state.rules = self.rules
        return state

    # --- the contract of game.pxd

    cdef void c_copy_from(self, State other) noexcept nogil:
        self.data = (<KuhnState>other).data

    cdef int c_turn(self) noexcept nogil:
        return kuhn_turn(&self.data)

    cdef int c_view(self) noexcept nogil:
        return self.data.view

    cdef int c_legal_moves(self, move_t* moves) noexcept nogil:
        return kuhn_legal_moves(&self.data, moves)

    cdef bint c_is_legal(self, move_t move) noexcept nogil:
        return kuhn_is_legal(&self.data, move)

    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil:
        kuhn_apply(&self.data, move, <KuhnUndo*>undo)

    cdef void c_undo(self, const undo_t* undo) noexcept nogil:
        self.data = (<const KuhnUndo*>undo).before

    cdef void c_payoffs(self, double* payoffs) noexcept nogil:
        cdef int gain = kuhn_gain(&self.data, False)
        payoffs[0] = gain
        payoffs[1] = -gain

    cdef void c_ranks(self, int8_t* ranks) noexcept nogil:
        cdef int gain = kuhn_gain(&self.data, False)
        ranks[0] = gain > 0
        ranks[1] = gain < 0

    cdef int fill_rewards(self, str kind, double* table) except -1:
        # By what the seat gained, KUHN_STAKE added. A match is one round.
        cdef int gain
        if kind not in ("tokens", "match", "first", "second"):
            raise ValueError(f"reward: expected 'tokens' or 'match', got {kind!r}")
        for gain in range(-KUHN_STAKE, KUHN_STAKE + 1):
            if kind == "tokens":
                table[gain + KUHN_STAKE] = (gain + KUHN_STAKE) / (2.0 * KUHN_STAKE)
            elif kind == "match":
                table[gain + KUHN_STAKE] = 0.5 if gain == 0 else gain > 0
            else:
                table[gain + KUHN_STAKE] = kind == "first" and gain > 0
        return 0

    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil:
        cdef int gain = kuhn_gain(&self.data, False)
        rewards[0] = table[KUHN_STAKE + gain]
        rewards[1] = table[KUHN_STAKE - gain]

    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil:
        cdef int gain = kuhn_gain(&self.data, True)
        rewards[0] = table[KUHN_STAKE + gain]
        rewards[1] = table[KUHN_STAKE - gain]

    cdef void c_observe(self, int seat, State view) noexcept nogil:
        kuhn_observe(&self.data, seat, &(<KuhnState>view).data)

    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil:
        kuhn_determinise(&self.data, rng, &(<KuhnState>world).data)

    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil:
        # All moves are public, a shown card included.
        return SHOW if merge and move > SHOW else move

    cdef int c_move_group(self, move_t move) noexcept nogil:
        return 0

    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil:
        cdef int i
        for i in range(n):
            priors[i] = 1.0 / n

    cdef uint64_t c_hash(self) noexcept nogil:
        return kuhn_hash(&self.data)

    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil:
        return kuhn_greedy_move(&self.data, rng, epsilon)

    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil:
        cdef KuhnData s = self.data
        cdef move_t moves[2]
        cdef move_t move
        cdef int turns = 0
        while kuhn_turn(&s) >= 0 and turns < max_turns:
            if policy == Policy.GREEDY:
                move = kuhn_greedy_move(&s, rng, epsilon)
            else:
                move = moves[rng_below(rng, kuhn_legal_moves(&s, moves))]
            kuhn_apply(&s, move, NULL)
            turns += 1
        self.data = s
        return turns

    # --- what is Kuhn poker's own

    @property
    def hands(self):
        return "".join(["x" if self.data.card[seat] < 0 else _CARDS[self.data.card[seat]] for seat in range(2)])

    @property
    def moves(self):
        line = [_TEXTS[self.data.line[i]] for i in range(self.data.n_line)]
        return tuple(line + [f"show:{_CARDS[self.data.card[seat]]}" for seat in range(self.data.shown)])

    def result(self):
        gain = kuhn_gain(&self.data, False)
        return (gain, -gain)

    def repetition_key(self):
        # Nothing ever repeats.
        self._require_truth("repetition_key is taken")
        return self.to_bytes()

    def to_bytes(self):
        return (<char*>&self.data)[:sizeof(KuhnData)]

    def check(self):
        cdef KuhnData* s = &self.data
        hands = self.hands
        known = hands.replace("x", "")
        if len(set(known)) < len(known):
            raise ValueError(f"hands: two seats have the card {known[0]}")
        for seat in range(2):
            unknown = s.view == 1 - seat and s.shown <= seat
            if (hands[seat] == "x") != unknown:
                raise ValueError(f"hands: the card of seat {seat} is {'' if unknown else 'not '}known here")

    def __str__(self):
        turn = self.turn
        view = "" if self.data.view < 0 else f" view={self.data.view}"
        hands = ";".join(self.hands)
        return f"kuhn:2{view} turn={'-' if turn is None else turn} hands={hands} moves={','.join(self.moves) or '-'}"

    def __reduce__(self):
        return KuhnState, (self.rules, self.hands, self.moves, self.view)
