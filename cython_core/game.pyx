"""The Python face of the contract in game.pxd: the same methods, checked."""

from hashlib import blake2b

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from cython_core.rng cimport Rng, rng_t


class IllegalMoveError(ValueError):
    pass


cdef class Move:
    def __init__(self):
        raise TypeError("moves come from State.legal_moves() or from the rules")

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return self.code == (<Move>other).code and self.rules == (<Move>other).rules

    def __hash__(self):
        return hash(self.code)

    def __repr__(self):
        return f"<{self.rules.game} move {self}>"

    def __reduce__(self):
        return _unpickle_move, (self.rules, self.code)


def _unpickle_move(Rules rules, move_t code):
    return rules.wrap(code)


cdef class Rules:
    cdef Move wrap(self, move_t move):
        raise NotImplementedError("a game's rules make its moves")

    def wrap_move(self, move_t code):
        return self.wrap(code)

    def options(self):
        raise NotImplementedError("a game's rules know their options")

    def search_defaults(self):
        return {}

    def feature_names(self):
        return ()

    def evaluation_key(self):
        return {}

    def match_winner(self, rounds):
        # A game whose matches are played otherwise says so itself.
        if len(rounds) < self.max_rounds:
            return None
        totals = [sum(column) for column in zip(*[result for result, _ in rounds], strict=True)]
        return totals.index(max(totals)) if totals.count(max(totals)) == 1 else None

    def deal(self, Rng rng, tokens=None):
        raise NotImplementedError("a game's rules deal")


cdef class Undo:
    def __init__(self):
        raise TypeError("undo records come from State.apply()")


cdef int key_of_bytes(bytes data, uint64_t* key) except -1:
    digest = blake2b(data, digest_size=2 * sizeof(uint64_t)).digest()
    memcpy(key, <const char*>digest, 2 * sizeof(uint64_t))
    return 0


