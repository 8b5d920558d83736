"""Proofs of who wins, to a growing depth: alpha-beta without a score, and a table of what is known of each state.

"Within d turns" depends on the state and d alone, not on the way there, so cycles do no harm, and an entry of the table
holds wherever it is met. What nobody can force within any depth is a draw, which no depth proves: that is for
solver.pyx. Deepened turn by turn (iterative deepening: Korf, Artificial Intelligence 27, 1985), the first depth that
proves something is the exact distance.
"""

from libc.math cimport fabs
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cython_core.game cimport MAX_SEATS, REWARDS, State, move_t

cdef double EPS = 1e-9


cdef int prover_enter(ProverEntry* entry, int winner, int within) noexcept nogil:
    entry.seat = winner
    entry.within = within
    return winner


cdef class Prover:
    def __cinit__(self, State state not None, int node_limit=1 << 20):
        if node_limit < 1:
            raise ValueError(f"node_limit: expected 1 or more, got {node_limit}")
        cdef size_t n = 1
        cdef size_t room = <size_t>(PROOF_DEPTH + 1) * state.rules.max_moves
        while n < 2 * <size_t>node_limit:
            n *= 2
        self.rules = state.rules
        self.node_limit = node_limit
        self.mask = n - 1
        self.entries = <ProverEntry*>calloc(n, sizeof(ProverEntry))
        self.frames = <ProverFrame*>malloc((PROOF_DEPTH + 1) * sizeof(ProverFrame))
        self.moves = <move_t*>malloc(room * sizeof(move_t))
        self.keys = <uint64_t*>malloc(2 * room * sizeof(uint64_t))
        if not (self.entries and self.frames and self.moves and self.keys):
            raise MemoryError("no memory for a prover")

    def __dealloc__(self):
        free(self.entries)
        free(self.frames)
        free(self.moves)
        free(self.keys)

    cdef void begin(self, const double* table) noexcept nogil:
        memcpy(self.rewards, table, sizeof(self.rewards))
        self.search += 1
        self.used = 0
        self.nodes = 0
        self.mixed = False
        self.stopped = False
        if self.search == 0:
            memset(self.entries, 0, (<size_t>self.mask + 1) * sizeof(ProverEntry))
            self.search = 1

    cdef ProverEntry* find_only(self, const uint64_t* key) noexcept nogil:
        """The entry of this key, or NULL."""
        cdef uint32_t slot = <uint32_t>key[0] & self.mask
        cdef ProverEntry* entry = &self.entries[slot]
        while entry.search == self.search:
            if entry.key[0] == key[0] and entry.key[1] == key[1]:
                return entry
            slot = (slot + 1) & self.mask
            entry = &self.entries[slot]
        return NULL

    cdef ProverEntry* find(self, const uint64_t* key) noexcept nogil:
        """The entry of this key, a new one if there was none; NULL if there is no room."""
        cdef ProverEntry* entry = self.find_only(key)
        cdef uint32_t slot = <uint32_t>key[0] & self.mask
        if entry != NULL:
            return entry
        while self.entries[slot].search == self.search:
            slot = (slot + 1) & self.mask
        entry = &self.entries[slot]
        if self.used == <uint32_t>self.node_limit:
            return NULL
        self.used += 1
        entry.key[0] = key[0]
        entry.key[1] = key[1]
        entry.search = self.search
        entry.seat = -1
        entry.within = 0
        entry.open = 0
        return entry

    cdef int winner_of(self, State state, const double* endless) noexcept nogil:
        """Of an end: the seat that gets all there is, 1, the other nothing; or -1, and what an endless round gives.

        Sets `mixed` if it is neither.
        """
        cdef double reward[MAX_SEATS]
        cdef int winner
        state.c_rewards(self.rewards, reward)
        winner = 0 if reward[0] > reward[1] else 1
        if reward[winner] > 1 - EPS and reward[1 - winner] < EPS:
            return winner
        if fabs(reward[0] - endless[0]) > EPS or fabs(reward[1] - endless[1]) > EPS:
            self.mixed = True
        return -1

    cdef int prove(self, State state, int depth, uint32_t nodes) noexcept nogil:
        cdef uint64_t key[2]
        self.stopped = False
        self.stop_at = self.nodes + nodes
        self.top = 0
        state.c_key(key)
        return self.look(state, key, min(depth, PROOF_DEPTH), 0)

    cdef int deepen(self, State state, int deepest, uint32_t nodes) noexcept nogil:
        cdef int winner = -1
        cdef int depth = 0
        cdef uint32_t begun = self.nodes
        self.within = 0
        self.stopped = self.mixed
        while winner < 0 and depth < deepest and not self.stopped and self.nodes - begun < nodes:
            depth += 1
            winner = self.prove(state, depth, nodes - (self.nodes - begun))
        self.within = depth
        return -1 if self.mixed else winner

    cdef int look(self, State state, const uint64_t* key, int depth, int ply) noexcept nogil:
        """The winner of the state within `depth` turns, or -1; `ply` turns lie behind it."""
        cdef ProverFrame* frame = &self.frames[ply]
        cdef ProverEntry* entry = self.find(key)
        cdef ProverEntry* child
        cdef double endless[MAX_SEATS]
        cdef move_t* moves
        cdef uint64_t* keys
        cdef int turn, n, i, winner, length
        cdef int lost = 0  # moves after which the other seat wins
        cdef int within = 0
        cdef bint known
        if entry == NULL or self.nodes >= self.stop_at or self.mixed:
            self.stopped = True
            return -1
        if entry.seat >= 0 and entry.within <= depth:
            return entry.seat
        if entry.open >= depth:
            return -1
        self.nodes += 1
        turn = state.c_turn()
        state.c_rewards(self.rewards, endless)
        moves = &self.moves[self.top]
        keys = &self.keys[2 * self.top]
        n = state.c_legal_moves(moves)
        # First only the ends, and what is known of the successors. Moves that need no look lose their code.
        for i in range(n - 1, -1, -1):
            winner = -1
            length = 1
            known = True
            state.c_apply(moves[i], &frame.undo)
            if state.c_turn() < 0:
                winner = self.winner_of(state, endless)
            elif depth > 1:
                state.c_key(&keys[2 * i])
                child = self.find_only(&keys[2 * i])
                known = child != NULL and (child.open >= depth - 1 or (child.seat >= 0 and child.within < depth))
                if known and child.seat >= 0 and child.within < depth:
                    winner = child.seat
                    length = child.within + 1
            state.c_undo(&frame.undo)
            if winner == turn:
                return prover_enter(entry, turn, length)
            if winner >= 0:
                lost += 1
                within = max(within, length)
            if known:
                moves[i] = 0
        if depth > 1:
            self.top += n
            for i in range(n - 1, -1, -1):
                if moves[i] == 0:
                    continue
                state.c_apply(moves[i], &frame.undo)
                winner = self.look(state, &keys[2 * i], depth - 1, ply + 1)
                state.c_undo(&frame.undo)
                if self.stopped:
                    break
                if winner >= 0:
                    length = self.find_only(&keys[2 * i]).within + 1
                    if winner == turn:
                        self.top -= n
                        return prover_enter(entry, turn, length)
                    lost += 1
                    within = max(within, length)
            self.top -= n
            if self.stopped:
                return -1
        if lost == n:
            return prover_enter(entry, 1 - turn, within)
        entry.open = depth
        return -1

    # --- the face

    def reset(self, State state not None):
        cdef double table[REWARDS]
        if state.rules.players != 2 or state.rules != self.rules:
            raise ValueError(f"expected a state of the rules that the prover was made for, with 2 players, got {state}")
        state.fill_rewards("tokens", table)
        self.begin(table)

    def winner(self, State state not None, int deepest=40, int nodes=100_000):
        cdef int winner
        cdef State scratch
        if self.search == 0 or state.rules != self.rules:
            raise ValueError("reset the prover for a state of these rules first")
        if state.c_turn() < 0:
            raise ValueError("the round is over")
        state._require_truth("a proof starts")
        scratch = state.copy()
        with nogil:
            winner = self.deepen(scratch, deepest, nodes)
        scratch.raise_pending()
        return None if winner < 0 else (winner, self.within)
