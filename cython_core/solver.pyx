"""Endings with all cards open, solved: proofs first (prover.pyx), then the graph of all states (ending_graph.pyx).

With two seats and one prize most moves are proven to win or to lose within some turns, and never more states are looked
at than these proofs need. What they leave open, draws above all, is settled by the graph, in which again every state
from which somebody wins soon is proven, not listed. With more seats, or several prizes, it is the graph alone.
"""

from libc.stdint cimport uint32_t, uint64_t

from cython_core.ending_graph cimport DECIDED, EndingGraph, GraphNode
from cython_core.game cimport State, undo_t
from cython_core.prover cimport PROOF_DEPTH, Prover

from cython_core.solution import Solution, SolvedMove

cdef enum:
    PART = 4  # one node in so many goes to the proofs of the root's moves

cdef double EPS = 1e-9


cdef class Solver(EndingGraph):
    def solve(self, State state not None, int depth=50, bint every_move=True):
        cdef State scratch
        if depth < 0:
            raise ValueError(f"depth: expected 0 or more, got {depth}")
        state._require_truth("solving starts")
        if state.c_turn() < 0:
            return Solution(state.rewards(), True, (), (), 1)
        scratch = state.copy()
        scratch.fill_rewards("tokens", self.rewards)
        scratch.c_rewards(self.rewards, self.endless)
        self.seats = scratch.rules.players
        self.proving = self.seats == 2
        if self.proving:
            if self.prover is None or self.prover.rules != scratch.rules:
                self.prover = Prover(scratch, self.node_limit)
            moves = self._prove(scratch, every_move)
            won = any([move.outcome == "win" for move in moves])
            if moves and (all([move.exact for move in moves]) or (won and not every_move)):
                return self._solution(scratch, moves, self.prover.nodes)
        else:
            moves = []
        graph = self._list(scratch, depth)
        nodes = self.n_nodes + (self.prover.nodes if self.proving else 0)
        return self._solution(scratch, graph or moves, nodes)

    def _prove(self, State state, bint every_move):
        """What proofs say of each move, or only of the soonest that wins; nothing if there is more than one prize."""
        cdef Prover prover = self.prover
        cdef undo_t undo
        cdef int depth, i, winner
        cdef uint32_t limit = max(1, self.node_limit // PART)
        cdef int turn = state.c_turn()
        codes = [move.code for move in state.legal_moves()]
        found = [None] * len(codes)
        prover.begin(self.rewards)
        depth = 0
        while depth < PROOF_DEPTH and None in found and not prover.stopped and prover.nodes < limit:
            for i in range(len(codes)):
                if found[i] is not None:
                    continue
                state.c_apply(codes[i], &undo)
                winner = -1
                if depth == 0:
                    if state.c_turn() < 0:
                        winner = prover.winner_of(state, self.endless)
                        found[i] = (winner, 1)
                elif not prover.stopped:
                    winner = prover.prove(state, depth, limit)
                    if winner >= 0:
                        found[i] = (winner, depth + 1)
                state.c_undo(&undo)
            state.raise_pending()
            depth += 1
            if not every_move and any([proof is not None and proof[0] == turn for proof in found]):
                break
        if prover.mixed:
            self.proving = False
            return []
        made = []
        for code, proof in zip(codes, found, strict=True):
            winner = -1 if proof is None else proof[0]
            values = [self.endless[seat] if winner < 0 else float(seat == winner) for seat in range(2)]
            distance = None if proof is None else proof[1]
            made.append(self._move(state, code, tuple(values), distance, proof is not None))
        return made

    def _list(self, State state, int depth):
        """What the graph of all states says of each move; nothing if it is too large."""
        cdef uint64_t key[2]
        cdef GraphNode* root
        cdef GraphNode* child
        cdef bint room
        cdef uint32_t at
        self.clear()
        with nogil:
            state.c_key(key)
            self.find_or_add(key)
            room = self.explore(state, 0)
            if room and not state.c_failed():
                self.decide_all()
        state.raise_pending()
        if not room:
            return []
        self.look_ahead(depth)
        root = &self.nodes[0]
        made = []
        for at in range(root.edges, root.edges + root.n_edges):
            child = &self.nodes[self.edges[at].child]
            values = tuple([child.reward[seat] for seat in range(self.seats)])
            exact = child.status == DECIDED
            distance = child.rank + 1 if exact and child.rank < self.endless_from else None
            made.append(self._move(state, self.edges[at].move, values, distance, exact))
        return made

    def _move(self, State state, code, values, distance, exact):
        value = values[state.turn]
        endless = self.endless[state.c_turn()]
        outcome = "win" if value > endless + EPS else "loss" if value < endless - EPS else "draw"
        return SolvedMove(state.rules.wrap(code), value, values, outcome, distance, exact)

    def _solution(self, State state, moves, nodes):
        """The moves that are equally good by the tie-break, and whether no move that is not certain can be better."""
        if not moves:
            return Solution(state.rewards(), False, (), (), nodes)
        top = max([move.value for move in moves])
        sure = all([move.exact for move in moves])
        best = [move for move in moves if move.value > top - EPS]
        if any([move.exact for move in best]):
            best = [move for move in best if move.exact]
            sure = sure or self._is_most(state, top)
        turns = [float("inf") if move.distance is None else move.distance for move in best]
        soon = best[0].outcome == "win" or self._is_most(state, top)
        wanted = min(turns) if soon else max(turns)
        best = [move for move, distance in zip(best, turns, strict=True) if distance == wanted]
        return Solution(best[0].values, sure, tuple(moves), tuple([move.move for move in best]), nodes)

    def _is_most(self, State state, double value):
        """Whether the seat to move can get no more than this in any way."""
        return value > 1 - EPS or (not self.proving and value > self.nodes[0].bound - EPS)