cdef class State:
    def __init__(self):
        raise NotImplementedError("a game makes its own states")

    cdef State blank(self):
        raise NotImplementedError("a game makes its own states")

    cdef State perft_root(self):
        return self.copy()

    # The nogil contract is in game.pxd. A game overrides all of it; what stands here only keeps the compiler content.
    cdef void c_copy_from(self, State other) noexcept nogil:
        pass

    cdef int c_turn(self) noexcept nogil:
        return -1

    cdef int c_view(self) noexcept nogil:
        return -1

    cdef int c_legal_moves(self, move_t* moves) noexcept nogil:
        return 0

    cdef bint c_is_legal(self, move_t move) noexcept nogil:
        return False

    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil:
        pass

    cdef void c_undo(self, const undo_t* undo) noexcept nogil:
        pass

    cdef void c_payoffs(self, double* payoffs) noexcept nogil:
        pass

    cdef void c_ranks(self, int8_t* ranks) noexcept nogil:
        pass

    cdef int fill_rewards(self, str kind, double* table) except -1:
        raise NotImplementedError("a game knows what its outcomes are worth")

    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil:
        pass

    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil:
        pass

    cdef bint c_weights(self, double* weights) noexcept nogil:
        return False

    cdef void c_expect(
        self, const double* weights, const double* later, const double* table, double* rewards
    ) noexcept nogil:
        pass

    cdef void c_features(self, double* features) noexcept nogil:
        pass

    cdef void c_observe(self, int seat, State view) noexcept nogil:
        pass

    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil:
        pass

    cdef int c_count_worlds(self, int limit) noexcept nogil:
        return -1

    cdef void c_world(self, int index, State world) noexcept nogil:
        pass

    cdef bint c_rewind(self, const move_t* moves, int n, State start) noexcept nogil:
        return False

    cdef void c_reveal(self, State truth) noexcept nogil:
        pass

    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil:
        return move

    cdef move_t c_seen_move(self, move_t move, int seat) noexcept nogil:
        return move

    cdef int c_move_group(self, move_t move) noexcept nogil:
        return 0

    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil:
        pass

    cdef uint64_t c_hash(self) noexcept nogil:
        return 0

    cdef void c_key(self, uint64_t* key) noexcept nogil:
        # Slow; a game that is solved often has a key of its own.
        with gil:
            key_of_bytes(self.repetition_key(), key)

    cdef int c_live_cards(self) noexcept nogil:
        return -1

    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil:
        return 0

    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil:
        return 0

    # Games in Python override these too.
    cdef bint c_failed(self) noexcept nogil:
        return False

    cdef int raise_pending(self) except -1:
        return 0

    # --- what a game says in Python of its own state

    def result(self):
        raise NotImplementedError("a game knows the points that a round gave")

    def repetition_key(self):
        raise NotImplementedError("a game knows which states are the same")

    def to_bytes(self):
        raise NotImplementedError("a game knows its own struct")

    def check(self):
        raise NotImplementedError("a game knows its own invariants")

    # --- the checked twins

    @property
    def players(self):
        return self.rules.players

    @property
    def turn(self):
        cdef int turn = self.c_turn()
        return None if turn < 0 else turn

    @property
    def view(self):
        cdef int view = self.c_view()
        return None if view < 0 else view

    @property
    def is_over(self):
        return self.c_turn() < 0

    @property
    def end(self):
        return "out" if self.c_turn() < 0 else None

    def legal_moves(self):
        cdef move_t moves[MAX_MOVES]
        cdef int i
        self._require_own_turn()
        return [self.rules.wrap(moves[i]) for i in range(self.c_legal_moves(moves))]

    def is_legal(self, move):
        return bool(self.c_is_legal(self._code(move)))

    def apply(self, move):
        cdef move_t code = self._code(move)
        cdef Undo undo = Undo.__new__(Undo)
        if not self.c_is_legal(code):
            raise IllegalMoveError(f"{self._move_text(move)} is not legal in {self}")
        self.c_apply(code, &undo.record)
        return undo

    def undo(self, Undo undo not None):
        self.c_undo(&undo.record)

    def copy(self):
        cdef State other = self.blank()
        other.c_copy_from(self)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def payoffs(self):
        cdef double payoffs[MAX_SEATS]
        self.c_payoffs(payoffs)
        return tuple([payoffs[seat] for seat in range(self.rules.players)])

    def ranks(self):
        cdef int8_t ranks[MAX_SEATS]
        self.c_ranks(ranks)
        return tuple([ranks[seat] for seat in range(self.rules.players)])

    def observe(self, int seat):
        cdef State view
        cdef int own = self.c_view()
        self._require_seat(seat)
        if own >= 0 and own != seat:
            raise ValueError(f"this is the view of seat {own}: it cannot show what seat {seat} knows")
        view = self.blank()
        self.c_observe(seat, view)
        return view

    def determinise(self, Rng rng not None):
        cdef State world
        if self.c_view() < 0:
            raise ValueError("this is the true state: determinise a view, made by observe(seat)")
        world = self.blank()
        self.c_determinise(&rng.stream, world)
        return world

    def rewind(self, history):
        cdef State start = self.blank()
        cdef State now
        self._require_truth("a round is taken back")
        if self._rewind([self._code(move) for move in history], start):
            now = start.copy()
            for move in history:
                if not now.c_is_legal(self._code(move)):
                    break
                now.c_apply(self._code(move), NULL)
            else:
                if now == self:
                    return start
        raise ValueError(f"these moves do not lead to this state, as far as {self.rules.game} can say: {self}")

    def repeats(self, history):
        cdef State world = self.copy()
        cdef State past = self.copy()
        cdef int n = len(history)
        cdef int n_moves, count, i, j
        cdef uint64_t key[2]
        cdef move_t* moves = <move_t*>malloc(max(n, self.rules.max_moves) * sizeof(move_t))
        cdef uint64_t* keys = <uint64_t*>malloc(2 * (n + 1) * sizeof(uint64_t))
        try:
            if not (moves and keys):
                raise MemoryError("no memory for the states of a round")
            for i in range(n):
                moves[i] = self._code(history[i])
            # What comes back does so whatever the hidden cards are, so any world will do.
            if self.c_view() >= 0:
                self.c_determinise(&Rng(0).stream, world)
            led = _line_of_keys(world, past, moves, n, keys)
            n_moves = world.c_legal_moves(moves)
            found = [0] * n_moves
            for i in range(n_moves if led else 0):
                past.c_copy_from(world)
                past.c_apply(moves[i], NULL)
                past.c_key(key)
                count = 0
                for j in range(n + 1):
                    count += key[0] == keys[2 * j] and key[1] == keys[2 * j + 1]
                found[i] = count
        finally:
            free(moves)
            free(keys)
        self.raise_pending()
        return found

    def _rewind(self, list codes, State start):
        cdef int n = len(codes)
        cdef int i
        cdef move_t* moves = <move_t*>malloc(max(n, 1) * sizeof(move_t))
        if not moves:
            raise MemoryError("no memory for the moves of a round")
        for i in range(n):
            moves[i] = codes[i]
        led = self.c_rewind(moves, n, start)
        free(moves)
        return led

    def count_worlds(self, int limit=1024):
        self._require_limit(limit)
        cdef int n = self.c_count_worlds(limit)
        return n if 0 <= n <= limit else None

    def worlds(self, int limit=1024):
        cdef State world
        cdef int i
        self._require_limit(limit)
        cdef int n = self.c_count_worlds(limit)
        if n < 0:
            raise ValueError(f"{self.rules.game} cannot list the worlds of a view")
        if n > limit:
            raise ValueError(f"more than {limit} worlds agree with this view: {self}")
        found = []
        for i in range(n):
            world = self.blank()
            self.c_world(i, world)
            found.append(world)
        return found

    def _require_limit(self, int limit):
        if self.c_view() < 0:
            raise ValueError("this is the true state: worlds are those of a view, made by observe(seat)")
        if not 1 <= limit < 2**30:
            raise ValueError(f"limit: expected 1 to {2**30 - 1}, got {limit}")

    def reveal(self, State truth not None):
        cdef int view = self.c_view()
        if view < 0:
            raise ValueError("this is the true state: reveal what chance has shown in a view, made by observe(seat)")
        if truth.rules != self.rules or truth.c_view() not in (-1, view):
            raise ValueError(f"expected the true state of this view, got {truth}")
        self.c_reveal(truth)

    def move_key(self, move, int seat, bint merge=False):
        self._require_seat(seat)
        return self.c_move_key(self._code(move), seat, merge)

    def seen_move(self, move, int seat):
        cdef move_t code = self._code(move)
        self._require_seat(seat)
        self._require_truth("what a move shows is seen")
        if not self.c_is_legal(code):
            raise IllegalMoveError(f"{self._move_text(move)} is not legal in {self}")
        return self.rules.wrap(self.c_seen_move(code, seat))

    def move_group(self, move):
        return self.c_move_group(self._code(move))

    def rewards(self, str kind="tokens", bint evaluate=False):
        cdef double table[REWARDS]
        cdef double rewards[MAX_SEATS]
        self.fill_rewards(kind, table)
        if evaluate:
            self._require_truth("an evaluation starts")
            self.c_evaluate(table, rewards)
        else:
            self.c_rewards(table, rewards)
        return tuple([rewards[seat] for seat in range(self.rules.players)])

    def chances(self):
        cdef double weights[MAX_SEATS]
        self._require_going("chances are")
        if not self.c_weights(weights):
            return None
        total = sum([weights[seat] for seat in range(self.rules.players)])
        return tuple([weights[seat] / total for seat in range(self.rules.players)])

    def features(self):
        cdef double numbers[MAX_SEATS * MAX_FEATURES]
        cdef int n = len(self.rules.feature_names())
        self._require_going("features are")
        self.c_features(numbers)
        return tuple([
            tuple([numbers[seat * n + i] for i in range(n)]) for seat in range(self.rules.players)
        ])

    def priors(self):
        cdef move_t moves[MAX_MOVES]
        cdef double priors[MAX_MOVES]
        self._require_own_turn()
        cdef int n = self.c_legal_moves(moves)
        self.c_priors(moves, n, priors)
        return [priors[i] for i in range(n)]

    def perft(self, depth):
        _check_depth(depth, 0)
        self._require_truth("perft counts")
        return _perft(self.perft_root(), depth)

    def perft_divide(self, depth):
        cdef undo_t undo
        cdef State root = self.perft_root()
        _check_depth(depth, 1)
        self._require_truth("perft counts")
        counts = {}
        for move in self.legal_moves():
            root.c_apply((<Move>move).code, &undo)
            counts[move] = _perft(root, depth - 1)
            root.c_undo(&undo)
        return counts

    def greedy_move(self, Rng rng not None, double epsilon=0.0):
        if self.c_turn() < 0:
            raise ValueError("the round is over: there is no move to choose")
        self._require_own_turn()
        return self.rules.wrap(self.c_greedy_move(&rng.stream, epsilon))

    def rollout(self, Rng rng not None, str policy="random", double epsilon=0.0, int max_turns=1000):
        cdef Policy chosen
        cdef State played
        if policy not in ("random", "greedy"):
            raise ValueError(f"expected policy 'random' or 'greedy', got {policy!r}")
        self._require_truth("rollout plays")
        chosen = Policy.GREEDY if policy == "greedy" else Policy.RANDOM
        played = self.copy()
        turns = played.c_play_on(&rng.stream, chosen, epsilon, max_turns)
        return played.payoffs(), turns

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self.rules == other.rules and self.to_bytes() == other.to_bytes()

    def __hash__(self):
        return hash(self.c_hash())

    def __repr__(self):
        return f"<{self}>"

    cdef move_t _code(self, move) except? 0:
        if isinstance(move, Move):
            if (<Move>move).rules is not self.rules and (<Move>move).rules != self.rules:
                raise ValueError(f"the move {move} is of other rules than this state")
            return (<Move>move).code
        if isinstance(move, int):
            if not 0 <= move < 2**32:
                raise ValueError(f"expected a move or its code, got {move!r}")
            return move
        raise TypeError(f"expected a move or its code, got {move!r}")

    def _move_text(self, move):
        """The move, or its code where that is none of the game's."""
        try:
            return str(move) if isinstance(move, Move) else f"move code {move}"
        except Exception:
            return f"move code {move.code}"

    def _require_own_turn(self):
        cdef int view = self.c_view()
        cdef int turn = self.c_turn()
        if view >= 0 and turn >= 0 and turn != view:
            raise ValueError(f"seat {view} cannot know the moves of seat {turn}, whose turn it is")

    def _require_truth(self, str doing):
        if self.c_view() >= 0:
            raise ValueError(f"{doing} from a true state, not from a view: determinise it first")

    def _require_going(self, str what):
        self._require_truth(f"{what} counted")
        if self.c_turn() < 0:
            raise ValueError(f"{what} of a round that is not over")

    def _require_seat(self, int seat):
        if not 0 <= seat < self.rules.players:
            raise ValueError(f"expected seat 0..{self.rules.players - 1}, got {seat}")


