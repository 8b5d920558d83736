"""Base classes of games in plain Python: every c_* method takes the GIL and asks the game.

Errors of the game's code cannot pass through the nogil contract. The first is kept, and from then on the states that
were made from one another stand still: one legal move that changes nothing, and no more calls of the game's code. So a
search comes to its end with valid numbers everywhere, and `raise_pending` then raises what was kept.
"""

from functools import wraps
from hashlib import blake2b

from libc.stdint cimport int8_t, uint64_t

from cython_core.game cimport (
    MAX_MOVES, MAX_SEATS, MOVE_GROUPS, Move, Policy, Rules, State, key_of_bytes, move_t, undo_t,
)
from cython_core.rng cimport Rng, rng_below, rng_double, rng_t

cdef enum:
    STANDSTILL = 1  # the move of a state that stands still

_KINDS = ("tokens", "match", "first", "second")
_PLACES = 2  # from here on they are places


cdef class PythonMove(Move):
    def __str__(self):
        return self.rules.move_text(self.code)


cdef class PythonRules(Rules):
    def __init__(
        self, game, int players, int max_moves, points, *, deck="", int repetition=0, int max_turns=1000,
        int max_rounds=1,
    ):
        if not 2 <= players <= MAX_SEATS:
            raise ValueError(f"players: expected 2 to {MAX_SEATS}, got {players}")
        if not 1 <= max_moves <= MAX_MOVES:
            raise ValueError(f"max_moves: expected 1 to {MAX_MOVES}, got {max_moves}")
        self.low, self.high = points
        if not self.low < self.high:
            raise ValueError(f"points: expected the lowest and the highest that a seat can get, got {points!r}")
        self.game = game
        self.deck = deck
        self.players = players
        self.max_moves = max_moves
        self.repetition = repetition
        self.max_turns = max_turns
        self.max_rounds = max_rounds

    cdef Move wrap(self, move_t move):
        cdef PythonMove wrapped = PythonMove.__new__(PythonMove)
        wrapped.rules = self
        wrapped.code = move
        return wrapped

    def move_text(self, code):
        return str(code)

    def options(self):
        return {}

    def _key(self):
        return (self.game, self.players, self.max_moves, (self.low, self.high), self.deck, self.repetition,
                self.max_turns, self.max_rounds)

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key() and self.options() == other.options()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"<{self.game} rules players={self.players}>"

    def __reduce__(self):
        return _unpickle_rules, (type(self), self._key(), getattr(self, "__dict__", {}))


def _unpickle_rules(kind, key, attributes):
    game, players, max_moves, points, deck, repetition, max_turns, max_rounds = key
    rules = kind.__new__(kind)
    PythonRules.__init__(
        rules, game, players, max_moves, points, deck=deck, repetition=repetition, max_turns=max_turns,
        max_rounds=max_rounds,
    )
    if attributes:
        rules.__dict__.update(attributes)
    return rules


cdef class Fault:
    pass


def _raising(method):
    """The checked twin, which then raises what the game's code raised meanwhile."""
    @wraps(method)
    def twin(self, *args, **kwargs):
        found = failure = None
        try:
            found = method(self, *args, **kwargs)
        except Exception as error:
            failure = error
        (<PythonState?>self).raise_pending()
        if failure is not None:
            raise failure
        return found
    return twin


# Those of a state whose class forgot to call the constructor of its base: nothing to play, but nothing crashes.
cdef PythonRules _NO_RULES = PythonRules("unmade", 2, 1, (0, 1))


