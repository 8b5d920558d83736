"""The graph of all states that can be reached with all cards open, valued backwards from its ends.

- explore() lists states and moves depth first, by apply and undo, each state once (its key is c_key). Where the seat to
  move can take all there is at once, nothing else is looked at, but at the root.
- settle() goes backwards, a layer a turn (retrograde analysis: Thompson, ICCA Journal 9(3), 1986). A state is decided
  when all its successors are, or when one gives the seat to move as much as it can still get. Of moves that give the
  mover the same, the soonest is played if that is all it can get or more than an undecided round gives, else the
  latest; then the one with the lowest code.
- Where two seats play for one prize and nobody else moves, whatever is not decided then is a draw: both can go on for
  ever.
- With more seats there may be states left over: neither can anything be forced nor is it known who would stop first.
  look_ahead() plays max^n (Luckhardt, Irani, AAAI 1986) to some depth there, and says that it is not exact.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cython_core.bits cimport popcount
from cython_core.game cimport MAX_MOVES, MAX_SEATS, State, move_t, undo_t

cdef enum:
    NONE = 0xFFFFFFFF
    EDGES = 16  # a node, on average; more are too many
    SOON = 6  # turns: states that are decided by then are proven, not listed
    SOON_NODES = 1000  # ... unless so many had to be looked at

cdef double EPS = 1e-9


cdef class EndingGraph:
    def __cinit__(self, int node_limit=200_000):
        cdef size_t n = node_limit
        cdef size_t slots = 1
        if not 1 <= node_limit <= 1 << 26:
            raise ValueError(f"node_limit: expected 1 to {1 << 26}, got {node_limit}")
        while slots < 2 * n:
            slots *= 2
        self.node_limit = node_limit
        self.edge_limit = EDGES * node_limit + MAX_MOVES
        self.mask = slots - 1
        self.nodes = <GraphNode*>malloc(n * sizeof(GraphNode))
        self.edges = <GraphEdge*>malloc(self.edge_limit * sizeof(GraphEdge))
        self.table = <uint64_t*>calloc(slots, sizeof(uint64_t))
        self.path = <uint32_t*>malloc(2 * (n + 1) * sizeof(uint32_t))
        self.undos = <undo_t*>malloc((n + 1) * sizeof(undo_t))
        self.queue = <uint32_t*>malloc(n * sizeof(uint32_t))
        self.moves = <move_t*>malloc(MAX_MOVES * sizeof(move_t))
        self.keys = <uint64_t*>malloc(2 * MAX_MOVES * sizeof(uint64_t))
        self.children = <uint32_t*>malloc(MAX_MOVES * sizeof(uint32_t))
        if not (self.nodes and self.edges and self.table and self.path and self.undos and self.queue and self.moves
                and self.keys and self.children):
            raise MemoryError("no memory for a graph of states")

    def __dealloc__(self):
        free(self.nodes)
        free(self.edges)
        free(self.table)
        free(self.path)
        free(self.undos)
        free(self.queue)
        free(self.moves)
        free(self.keys)
        free(self.children)

    # --- the graph

    cdef void clear(self) noexcept nogil:
        self.n_nodes = 0
        self.n_edges = 0
        self.graph += 1
        if self.graph == 0:
            memset(self.table, 0, (<size_t>self.mask + 1) * sizeof(uint64_t))
            self.graph = 1
        self.last_given = 0

    cdef uint32_t find_or_add(self, const uint64_t* key) noexcept nogil:
        """The node with this key, a new one if there was none; NONE if there is no room."""
        cdef uint32_t slot = <uint32_t>key[0] & self.mask
        cdef uint64_t entry = self.table[slot]
        cdef uint32_t index
        cdef GraphNode* node
        while entry >> 32 == self.graph:
            index = <uint32_t>entry
            if self.nodes[index].key[0] == key[0] and self.nodes[index].key[1] == key[1]:
                return index
            slot = (slot + 1) & self.mask
            entry = self.table[slot]
        if self.n_nodes == <uint32_t>self.node_limit:
            return NONE
        index = self.n_nodes
        self.n_nodes += 1
        self.table[slot] = <uint64_t>self.graph << 32 | index
        node = &self.nodes[index]
        node.key[0] = key[0]
        node.key[1] = key[1]
        node.edges = 0
        node.n_edges = 0
        node.before = NONE
        node.left = 0
        node.rank = 0
        node.mark = False
        node.turn = -1
        node.status = UNSEEN
        node.movers = 0
        return index

    cdef bint expand(self, State state, uint32_t index, bint whole) noexcept nogil:
        """Adds the moves of the node, which `state` stands in, unless the first prize can be taken at once.

        whole: even then. False: there is no room.
        """
        cdef GraphNode* node = &self.nodes[index]
        cdef GraphNode* child
        cdef GraphEdge* edge
        cdef double reward[MAX_SEATS]
        cdef undo_t undo
        cdef int turn = state.c_turn()
        cdef int n = state.c_legal_moves(self.moves)
        cdef int i
        cdef uint32_t before
        if <uint32_t>n > self.edge_limit - self.n_edges:
            return False
        node.turn = turn
        state.c_rewards(self.rewards, node.reward)
        if self.proving and not whole and self.is_proven(state, node):
            return True
        for i in range(n):
            state.c_apply(self.moves[i], &undo)
            state.c_key(&self.keys[2 * i])
            self.children[i] = NONE
            if state.c_turn() < 0:
                state.c_rewards(self.rewards, reward)
                if not whole and reward[turn] > 1 - EPS:
                    state.c_undo(&undo)
                    memcpy(node.reward, reward, sizeof(reward))
                    node.rank = 1
                    node.status = DECIDED
                    self.last_given = max(self.last_given, 1)
                    return True
                before = self.n_nodes
                self.children[i] = self.find_or_add(&self.keys[2 * i])
                if self.n_nodes > before:
                    child = &self.nodes[self.children[i]]
                    memcpy(child.reward, reward, sizeof(reward))
                    child.status = DECIDED
            state.c_undo(&undo)
        node.edges = self.n_edges
        node.n_edges = n
        node.left = n
        node.status = OPEN
        for i in range(n):
            if self.children[i] == NONE:
                self.children[i] = self.find_or_add(&self.keys[2 * i])
                if self.children[i] == NONE:
                    return False
            edge = &self.edges[self.n_edges]
            child = &self.nodes[self.children[i]]
            edge.parent = index
            edge.child = self.children[i]
            edge.move = self.moves[i]
            edge.next = child.before
            child.before = self.n_edges
            self.n_edges += 1
        return True

    cdef bint is_proven(self, State state, GraphNode* node) noexcept nogil:
        """Whether somebody wins soon; then the node is decided, with no need of its moves."""
        cdef int winner = self.prover.deepen(state, SOON, SOON_NODES)
        if winner < 0:
            return False
        node.reward[winner] = 1
        node.reward[1 - winner] = 0
        node.rank = self.prover.within
        node.status = DECIDED
        self.last_given = max(self.last_given, node.rank)
        return True

    cdef bint explore(self, State state, uint32_t root) noexcept nogil:
        """Expands all that can be reached from the root, which `state` stands in and is left in; False: no room."""
        cdef GraphNode* node
        cdef GraphEdge* edge
        cdef uint32_t depth = 0
        cdef bint room = self.expand(state, root, True)
        self.path[0] = root
        self.path[1] = 0
        while room:
            node = &self.nodes[self.path[2 * depth]]
            if node.status == DECIDED or self.path[2 * depth + 1] == node.n_edges:
                if depth == 0:
                    break
                depth -= 1
                state.c_undo(&self.undos[depth])
                continue
            # From the last to the first: in dnup sets of high values come last, and they win soonest.
            self.path[2 * depth + 1] += 1
            edge = &self.edges[node.edges + node.n_edges - self.path[2 * depth + 1]]
            if self.nodes[edge.child].status != UNSEEN:
                continue
            state.c_apply(edge.move, &self.undos[depth])
            depth += 1
            self.path[2 * depth] = edge.child
            self.path[2 * depth + 1] = 0
            room = self.expand(state, edge.child, False)
        while depth > 0:
            depth -= 1
            state.c_undo(&self.undos[depth])
        return room

    # --- values, layer by layer

    cdef void settle(self, uint32_t begin) noexcept nogil:
        """Decides all that follows from the nodes of the queue from `begin` on, which are decided in `self.layer`."""
        cdef uint32_t end = self.n_queue
        cdef uint32_t i, at
        cdef GraphNode* child
        cdef GraphNode* node
        while True:
            for i in range(begin, end):
                child = &self.nodes[self.queue[i]]
                at = child.before
                while at != NONE:
                    node = &self.nodes[self.edges[at].parent]
                    if node.status == OPEN:
                        node.left -= 1
                        if node.left == 0 or child.reward[node.turn] > node.bound - EPS:
                            node.status = PENDING
                            self.push(self.edges[at].parent)
                    at = self.edges[at].next
            self.layer += 1
            if self.layer <= self.last_given:
                for i in range(self.n_nodes):
                    if self.nodes[i].n_edges == 0 and self.nodes[i].rank == self.layer:
                        self.push(i)
            begin = end
            end = self.n_queue
            if begin == end and self.layer > self.last_given:
                break
            for i in range(begin, end):
                if self.nodes[self.queue[i]].status == PENDING:
                    self.choose(&self.nodes[self.queue[i]])

    cdef void push(self, uint32_t index) noexcept nogil:
        self.queue[self.n_queue] = index
        self.n_queue += 1

    cdef void choose(self, GraphNode* node) noexcept nogil:
        """Decides a node in this layer, by its successors of the layers before."""
        cdef uint32_t i
        cdef GraphNode* child
        cdef GraphNode* best = NULL
        cdef double gap
        cdef bint soon
        for i in range(node.edges, node.edges + node.n_edges):
            child = &self.nodes[self.edges[i].child]
            if child.status != DECIDED or child.rank >= self.layer:
                continue
            gap = 1 if best == NULL else child.reward[node.turn] - best.reward[node.turn]
            soon = child.reward[node.turn] > min(node.bound - EPS, node.reward[node.turn] + EPS)
            if gap > EPS or (gap > -EPS and (child.rank < best.rank if soon else child.rank > best.rank)):
                best = child
        memcpy(node.reward, best.reward, sizeof(node.reward))
        node.rank = self.layer
        node.status = DECIDED

    cdef void find_movers(self) noexcept nogil:
        """For each node the seats that move from there on, as bits."""
        cdef uint32_t i, at
        cdef uint32_t n
        cdef uint8_t bit
        cdef int seat
        cdef GraphNode* node
        for i in range(self.n_nodes):
            self.nodes[i].movers = 0
        self.movers = 0
        for seat in range(self.seats):
            # Back from where the seat moves; each node is met once.
            bit = <uint8_t>1 << seat
            n = 0
            for i in range(self.n_nodes):
                if self.nodes[i].turn == seat:
                    self.nodes[i].movers |= bit
                    self.movers |= bit
                    self.queue[n] = i
                    n += 1
            while n:
                n -= 1
                at = self.nodes[self.queue[n]].before
                while at != NONE:
                    node = &self.nodes[self.edges[at].parent]
                    if not node.movers & bit:
                        node.movers |= bit
                        self.queue[n] = self.edges[at].parent
                        n += 1
                    at = self.edges[at].next

    cdef void find_bounds(self) noexcept nogil:
        """For each node the most that its mover can get: the best end that can be reached, or no end at all."""
        cdef uint32_t i, at, n
        cdef int seat
        cdef double top
        cdef GraphNode* node
        for i in range(self.n_nodes):
            node = &self.nodes[i]
            node.bound = 0 if node.turn < 0 else node.reward[node.turn]
        for seat in range(self.seats):
            # From the best end downwards: a node takes the first that reaches it.
            top = self.next_end(seat, 2)
            for i in range(self.n_nodes):
                self.nodes[i].mark = False
            while top >= 0:
                n = 0
                for i in range(self.n_nodes):
                    node = &self.nodes[i]
                    if node.n_edges == 0 and not node.mark and node.reward[seat] > top - EPS:
                        node.mark = True
                        self.queue[n] = i
                        n += 1
                while n:
                    n -= 1
                    node = &self.nodes[self.queue[n]]
                    if node.turn == seat:
                        node.bound = max(node.bound, top)
                    at = node.before
                    while at != NONE:
                        node = &self.nodes[self.edges[at].parent]
                        if not node.mark:
                            node.mark = True
                            self.queue[n] = self.edges[at].parent
                            n += 1
                        at = self.edges[at].next
                top = self.next_end(seat, top)

    cdef void find_common_bounds(self) noexcept nogil:
        """The same, but of all nodes of a seat together."""
        cdef uint32_t i
        cdef int seat
        cdef double top[MAX_SEATS]
        cdef GraphNode* node
        for seat in range(self.seats):
            top[seat] = self.next_end(seat, 2)
        for i in range(self.n_nodes):
            node = &self.nodes[i]
            node.bound = 0 if node.turn < 0 else max(node.reward[node.turn], top[node.turn])

    cdef double next_end(self, int seat, double below) noexcept nogil:
        """The highest reward of an end to the seat that is below this; -1: none."""
        cdef uint32_t i
        cdef double top = -1
        for i in range(self.n_nodes):
            if self.nodes[i].n_edges == 0 and top < self.nodes[i].reward[seat] < below - EPS:
                top = self.nodes[i].reward[seat]
        return top

    cdef bint is_duel(self, uint8_t pair) noexcept nogil:
        """Whether two seats play for one prize wherever only they move: one's gain is the other's loss, whole or not.

        Two kinds of ends at most, one better for one seat than a round without end and worse for the other, and one
        the other way round; besides them only ends that are worth what a round without end is.
        """
        cdef const double* end[2]
        cdef const double* endless
        cdef const double* reward
        cdef GraphNode* node
        cdef uint32_t i, at
        cdef int side
        cdef int a = 0
        cdef int b
        cdef double gains, loses
        while not (pair >> a) & 1:
            a += 1
        b = a + 1
        while b < self.seats and not (pair >> b) & 1:
            b += 1
        end[0] = end[1] = endless = NULL
        for i in range(self.n_nodes):
            node = &self.nodes[i]
            if node.status != OPEN or node.movers & ~pair:
                continue
            if endless == NULL:
                endless = node.reward
            if not self.alike(endless, node.reward):
                return False
        if endless == NULL or b == self.seats:
            return False
        for i in range(self.n_nodes):
            node = &self.nodes[i]
            if node.n_edges == 0 or node.movers & ~pair:
                continue
            for at in range(node.edges, node.edges + node.n_edges):
                if self.nodes[self.edges[at].child].n_edges:
                    continue
                reward = self.nodes[self.edges[at].child].reward
                if self.alike(reward, endless):
                    continue
                side = reward[a] > endless[a]
                gains = reward[a] - endless[a] if side else reward[b] - endless[b]
                loses = endless[b] - reward[b] if side else endless[a] - reward[a]
                if gains < EPS or loses < EPS:
                    return False
                if end[side] == NULL:
                    end[side] = reward
                if not self.alike(reward, end[side]):
                    return False
        return True

    cdef bint alike(self, const double* x, const double* y) noexcept nogil:
        cdef int seat
        for seat in range(self.seats):
            if not -EPS < x[seat] - y[seat] < EPS:
                return False
        return True

    cdef void decide_all(self) noexcept nogil:
        """Decides every node of a whole graph that can be."""
        cdef uint32_t i, begin
        cdef int a, b
        cdef uint8_t pair
        self.find_movers()
        if popcount(self.movers) > 2:
            self.find_bounds()
        else:
            self.find_common_bounds()
        self.n_queue = 0
        self.layer = 0
        for i in range(self.n_nodes):
            if self.nodes[i].status == DECIDED and self.nodes[i].rank == 0:
                self.push(i)
        self.settle(0)
        self.endless_from = self.layer
        begin = self.n_queue
        for a in range(self.seats):
            for b in range(a):
                pair = 1 << a | 1 << b
                if self.is_duel(pair):
                    for i in range(self.n_nodes):
                        if self.nodes[i].status == OPEN and self.nodes[i].movers & ~pair == 0:
                            self.nodes[i].status = DECIDED
                            self.nodes[i].rank = self.layer
                            self.push(i)
        self.settle(begin)

    cdef int look_ahead(self, int depth) except -1:
        """Gives the nodes left open what max^n to this depth gives; ends early when nothing changes any more."""
        cdef uint32_t i, at, n_open
        cdef int turn
        cdef bint changed = True
        cdef GraphNode* node
        cdef GraphNode* child
        cdef GraphNode* best
        cdef double* news
        n_open = 0
        for i in range(self.n_nodes):
            if self.nodes[i].status == OPEN:
                self.queue[n_open] = i
                n_open += 1
        if n_open == 0:
            return 0
        news = <double*>malloc(n_open * MAX_SEATS * sizeof(double))
        if news == NULL:
            raise MemoryError("no memory for a graph of states")
        with nogil:
            while depth > 0 and changed:
                depth -= 1
                changed = False
                for i in range(n_open):
                    node = &self.nodes[self.queue[i]]
                    turn = node.turn
                    best = NULL
                    for at in range(node.edges, node.edges + node.n_edges):
                        child = &self.nodes[self.edges[at].child]
                        if (best == NULL or child.reward[turn] > best.reward[turn] + EPS or (
                                child.status > best.status and child.reward[turn] > best.reward[turn] - EPS)):
                            best = child
                    memcpy(&news[i * MAX_SEATS], best.reward, sizeof(best.reward))
                for i in range(n_open):
                    node = &self.nodes[self.queue[i]]
                    changed = changed or not self.alike(node.reward, &news[i * MAX_SEATS])
                    memcpy(node.reward, &news[i * MAX_SEATS], sizeof(node.reward))
        free(news)
        return 0