cdef int _check_depth(depth, int least) except -1:
    # Every turn takes a list of moves from the stack.
    if not (isinstance(depth, int) and least <= depth <= 100):
        raise ValueError(f"depth: expected {least} to 100, got {depth!r}")
    return 0


cdef uint64_t _perft(State state, int depth) except? 0:
    """Counts lines of play depth first, with undo (docs/notation.md)."""
    cdef move_t moves[MAX_MOVES]
    cdef undo_t undo
    cdef uint64_t total = 0
    cdef int i
    cdef int n
    if depth == 0:
        return 1
    n = state.c_legal_moves(moves)
    if depth == 1:
        return n
    if depth >= 4:
        PyErr_CheckSignals()
    for i in range(n):
        state.c_apply(moves[i], &undo)
        total += _perft(state, depth - 1)
        state.c_undo(&undo)
    return total


cdef bint _line_of_keys(State world, State past, const move_t* moves, int n, uint64_t* keys) noexcept nogil:
    """Fills in the keys of all states of the round, first to last; False: the moves did not lead to this world, or the
    game cannot say. `past` is scratch."""
    cdef int i
    if not world.c_rewind(moves, n, past):
        return False
    for i in range(n):
        if not past.c_is_legal(moves[i]):
            return False
        past.c_key(&keys[2 * i])
        past.c_apply(moves[i], NULL)
    past.c_key(&keys[2 * n])
    return past.c_hash() == world.c_hash()
