"""The contract that search and harness are written against: a State of a game for up to 6 seats.

A game is a flat C struct with inline `noun_verb` functions in its own .pxd; its State forwards to them. Every
`c_*` method is nogil, allocates nothing and checks nothing: preconditions are stated here, and the Python twins
(`name` for `c_name`) check them.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t

from cython_core.rng cimport rng_t

cpdef enum:
    MAX_SEATS = 6
    MAX_MOVES = 6656  # at least Rules.max_moves of every game
    REWARDS = 512  # size of a table of rewards
    MOVE_GROUPS = 256
    MAX_FEATURES = 64  # per seat: at least the features of every game

# A move's number under its rules; 0 is no move.
ctypedef uint32_t move_t

# Room for the undo record of any game.
ctypedef struct undo_t:
    uint64_t words[12]

cdef enum Policy:
    RANDOM = 0  # uniform over the legal moves
    GREEDY = 1  # the game's own heuristic


# Fills the two words of c_key with a hash of what repetition_key returns.
cdef int key_of_bytes(bytes data, uint64_t* key) except -1


cdef class Move:
    cdef readonly Rules rules
    cdef readonly move_t code


cdef class Rules:
    cdef readonly str game
    cdef readonly str deck
    cdef readonly int players
    cdef readonly int max_moves
    cdef readonly int repetition
    cdef readonly int max_turns
    cdef readonly int max_rounds
    # The Python object of a move.
    cdef Move wrap(self, move_t move)


cdef class Undo:
    cdef undo_t record


cdef class State:
    cdef readonly Rules rules

    # A state of the same rules, its contents undefined until something is copied into it.
    cdef State blank(self)

    # The copy from which perft counts: the game may lift rules that perft ignores.
    cdef State perft_root(self)

    # Makes this state equal to `other`, a state of the same rules.
    cdef void c_copy_from(self, State other) noexcept nogil
    # The seat to move, -1 when the round is over.
    cdef int c_turn(self) noexcept nogil
    # The seat whose knowledge this is, -1: the true state.
    cdef int c_view(self) noexcept nogil
    # Writes the legal moves, ascending, and returns how many; `moves` has room for Rules.max_moves. None when the
    # round is over. In a view: only for the view's own seat.
    cdef int c_legal_moves(self, move_t* moves) noexcept nogil
    # Whether the move is legal; in a view for another seat's turn: whether it may be. Any number will do.
    cdef bint c_is_legal(self, move_t move) noexcept nogil
    # Plays a legal move, in a view one that says what it shows (c_seen_move). `undo` may be NULL.
    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil
    # Takes back the last move from its record: the state is bit for bit what it was.
    cdef void c_undo(self, const undo_t* undo) noexcept nogil
    # Per seat: points that the round gave; what it did not give is split equally among the seats still in.
    cdef void c_payoffs(self, double* payoffs) noexcept nogil
    # Per seat: 1 came first, 2 second, 0: undecided or behind them.
    cdef void c_ranks(self, int8_t* ranks) noexcept nogil
    # Fills the game's own table of what each outcome of a round is worth to each seat, from 0 to 1: `tokens`, what the
    # round gives, or `match`, the chance to win the match from the tokens in this state, or `first`, `second`: 1 to the
    # seat with that place, 0 to all if nobody has it.
    cdef int fill_rewards(self, str kind, double* table) except -1
    # Per seat, by such a table: the reward of the outcome; what is undecided counts as shared by the seats still in.
    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil
    # Per seat, by such a table: the reward to expect of this true state, by the game's evaluation.
    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil
    # Per seat: how likely it is to come next in the order of the round, up to a factor, by the game's evaluation; 0: it
    # has come. Returns whether the game has such an evaluation. Of a true state that is not over.
    cdef bint c_weights(self, double* weights) noexcept nogil
    # Per seat, by a table of rewards: the reward to expect when who comes next is drawn in proportion to such weights,
    # and who comes after that in proportion to those of `later` (both may be the same), or by the game's own model of
    # it. Weights are positive; those of seats that have come are ignored.
    cdef void c_expect(
        self, const double* weights, const double* later, const double* table, double* rewards
    ) noexcept nogil
    # The game's features, Rules.feature_names(), of this true state that is not over: row by row, a seat each, all 0
    # for a seat that has come. None in a game without features.
    cdef void c_features(self, double* features) noexcept nogil
    # Makes `view` what `seat` may know of this state. In a view: only its own seat.
    cdef void c_observe(self, int seat, State view) noexcept nogil
    # Makes `world` one true state, drawn uniformly from those that agree with this view. Only in a view.
    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil
    # How many true states agree with this view, those that c_determinise draws from, each equally likely; limit + 1:
    # more than `limit`, which is below 2**30; -1: the game cannot list them. Only in a view.
    cdef int c_count_worlds(self, int limit) noexcept nogil
    # Makes `world` the one with this index, in an order that the view alone decides; `index` is below what
    # c_count_worlds returned for some limit that they keep.
    cdef void c_world(self, int index, State world) noexcept nogil
    # Makes `start` the true state in which the round began, if these public moves, the first of the round first, led
    # from there to this true state; returns False if they did not, or the game cannot say. What is returned is only
    # certain once the moves are played from there.
    cdef bint c_rewind(self, const move_t* moves, int n, State start) noexcept nogil
    # Names in this view what chance has shown to its seat alone, like a card that it drew; `truth` is the state that it
    # is the view of. Nothing to do in a game without such chance.
    cdef void c_reveal(self, State truth) noexcept nogil
    # The number of the move as `seat` observes it; `merge`: the same for moves that are alike (their cards aside).
    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil
    # The legal move as `seat` sees it happen: the cards that chance shows to that seat (one that it draws, one that is
    # turned over) are part of it. Its view is moved on by this one, and by the bare move where it shows nothing. Only
    # in a true state.
    cdef move_t c_seen_move(self, move_t move, int seat) noexcept nogil
    # Number of the group of alike moves that this one is of, below MOVE_GROUPS; 0: it stands alone.
    cdef int c_move_group(self, move_t move) noexcept nogil
    # A probability for each of these legal moves, by the game's heuristic: how good it looks. In a view: own turn.
    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil
    # Equal for equal states, in any process.
    cdef uint64_t c_hash(self) noexcept nogil
    # Two words, equal for true states that are the same for the rest of the round (those that the rule on repetition
    # counts as one), and for others different but for a chance of about 2**-128.
    cdef void c_key(self, uint64_t* key) noexcept nogil
    # The cards in hands and on the table, of which endings are made; -1: the game does not say.
    cdef int c_live_cards(self) noexcept nogil
    # The move of the game's heuristic, with chance `epsilon` a random one. The round is not over; in a view: own turn.
    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil
    # Plays this true state on by a policy, to the end or for `max_turns`; returns the turns played.
    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil

    # Whether code of the game itself has raised an error, which only games in Python can. The state then stands still,
    # all its answers valid and without meaning, until `raise_pending`.
    cdef bint c_failed(self) noexcept nogil
    # Raises that error, once.
    cdef int raise_pending(self) except -1

    cdef move_t _code(self, move) except? 0
