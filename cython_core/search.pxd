"""One tree search for every game and every bot: what it is told, and the worker that does it."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from cython_core.arena cimport Arena
from cython_core.belief cimport Belief
from cython_core.evaluation cimport Evaluator
from cython_core.game cimport REWARDS, State, move_t
from cython_core.rng cimport rng_t

cdef enum:
    MAX_DEPTH = 1024  # of a tree: a walk that goes deeper is rolled out from there
    BATCHES = 16  # samples of each root move's value, for its standard error
    MAST_MOVES = 2048  # kinds of moves that MAST tells apart, by hash
    ROLLOUT_CAP = 1000  # turns after which a rollout counts as undecided

cdef enum Selection:
    UCB1 = 0
    PUCT = 1

cdef enum Rollout:
    ROLLOUT_RANDOM = 0
    ROLLOUT_GREEDY = 1
    ROLLOUT_MAST = 2

cdef enum Opponents:
    MAXN = 0
    PARANOID = 1

cdef enum StopReason:
    STOPPED_BY_ITERATIONS = 0
    STOPPED_BY_WALL = 1
    STOPPED_BY_CPU = 2
    STOPPED_DECIDED = 3
    PAUSED = 4  # not stopped: `resume` goes on

ctypedef struct SearchOptions:
    int trees  # 0: a fresh world each iteration, one tree; K: K worlds, a tree each
    int max_depth  # deepest node below the root
    Selection selection
    Rollout rollout
    Opponents opponents
    bint merge  # opponents' plays by kind, value, number and zone only
    bint early_stop
    int max_listed  # as many worlds are listed and taken in turn, in place of random ones; 0: never
    int rollout_turns  # then the evaluation; ROLLOUT_CAP: none
    double exploration
    double first_play  # score of a move not yet tried; above 1: before all others
    double widening  # own subset choices of one group: 1 + widening * sqrt(visits); 0: all
    double epsilon
    double turn_cost
    double opponent_prior  # chance that an opponent in the tree moves by the model of its hand
    double opponent_temperature

ctypedef struct SearchBudget:
    uint64_t iterations  # 0: no limit
    double wall  # seconds; negative: no limit
    double cpu
    double cap  # of the clock too, but no part of what `decided` reckons with
    double pause  # when, on the clock, to come back before the end; negative: never


cdef class Searcher:
    cdef readonly State view
    cdef State world  # scratch: the world of this iteration
    cdef readonly Evaluator evaluator  # of leaves whose rollout was cut short
    cdef Belief belief  # where the worlds come from, unless `believes` is False
    cdef bint believes
    cdef SearchOptions options
    cdef SearchBudget budget
    cdef Arena arena
    cdef rng_t rng
    cdef uint32_t* listed  # indices of the view's or the belief's worlds, in the order of this pass
    cdef int room  # for such indices
    cdef int n_listed  # 0: worlds are drawn
    cdef int pass_at
    cdef uint32_t* tree_worlds  # listed world of each tree
    cdef rng_t* world_rngs  # options.trees streams: each draws its world anew, always the same
    cdef double rewards[REWARDS]  # the game's table of rewards by outcome
    cdef double place_rewards[2][REWARDS]  # its tables of who is first, and who second
    cdef bint places  # whether the root seat's places are counted
    cdef int seat  # the root's
    cdef int seats
    cdef int n_root
    cdef uint8_t* undecided  # [root move]: whether it ends an iteration as a round that is not decided
    cdef bint ended  # by such a move
    cdef int only  # the index of the one root move that is tried, negative: all are
    cdef move_t* root_moves
    cdef move_t* moves
    cdef uint64_t* keys
    cdef uint32_t* children
    cdef double* priors
    cdef uint32_t* path
    cdef double* batch_sum  # [root move][batch]: the root seat's reward
    cdef uint32_t* batch_count
    cdef double* place_sum  # [root move][first, second]: the root seat's chances
    cdef double* mast_sum  # [seat][hash of the move]
    cdef uint32_t* mast_count
    cdef uint32_t* mast_trail  # moves of this iteration, as indices into mast_sum
    cdef int n_trail
    cdef readonly uint64_t iterations
    cdef readonly uint64_t depth_sum
    cdef readonly uint64_t revisits
    cdef readonly uint64_t rollout_turns
    cdef readonly bint full
    cdef uint32_t next_tree
    cdef double wall_start
    cdef readonly double wall
    cdef readonly double cpu
    cdef StopReason stop

    cdef void run(self) noexcept nogil
    cdef uint32_t n_trees(self) noexcept nogil
    cdef int iterate(self, uint32_t tree, double* reward) noexcept nogil
    cdef void draw_world(self, uint32_t tree) noexcept nogil
    cdef uint32_t next_listed(self) noexcept nogil
    cdef int descend(self, uint32_t root, int* root_move) noexcept nogil
    cdef int choose(self, uint32_t node, int n) noexcept nogil
    cdef int model_move(self, int n) noexcept nogil
    cdef int roll_out(self, double* reward) noexcept nogil
    cdef void count_places(self, int root_move) noexcept nogil
    cdef int mast_rollout(self, int max_turns) noexcept nogil
    cdef void mast_learn(self, const double* reward) noexcept nogil
    cdef void back_up(self, int depth, int root_move, int batch, const double* reward) noexcept nogil
    cdef void list_worlds(self)
    cdef void listed_world(self, uint32_t index) noexcept nogil
    cdef bint out_of_budget(self, double cpu_start) noexcept nogil
    cdef bint decided(self, double share_used) noexcept nogil