cdef class PythonState(State):
    def __cinit__(self, *args, **kwargs):
        self.rules = _NO_RULES
        self.fault = Fault()
        self.turn_seat = -1
        self.view_seat = -1

    def __init__(self, PythonRules rules not None, data, view=None):
        self.rules = rules
        if view is not None:
            self._require_seat(view)
        self._become(data, -1 if view is None else view)
        self.check()

    # --- what a game writes

    def get_turn(self):
        raise NotImplementedError("a game says whose turn it is")

    def legal_codes(self):
        raise NotImplementedError("a game lists its legal moves")

    def play(self, code):
        raise NotImplementedError("a game plays its moves")

    def hide(self, seat):
        raise NotImplementedError("a game hides what a seat may not know")

    def deal_hidden(self, rng):
        raise NotImplementedError("a game deals what a view does not know")

    def get_points(self):
        raise NotImplementedError("a game gives points")

    # --- what a game may write

    def may_play(self, code):
        return code in self.legal_codes()

    def get_ranks(self):
        points = list(self.get_points())
        best = max(points)
        alone = self.turn_seat < 0 and points.count(best) == 1
        return [int(alone and point == best) for point in points]

    def get_rewards(self, kind):
        cdef PythonRules rules = self.rules
        points = list(self.get_points())
        if kind == "tokens":
            return [(point - rules.low) / (rules.high - rules.low) for point in points]
        if self.turn_seat >= 0:
            return [1.0 / len(points)] * len(points)
        best = max(points)
        return [1.0 / points.count(best) if point == best else 0.0 for point in points]

    def evaluate(self, kind):
        return self.get_rewards(kind)

    def choose_greedy(self, rng):
        return rng.choice(self.legal_codes())

    def get_priors(self, codes):
        return [1.0 / len(codes)] * len(codes)

    def get_key(self, code, seat, merge):
        return code

    def get_group(self, code):
        return 0

    def check(self):
        try:
            hash(self.data)
        except TypeError as error:
            raise ValueError(f"data: expected an immutable value, got {self.data!r}") from error

    # --- the state itself

    cdef int _become(self, data, int view) except -1:
        """Takes on data and whose turn that makes it, or, if the game fails to say, stays as it is."""
        before = self.data
        view_before = self.view_seat
        self.data = data
        self.view_seat = view
        try:
            turn = self.get_turn()
            if turn is not None and not 0 <= turn < self.rules.players:
                raise ValueError(f"get_turn: expected None or seat 0..{self.rules.players - 1}, got {turn!r}")
        except BaseException:
            self.data = before
            self.view_seat = view_before
            raise
        self.turn_seat = -1 if turn is None else turn
        return 0

    cdef State blank(self):
        kind = type(self)
        cdef PythonState state = kind.__new__(kind)
        state.rules = self.rules
        state.fault = self.fault
        return state

    cdef void _fail(self, error):
        if not self.fault.failed:
            self.fault.error = error
            self.fault.failed = True

    cdef bint c_failed(self) noexcept nogil:
        return self.fault.failed

    cdef int raise_pending(self) except -1:
        if self.fault.failed:
            error = self.fault.error
            self.fault.error = None
            self.fault.failed = False
            raise error
        return 0

    cdef list _codes(self):
        """The legal moves, in a form that the search can rely on."""
        if self.turn_seat < 0:
            return []
        codes = list(self.legal_codes())
        if not codes:
            raise ValueError(f"legal_codes: expected at least one move in {self}")
        if len(codes) > self.rules.max_moves:
            raise ValueError(f"legal_codes: expected at most {self.rules.max_moves} moves, got {len(codes)} in {self}")
        last = 0
        for code in codes:
            if not last < code < 2**32:
                raise ValueError(f"legal_codes: expected ascending numbers of 1 and more, got {codes!r} in {self}")
            last = code
        return codes

    cdef move_t _greedy(self, rng_t* rng, double epsilon) except 0:
        cdef Rng face
        codes = self._codes()
        if epsilon > 0 and rng_double(rng) < epsilon:
            return codes[rng_below(rng, len(codes))]
        face = _face(rng)
        code = self.choose_greedy(face)
        rng[0] = face.stream
        if code not in codes:
            raise ValueError(f"choose_greedy: expected one of {codes!r}, got {code!r} in {self}")
        return code

    cdef object _deal(self, rng_t* rng):
        cdef Rng face = _face(rng)
        data = self.deal_hidden(face)
        rng[0] = face.stream
        return data

    cdef int _rewards(self, const double* table, double* rewards, bint evaluate) except -1:
        cdef int8_t ranks[MAX_SEATS]
        cdef int seat
        if table[0] >= _PLACES:
            self.c_ranks(ranks)
            for seat in range(self.rules.players):
                rewards[seat] = ranks[seat] == <int>table[0] - _PLACES + 1
            return 0
        kind = _KINDS[<int>table[0]]
        found = self.evaluate(kind) if evaluate else self.get_rewards(kind)
        return _fill(rewards, found, self.rules.players, "evaluate" if evaluate else "get_rewards")

    # --- the contract of game.pxd

    cdef int c_turn(self) noexcept nogil:
        return self.turn_seat

    cdef int c_view(self) noexcept nogil:
        return self.view_seat

    cdef void c_copy_from(self, State other) noexcept nogil:
        with gil:
            self.data = (<PythonState>other).data
            self.past = (<PythonState>other).past
            self.fault = (<PythonState>other).fault
        self.turn_seat = (<PythonState>other).turn_seat
        self.view_seat = (<PythonState>other).view_seat

    cdef int c_legal_moves(self, move_t* moves) noexcept nogil:
        cdef int n = 0
        if not self.fault.failed:
            with gil:
                try:
                    for code in self._codes():
                        moves[n] = code
                        n += 1
                    return n
                except BaseException as error:
                    self._fail(error)
        moves[0] = STANDSTILL
        return 1

    cdef bint c_is_legal(self, move_t move) noexcept nogil:
        if self.turn_seat < 0 or self.fault.failed:
            return False
        with gil:
            try:
                if self.view_seat in (-1, self.turn_seat):
                    return move in self._codes()
                return bool(self.may_play(move))
            except BaseException as error:
                self._fail(error)
        return False

    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil:
        if self.fault.failed:
            return
        with gil:
            try:
                before = self.data
                self._become(self.play(move), self.view_seat)
                if undo != NULL:
                    self.past = (before, self.past)
            except BaseException as error:
                self._fail(error)

    cdef void c_undo(self, const undo_t* undo) noexcept nogil:
        if self.fault.failed:
            return
        with gil:
            try:
                if self.past is None:
                    raise ValueError(f"there is no move to undo in {self}")
                self._become(self.past[0], self.view_seat)
                self.past = self.past[1]
            except BaseException as error:
                self._fail(error)

    cdef void c_payoffs(self, double* payoffs) noexcept nogil:
        cdef int seat
        for seat in range(self.rules.players):
            payoffs[seat] = 0
        if self.fault.failed:
            return
        with gil:
            try:
                _fill(payoffs, self.get_points(), self.rules.players, "get_points")
            except BaseException as error:
                self._fail(error)

    cdef void c_ranks(self, int8_t* ranks) noexcept nogil:
        cdef int seat
        for seat in range(self.rules.players):
            ranks[seat] = 0
        if self.fault.failed:
            return
        with gil:
            try:
                for seat, rank in zip(range(self.rules.players), self.get_ranks(), strict=True):
                    ranks[seat] = rank
            except BaseException as error:
                self._fail(error)

    cdef int fill_rewards(self, str kind, double* table) except -1:
        # The game is asked for the rewards of each outcome; the table only says which kind.
        if kind not in _KINDS:
            raise ValueError(f"reward: expected 'tokens' or 'match', got {kind!r}")
        table[0] = _KINDS.index(kind)
        return 0

    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil:
        cdef int seat
        for seat in range(self.rules.players):
            rewards[seat] = 0
        if self.fault.failed:
            return
        with gil:
            try:
                self._rewards(table, rewards, False)
            except BaseException as error:
                self._fail(error)

    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil:
        cdef int seat
        for seat in range(self.rules.players):
            rewards[seat] = 0
        if self.fault.failed:
            return
        with gil:
            try:
                self._rewards(table, rewards, True)
            except BaseException as error:
                self._fail(error)

    cdef void c_observe(self, int seat, State view) noexcept nogil:
        view.c_copy_from(self)
        if self.fault.failed or self.view_seat == seat:
            return
        with gil:
            try:
                (<PythonState>view).past = None
                (<PythonState>view)._become(self.hide(seat), seat)
            except BaseException as error:
                self._fail(error)

    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil:
        world.c_copy_from(self)
        if self.fault.failed:
            return
        with gil:
            try:
                (<PythonState>world).past = None
                (<PythonState>world)._become(self._deal(rng), -1)
            except BaseException as error:
                self._fail(error)

    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil:
        if self.fault.failed:
            return move
        with gil:
            try:
                return self.get_key(move, seat, bool(merge))
            except BaseException as error:
                self._fail(error)
        return move

    cdef int c_move_group(self, move_t move) noexcept nogil:
        if self.fault.failed:
            return 0
        with gil:
            try:
                group = self.get_group(move)
                if not 0 <= group < MOVE_GROUPS:
                    raise ValueError(f"get_group: expected 0..{MOVE_GROUPS - 1}, got {group!r}")
                return group
            except BaseException as error:
                self._fail(error)
        return 0

    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil:
        cdef int i
        for i in range(n):
            priors[i] = 1.0 / n
        if self.fault.failed:
            return
        with gil:
            try:
                _fill(priors, self.get_priors([moves[i] for i in range(n)]), n, "get_priors")
            except BaseException as error:
                self._fail(error)

    cdef uint64_t c_hash(self) noexcept nogil:
        with gil:
            try:
                return int.from_bytes(blake2b(self.to_bytes(), digest_size=8).digest(), "little")
            except BaseException as error:
                self._fail(error)
        return 0

    cdef void c_key(self, uint64_t* key) noexcept nogil:
        key[0] = 0
        key[1] = 0
        if self.fault.failed:
            return
        with gil:
            try:
                key_of_bytes(self.repetition_key(), key)
            except BaseException as error:
                self._fail(error)

    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil:
        if self.fault.failed:
            return STANDSTILL
        with gil:
            try:
                return self._greedy(rng, epsilon)
            except BaseException as error:
                self._fail(error)
        return STANDSTILL

    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil:
        cdef int turns = 0
        if self.fault.failed:
            return turns
        with gil:
            try:
                while self.turn_seat >= 0 and turns < max_turns and not self.fault.failed:
                    if policy == Policy.GREEDY:
                        code = self._greedy(rng, epsilon)
                    else:
                        codes = self._codes()
                        code = codes[rng_below(rng, len(codes))]
                    self._become(self.play(code), self.view_seat)
                    turns += 1
            except BaseException as error:
                self._fail(error)
        return turns

    # --- the twins, which let the errors of the game's code come through

    legal_moves = _raising(State.legal_moves)
    is_legal = _raising(State.is_legal)
    apply = _raising(State.apply)
    undo = _raising(State.undo)
    payoffs = _raising(State.payoffs)
    ranks = _raising(State.ranks)
    observe = _raising(State.observe)
    determinise = _raising(State.determinise)
    move_key = _raising(State.move_key)
    move_group = _raising(State.move_group)
    rewards = _raising(State.rewards)
    priors = _raising(State.priors)
    perft = _raising(State.perft)
    perft_divide = _raising(State.perft_divide)
    greedy_move = _raising(State.greedy_move)
    rollout = _raising(State.rollout)

    def result(self):
        if self.turn_seat >= 0:
            return (0,) * self.rules.players
        return tuple(self.get_points())

    def repetition_key(self):
        self._require_truth("repetition_key is taken")
        return self.to_bytes()

    def to_bytes(self):
        return f"{self.view_seat} {self.data!r}".encode()

    def __str__(self):
        view = "" if self.view_seat < 0 else f" view={self.view_seat}"
        turn = "-" if self.turn_seat < 0 else self.turn_seat
        return f"{self.rules.game}:{self.rules.players}{view} turn={turn} data={self.data!r}"

    def __reduce__(self):
        return type(self), (self.rules, self.data, self.view)


cdef Rng _face(rng_t* rng):
    """The stream as the game's code can use it; afterwards it must be copied back."""
    cdef Rng face = Rng.__new__(Rng)
    face.stream = rng[0]
    return face


cdef int _fill(double* numbers, found, int n, str name) except -1:
    """copies what a method of the game returned."""
    cdef int i = 0
    found = list(found)
    if len(found) != n:
        raise ValueError(f"{name}: expected {n} numbers, got {found!r}")
    for i in range(n):
        numbers[i] = found[i]
    return 0
