"""Monte Carlo tree search with hidden information: ISMCTS, determinised MCTS and flat Monte Carlo in one algorithm.

- A fresh world each iteration and one tree, children keyed by what the root seat observes, availability instead of
  parent visits in the selection: single-observer ISMCTS (Cowling, Powley, Whitehouse: Information Set Monte Carlo
  Tree Search, IEEE TCIAIG 4(2), 2012). Every seat's reward is backed up (max^n).
- K worlds and a tree each, root statistics summed: determinised MCTS (perfect information Monte Carlo).
- Nodes no deeper than 1: flat Monte Carlo with UCB1 at the root.
- On a true state the world is that state: the same search with all cards open.

One worker is one thread; nothing is shared between workers, and nothing allocated while one runs.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cython_core.arena cimport (
    NO_NODE, Arena, Node, arena_add, arena_allocate, arena_clear, arena_find, arena_free, arena_prefetch,
)
from cython_core.belief cimport Belief
from cython_core.clock cimport seconds
from cython_core.evaluation cimport Evaluator
from cython_core.game cimport MAX_SEATS, Policy, Rules, State, move_t
from cython_core.opponent cimport model_fill
from cython_core.rng cimport Rng, rng_below, rng_bits, rng_double, rng_t

cdef enum:
    CHECK_EVERY = 8  # iterations between two looks at the clock

cdef double BEFORE_ALL = 1e9

_SELECTIONS = {"ucb1": UCB1, "puct": PUCT}
_ROLLOUTS = {"random": ROLLOUT_RANDOM, "greedy": ROLLOUT_GREEDY, "mast": ROLLOUT_MAST}
_OPPONENTS = {"maxn": MAXN, "paranoid": PARANOID}
_STOPS = {
    STOPPED_BY_ITERATIONS: "iterations",
    STOPPED_BY_WALL: "wall",
    STOPPED_BY_CPU: "cpu",
    STOPPED_DECIDED: "decided",
    PAUSED: "paused",
}


cdef class Searcher:
    def __cinit__(self, State view not None, params not None, *, trees=0, max_depth=MAX_DEPTH, evaluator=None):
        cdef Rules rules = view.rules
        cdef size_t n = rules.max_moves
        cdef SearchOptions* o = &self.options
        self.view = view.copy()
        self.world = view.copy()
        self.seats = rules.players
        self.evaluator = Evaluator() if evaluator is None else evaluator
        if not self.evaluator.fits(rules):
            raise ValueError(f"the evaluator is of other rules than {rules}")
        o.trees = trees
        o.max_depth = min(max_depth, MAX_DEPTH)
        o.selection = _SELECTIONS[params.selection]
        o.rollout = _ROLLOUTS[params.rollout]
        o.opponents = _OPPONENTS[params.opponents]
        o.merge = params.opponent_key == "merged"
        o.early_stop = params.early_stop
        o.max_listed = params.enumerate
        o.rollout_turns = params.rollout_turns
        o.exploration = params.exploration
        o.first_play = params.first_play
        o.widening = params.widening
        o.epsilon = params.epsilon
        o.turn_cost = params.turn_cost
        o.opponent_prior = params.opponent_prior
        o.opponent_temperature = params.opponent_temperature
        arena_allocate(&self.arena, max(params.nodes, 1 + trees))
        self.root_moves = <move_t*>malloc(n * sizeof(move_t))
        self.moves = <move_t*>malloc(n * sizeof(move_t))
        self.keys = <uint64_t*>malloc(n * sizeof(uint64_t))
        self.children = <uint32_t*>malloc(n * sizeof(uint32_t))
        self.priors = <double*>malloc(n * sizeof(double))
        self.path = <uint32_t*>malloc((MAX_DEPTH + 1) * sizeof(uint32_t))
        self.batch_sum = <double*>malloc(n * BATCHES * sizeof(double))
        self.batch_count = <uint32_t*>malloc(n * BATCHES * sizeof(uint32_t))
        self.place_sum = <double*>malloc(n * 2 * sizeof(double))
        self.undecided = <uint8_t*>malloc(n * sizeof(uint8_t))
        self.world_rngs = <rng_t*>malloc(max(trees, 1) * sizeof(rng_t))
        self.room = max(o.max_listed, params.belief_pool)
        self.listed = <uint32_t*>malloc(self.room * sizeof(uint32_t))
        self.tree_worlds = <uint32_t*>malloc(max(trees, 1) * sizeof(uint32_t))
        self.mast_sum = <double*>calloc(MAX_SEATS * MAST_MOVES, sizeof(double))
        self.mast_count = <uint32_t*>calloc(MAX_SEATS * MAST_MOVES, sizeof(uint32_t))
        self.mast_trail = <uint32_t*>malloc((MAX_DEPTH + ROLLOUT_CAP + 2) * sizeof(uint32_t))
        if not (self.root_moves and self.moves and self.keys and self.children and self.priors and self.path
                and self.batch_sum and self.batch_count and self.place_sum and self.world_rngs and self.mast_sum
                and self.mast_count and self.mast_trail and self.listed and self.tree_worlds and self.undecided):
            raise MemoryError("no memory for a search")

    def __dealloc__(self):
        arena_free(&self.arena)
        free(self.root_moves)
        free(self.moves)
        free(self.keys)
        free(self.children)
        free(self.priors)
        free(self.path)
        free(self.batch_sum)
        free(self.batch_count)
        free(self.place_sum)
        free(self.undecided)
        free(self.world_rngs)
        free(self.listed)
        free(self.tree_worlds)
        free(self.mast_sum)
        free(self.mast_count)
        free(self.mast_trail)

    # --- the algorithm

    cdef void run(self) noexcept nogil:
        """Iterate until the budget is used up or it is time for a pause, at least once."""
        cdef double reward[MAX_SEATS]
        # Each part of a search may be in another thread: what the parts before it took counts as taken in this one.
        cdef double cpu = seconds(True) - self.cpu
        cdef uint32_t trees = self.n_trees()
        while True:
            self.iterate(self.next_tree, reward)
            self.next_tree = self.next_tree + 1 if self.next_tree + 1 < trees else 0
            if self.out_of_budget(cpu) or self.world.c_failed():
                break
        self.wall = seconds(False) - self.wall_start
        self.cpu = seconds(True) - cpu

    cdef uint32_t n_trees(self) noexcept nogil:
        return self.options.trees if self.options.trees else 1

    cdef int iterate(self, uint32_t tree, double* reward) noexcept nogil:
        """Select, expand, roll out, back up; returns the depth of the leaf."""
        cdef int root_move = 0
        cdef int depth, turns
        self.iterations += 1
        self.n_trail = 0
        self.draw_world(tree)
        depth = self.descend(tree, &root_move)
        turns = depth + self.roll_out(reward)
        if self.places and depth:
            self.count_places(root_move)
        if self.options.turn_cost > 0:
            for seat in range(self.seats):
                reward[seat] = max(0.0, reward[seat] - self.options.turn_cost * turns)
        # A tree's iterations share its world, so they go to one batch together.
        self.back_up(depth, root_move, (tree if self.options.trees > 1 else self.iterations) % BATCHES, reward)
        return depth

    cdef void draw_world(self, uint32_t tree) noexcept nogil:
        """A world that agrees with the view: a fresh one, or always the same for a tree of its own."""
        cdef rng_t stream
        if self.view.c_view() < 0:
            self.world.c_copy_from(self.view)
        elif self.n_listed:
            self.listed_world(self.tree_worlds[tree] if self.options.trees else self.next_listed())
        elif self.options.trees:
            stream = self.world_rngs[tree]
            self.view.c_determinise(&stream, self.world)
        else:
            self.view.c_determinise(&self.rng, self.world)

    cdef void listed_world(self, uint32_t index) noexcept nogil:
        if self.believes:
            self.belief.c_world(index, self.world)
        else:
            self.view.c_world(index, self.world)

    cdef uint32_t next_listed(self) noexcept nogil:
        """Index of the world whose turn it is: each comes once in a pass (with a belief as often as that says, up to
        rounding, and each pass anew), each pass in a new random order."""
        cdef uint32_t pick, index
        if self.pass_at == self.n_listed:
            self.pass_at = 0
            if self.believes:
                self.belief.c_draw(&self.rng, self.listed)
        pick = self.pass_at + rng_below(&self.rng, self.n_listed - self.pass_at)
        index = self.listed[pick]
        self.listed[pick] = self.listed[self.pass_at]
        self.listed[self.pass_at] = index
        self.pass_at += 1
        return index

    cdef int descend(self, uint32_t root, int* root_move) noexcept nogil:
        """Walk down the tree, move by move in the world, to a new node or the end; returns its depth."""
        cdef uint32_t node = root
        cdef uint32_t child
        cdef int depth = 0
        cdef int n, i
        cdef bint expanded = False
        self.path[0] = root
        self.ended = False
        while self.world.c_turn() >= 0 and depth < self.options.max_depth and not expanded and not self.ended:
            n = self.world.c_legal_moves(self.moves)
            i = self.choose(node, n)
            if depth == 0:
                root_move[0] = i
                self.ended = self.undecided[i]
            child = self.children[i]
            if child == NO_NODE:
                expanded = True
                child = arena_add(&self.arena, node, self.keys[i], self.moves[i])
                if child == NO_NODE:
                    # The arena is full: the leaf is the last node there is, one move further on.
                    self.full = True
                else:
                    self.arena.nodes[child].available = 1
            else:
                self.revisits += 1
            if self.options.rollout == ROLLOUT_MAST:
                self.mast_trail[self.n_trail] = _mast_index(self.world, self.moves[i])
                self.n_trail += 1
            self.world.c_apply(self.moves[i], NULL)
            if child == NO_NODE:
                break
            depth += 1
            self.path[depth] = child
            node = child
        self.depth_sum += depth
        return depth

    cdef int choose(self, uint32_t node, int n) noexcept nogil:
        """The index of the move to follow from `node`, of the world's `n` legal ones in `moves`.

        Fills `keys` and `children`, and counts each child that is there as available.
        """
        cdef Arena* arena = &self.arena
        cdef SearchOptions* o = &self.options
        cdef uint32_t groups[256]
        cdef uint32_t stamp = <uint32_t>self.iterations
        cdef int seat = self.world.c_turn()
        cdef bint own = seat == self.seat
        cdef bint against = o.opponents == PARANOID and not own
        cdef bint widen = own and o.widening > 0
        cdef double visits = arena.nodes[node].visits
        cdef double best = -BEFORE_ALL
        cdef double score, mean
        cdef double limit = 1 + o.widening * sqrt(visits)
        cdef int chosen
        cdef uint32_t ties = 0
        cdef Node* child
        cdef int i, group
        # At the root a move without a node cannot be learnt of; further down it may still be the best to try.
        cdef bint at_root = node < self.n_trees()
        cdef bint root_is_full = at_root and arena.count == arena.capacity and visits > 0
        # The root seat has the same moves in every world.
        cdef int first = self.only if at_root and self.only >= 0 else 0
        cdef int last = self.only + 1 if at_root and self.only >= 0 else n
        chosen = first
        for i in range(n):
            self.keys[i] = self.world.c_move_key(self.moves[i], self.seat, o.merge and not own)
            arena_prefetch(arena, node, self.keys[i])
        if widen:
            memset(groups, 0, sizeof(groups))
        if o.selection == PUCT:
            self.world.c_priors(self.moves, n, self.priors)
        for i in range(n):
            self.children[i] = arena_find(arena, node, self.keys[i])
            if self.children[i] != NO_NODE:
                child = &arena.nodes[self.children[i]]
                if child.seen != stamp:
                    child.seen = stamp
                    child.available += 1
                if widen:
                    groups[self.world.c_move_group(self.moves[i])] += 1
        if o.opponent_prior > 0 and not own and rng_double(&self.rng) < o.opponent_prior:
            return self.model_move(n)
        for i in range(first, last):
            if self.children[i] == NO_NODE:
                if root_is_full:
                    self.full = True
                    continue
                if widen:
                    group = self.world.c_move_group(self.moves[i])
                    if group and groups[group] >= limit:
                        continue
                if o.first_play > 1:
                    score = BEFORE_ALL
                elif o.selection == PUCT:
                    score = o.first_play + o.exploration * self.priors[i] * sqrt(visits + 1)
                else:
                    score = o.first_play + o.exploration * sqrt(log(visits + 1))
            else:
                child = &arena.nodes[self.children[i]]
                mean = child.reward[self.seat if against else seat] / child.visits
                if against:
                    mean = 1 - mean
                if o.selection == PUCT:
                    score = mean + o.exploration * self.priors[i] * sqrt(child.available) / (1 + child.visits)
                else:
                    score = mean + o.exploration * sqrt(log(child.available) / child.visits)
            if score > best:
                best = score
                chosen = i
                ties = 1
            elif score == best:
                ties += 1
                if rng_below(&self.rng, ties) == 0:
                    chosen = i
        return chosen

    cdef int model_move(self, int n) noexcept nogil:
        """The index of what the seat to move plays with the hand that it has in this world, drawn from the model."""
        cdef double rest = rng_double(&self.rng)
        cdef int i
        model_fill(self.world, self.moves, n, self.options.opponent_temperature, self.priors)
        for i in range(n):
            rest -= self.priors[i]
            if rest < 0:
                return i
        return n - 1

    cdef int roll_out(self, double* reward) noexcept nogil:
        """Play the world on from the leaf, and say what that is worth to each seat; returns the turns played."""
        cdef SearchOptions* o = &self.options
        cdef int turns = 0
        if self.ended:
            self.world.c_rewards(self.rewards, reward)
            return 0
        if self.world.c_turn() >= 0:
            if o.rollout == ROLLOUT_MAST:
                turns = self.mast_rollout(o.rollout_turns)
            elif o.rollout == ROLLOUT_GREEDY:
                turns = self.world.c_play_on(&self.rng, Policy.GREEDY, o.epsilon, o.rollout_turns)
            else:
                turns = self.world.c_play_on(&self.rng, Policy.RANDOM, 0, o.rollout_turns)
            self.rollout_turns += turns
        if self.world.c_turn() >= 0 and o.rollout_turns < ROLLOUT_CAP:
            self.evaluator.c_evaluate(self.world, self.rewards, reward)
        else:
            self.world.c_rewards(self.rewards, reward)
        return turns

    cdef void count_places(self, int root_move) noexcept nogil:
        """Add the root seat's chances to be first and second, in the world as the rollout has left it."""
        cdef double chances[MAX_SEATS]
        cdef int place
        cdef bint evaluate = self.world.c_turn() >= 0 and self.options.rollout_turns < ROLLOUT_CAP and not self.ended
        for place in range(2):
            if evaluate:
                self.evaluator.c_evaluate(self.world, self.place_rewards[place], chances)
            else:
                self.world.c_rewards(self.place_rewards[place], chances)
            self.place_sum[2 * root_move + place] += chances[self.seat]

    cdef int mast_rollout(self, int max_turns) noexcept nogil:
        """Moves that did well wherever they were played: epsilon-greedy MAST (Tak, Winands, Bjornsson, 2012)."""
        cdef int turns = 0
        cdef int n, i, best
        cdef uint32_t index, ties
        cdef double value, best_value
        while self.world.c_turn() >= 0 and turns < max_turns:
            n = self.world.c_legal_moves(self.moves)
            if rng_double(&self.rng) < self.options.epsilon:
                best = rng_below(&self.rng, n)
            else:
                best = 0
                best_value = -1
                ties = 0
                for i in range(n):
                    index = _mast_index(self.world, self.moves[i])
                    value = self.mast_sum[index] / self.mast_count[index] if self.mast_count[index] else 1
                    if value > best_value:
                        best_value = value
                        best = i
                        ties = 1
                    elif value == best_value:
                        ties += 1
                        if rng_below(&self.rng, ties) == 0:
                            best = i
            self.mast_trail[self.n_trail] = _mast_index(self.world, self.moves[best])
            self.n_trail += 1
            self.world.c_apply(self.moves[best], NULL)
            turns += 1
        return turns

    cdef void mast_learn(self, const double* reward) noexcept nogil:
        cdef int i
        cdef uint32_t index
        for i in range(self.n_trail):
            index = self.mast_trail[i]
            self.mast_sum[index] += reward[index // MAST_MOVES]
            self.mast_count[index] += 1

    cdef void back_up(self, int depth, int root_move, int batch, const double* reward) noexcept nogil:
        """Add the rewards of all seats to every node of the path, and to a batch of the root move."""
        cdef Node* node
        cdef int i, seat
        cdef size_t cell = root_move * BATCHES + batch
        for i in range(depth + 1):
            node = &self.arena.nodes[self.path[i]]
            node.visits += 1
            for seat in range(self.seats):
                node.reward[seat] += reward[seat]
        # Where the memory was full before the root's move had a node, nothing is known of the move.
        if depth:
            self.batch_sum[cell] += reward[self.seat]
            self.batch_count[cell] += 1
        if self.options.rollout == ROLLOUT_MAST:
            self.mast_learn(reward)

    # --- when to stop

    cdef bint out_of_budget(self, double cpu_start) noexcept nogil:
        """Whether a limit is reached, whichever comes first; the clocks are read every few iterations."""
        cdef double wall_start = self.wall_start
        cdef SearchBudget* b = &self.budget
        cdef double used = 0
        cdef double share
        if b.iterations and self.iterations >= b.iterations:
            self.stop = STOPPED_BY_ITERATIONS
            return True
        if b.iterations:
            used = <double>self.iterations / b.iterations
        if self.iterations % CHECK_EVERY and self.iterations > 1:
            return False
        if b.cap >= 0 and seconds(False) - wall_start >= b.cap:
            self.stop = STOPPED_BY_WALL
            return True
        if b.wall >= 0:
            share = (seconds(False) - wall_start) / b.wall if b.wall > 0 else 1
            used = max(used, share)
            if share >= 1:
                self.stop = STOPPED_BY_WALL
                return True
        if b.cpu >= 0:
            share = (seconds(True) - cpu_start) / b.cpu if b.cpu > 0 else 1
            used = max(used, share)
            if share >= 1:
                self.stop = STOPPED_BY_CPU
                return True
        if self.options.early_stop and self.decided(used):
            self.stop = STOPPED_DECIDED
            return True
        if b.pause >= 0 and seconds(False) >= b.pause:
            self.stop = PAUSED
            return True
        return False

    cdef bint decided(self, double share_used) noexcept nogil:
        """Whether the runner-up would not catch the leader by visits with all that is left of the budget."""
        cdef uint32_t best = 0
        cdef uint32_t second = 0
        cdef uint32_t visits
        cdef int i, batch
        if share_used <= 0 or self.n_root == 1:
            return self.n_root == 1
        for i in range(self.n_root):
            visits = 0
            for batch in range(BATCHES):
                visits += self.batch_count[i * BATCHES + batch]
            if visits > best:
                second = best
                best = visits
            elif visits > second:
                second = visits
        return best - second > self.iterations * (1 / share_used - 1)

    # --- the face

    def search(
        self, State view not None, Rng rng not None, str reward not None, *,
        iterations=0, wall=-1.0, cpu=-1.0, cap=-1.0, pause=-1.0, places=False, int only=-1, Belief belief=None,
        undecided=(),
    ):
        cdef uint32_t tree
        cdef int word, i
        if type(view) is not type(self.view) or view.rules != self.view.rules:
            raise ValueError(f"a search of {self.view.rules} cannot search a state of {view.rules}")
        if belief is not None and (belief.n > self.room or belief.view != view):
            raise ValueError("the belief is of another view, or of more worlds than there is room for")
        self.view.c_copy_from(view)
        self.rng = rng.stream
        self.believes = belief is not None and belief.informed
        self.belief = belief
        for tree in range(<uint32_t>self.options.trees):
            for word in range(4):
                self.world_rngs[tree].s[word] = rng_bits(&self.rng)
        self.list_worlds()
        self.view.fill_rewards(reward, self.rewards)
        self.places = places
        if places:
            self.view.fill_rewards("first", self.place_rewards[0])
            self.view.fill_rewards("second", self.place_rewards[1])
        self.budget.iterations = iterations
        self.budget.wall = wall
        self.budget.cpu = cpu
        self.budget.cap = cap
        self.seat = self.view.c_turn()
        self.n_root = self.view.c_legal_moves(self.root_moves)
        self.view.raise_pending()
        if only >= self.n_root:
            raise ValueError(f"only: expected -1 to {self.n_root - 1}, got {only}")
        self.only = only
        if len(undecided) not in (0, self.n_root):
            raise ValueError(f"undecided: expected nothing, or one for each of {self.n_root} moves, got {undecided}")
        for i in range(self.n_root):
            self.undecided[i] = bool(undecided[i]) if undecided else False
        self.iterations = 0
        self.depth_sum = 0
        self.revisits = 0
        self.rollout_turns = 0
        self.full = False
        self.next_tree = 0
        self.cpu = 0
        memset(self.place_sum, 0, self.n_root * 2 * sizeof(double))
        memset(self.batch_sum, 0, self.n_root * BATCHES * sizeof(double))
        memset(self.batch_count, 0, self.n_root * BATCHES * sizeof(uint32_t))
        if self.options.rollout == ROLLOUT_MAST:
            memset(self.mast_sum, 0, MAX_SEATS * MAST_MOVES * sizeof(double))
            memset(self.mast_count, 0, MAX_SEATS * MAST_MOVES * sizeof(uint32_t))
        arena_clear(&self.arena)
        for tree in range(self.n_trees()):
            arena_add(&self.arena, NO_NODE, tree, 0)
        self.wall_start = seconds(False)
        self.stop = PAUSED
        self.resume(pause)

    def resume(self, double pause=-1.0):
        if self.stop != PAUSED:
            raise ValueError(f"the search is over: {self.stopped_by}")
        self.stop = STOPPED_BY_ITERATIONS
        self.budget.pause = seconds(False) + pause if pause >= 0 else -1
        with nogil:
            self.run()
        self.view.raise_pending()

    cdef void list_worlds(self):
        """Makes the list of worlds, if there are few enough, and gives each tree one of them."""
        cdef int i
        self.n_listed = 0
        if self.believes:
            self.n_listed = self.belief.n
            # The first world asks for the first pass.
            self.pass_at = self.n_listed
            for i in range(self.options.trees):
                self.tree_worlds[i] = self.next_listed()
            return
        if self.options.max_listed and self.view.c_view() >= 0:
            self.n_listed = self.view.c_count_worlds(self.options.max_listed)
        if not 0 < self.n_listed <= self.options.max_listed:
            self.n_listed = 0
        for i in range(self.n_listed):
            self.listed[i] = i
        self.pass_at = 0
        if self.n_listed:
            for i in range(self.options.trees):
                self.tree_worlds[i] = self.next_listed()

    @property
    def listed_worlds(self):
        return self.n_listed

    def root_statistics(self):
        cdef uint32_t tree, child
        cdef int i
        rows = []
        for i in range(self.n_root):
            visits = available = 0
            rewards = [0.0] * self.seats
            for tree in range(self.n_trees()):
                child = arena_find(&self.arena, tree, self.view.c_move_key(self.root_moves[i], self.seat, False))
                if child == NO_NODE:
                    continue
                visits += self.arena.nodes[child].visits
                available += self.arena.nodes[child].available
                for seat in range(self.seats):
                    rewards[seat] += self.arena.nodes[child].reward[<int>seat]
            rows.append((visits, available, rewards))
        self.view.raise_pending()
        return rows

    def root_batches(self):
        return [
            [
                (self.batch_sum[i * BATCHES + batch], self.batch_count[i * BATCHES + batch])
                for batch in range(BATCHES) if self.batch_count[i * BATCHES + batch]
            ]
            for i in range(self.n_root)
        ]

    def root_places(self):
        return [(self.place_sum[2 * i], self.place_sum[2 * i + 1]) for i in range(self.n_root)]

    def principal_variation(self, int first, int length):
        cdef uint32_t node = arena_find(
            &self.arena, 0, self.view.c_move_key(self.root_moves[first], self.seat, False)
        )
        cdef uint32_t i, best
        line = [self.root_moves[first]]
        while node != NO_NODE and len(line) < length:
            best = NO_NODE
            for i in range(node + 1, self.arena.count):
                if self.arena.nodes[i].parent == node:
                    if best == NO_NODE or self.arena.nodes[i].visits > self.arena.nodes[best].visits:
                        best = i
            if best != NO_NODE:
                line.append(self.arena.nodes[best].move)
            node = best
        return line

    def tree(self):
        cdef uint32_t i
        return [
            (
                None if self.arena.nodes[i].parent == NO_NODE else self.arena.nodes[i].parent,
                self.arena.nodes[i].move, self.arena.nodes[i].visits, self.arena.nodes[i].available,
                [self.arena.nodes[i].reward[<int>seat] for seat in range(self.seats)],
            )
            for i in range(self.arena.count)
        ]

    @property
    def n_nodes(self):
        return self.arena.count

    @property
    def stopped_by(self):
        return _STOPS[self.stop]


cdef uint32_t _mast_index(State world, move_t move) noexcept nogil:
    """Where MAST keeps what it knows of this move of the seat to move."""
    cdef uint64_t h = world.c_move_key(move, world.c_turn(), True) * <uint64_t>0x9E3779B97F4A7C15
    return world.c_turn() * MAST_MOVES + <uint32_t>(h >> 53)
