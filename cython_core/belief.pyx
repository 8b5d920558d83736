"""Bayes' rule over the worlds of a view: a world counts for as much as it explains what the opponents have played.

Each world is taken back to where the round began (State.c_rewind) and the moves of the round are played from there. At
each turn of an opponent its weight is multiplied by the chance that such a hand plays such a move: that of a model,
prior ** temperature of the game's heuristic (opponent.pxd), mixed with any move, so that no move is impossible. That is
policy based inference (Rebstock, Solinas, Buro, Sturtevant: Policy Based Inference in Trick-Taking Card Games, IEEE CoG
2019).

Where there are few worlds all are weighed; else a pool of them is drawn uniformly, which makes the weights those of
importance sampling. If time is short, it is a pool of as many as there was time for. A pool must not shrink to a few
worlds by chance: if its effective size (Kong 1992) is below a share of it, the likelihood is tempered, the whole of it
raised to the power that brings it there.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc

from cython_core.clock cimport seconds
from cython_core.game cimport State, move_t
from cython_core.opponent cimport model_fill
from cython_core.rng cimport Rng, rng_bits, rng_double, rng_t

EFFECTIVE_SHARE = 0.125
LEAST_WORLDS = 32

cdef double LEAST_SHARE = EFFECTIVE_SHARE
cdef int LEAST_WEIGHED = LEAST_WORLDS

cdef enum:
    CHECK_EVERY = 4  # worlds between two looks at the clocks


cdef uint32_t stride(uint32_t n) noexcept nogil:
    """About the golden section of n, with no factor in common with it: n such steps round n places meet each once."""
    cdef uint32_t step = max(<uint32_t>1, <uint32_t>(0.618034 * n))
    cdef uint32_t a, b
    while True:
        a, b = n, step
        while b:
            a, b = b, a % b
        if a == 1:
            return step
        step += 1


cdef class Belief:
    def __cinit__(
        self, State view not None, history, Rng rng not None, *, int limit, int pool, double temperature, double floor,
        double cpu=-1.0, double wall=-1.0,
    ):
        cdef int i, word
        if view.c_view() < 0:
            raise ValueError("this is the true state: a belief is over the worlds of a view")
        if limit < 0 or pool < 1:
            raise ValueError(f"limit, pool: expected 0 and more, and 1 and more, got {limit} and {pool}")
        if temperature < 0 or not 0 <= floor <= 1:
            raise ValueError(f"temperature, floor: expected 0 and more, and 0 to 1, got {temperature} and {floor}")
        self.view = view.copy()
        self.world = view.copy()
        self.past = view.copy()
        self.temperature = temperature
        self.floor = floor
        self.n = view.c_count_worlds(max(limit, pool))
        self.by_list = self.listed = 0 < self.n <= max(limit, pool)
        if not self.listed:
            self.n = pool
        self.n_history = len(history)
        self.weights = <double*>malloc(self.n * sizeof(double))
        self.kept = <uint32_t*>malloc(self.n * sizeof(uint32_t))
        self.streams = <rng_t*>malloc((1 if self.listed else self.n) * sizeof(rng_t))
        self.history = <move_t*>malloc(max(self.n_history, 1) * sizeof(move_t))
        self.moves = <move_t*>malloc(view.rules.max_moves * sizeof(move_t))
        self.chances = <double*>malloc(view.rules.max_moves * sizeof(double))
        if not (self.weights and self.kept and self.streams and self.history and self.moves and self.chances):
            raise MemoryError("no memory for a belief")
        for i in range(self.n_history):
            self.history[i] = history[i]
        for i in range(self.n):
            self.kept[i] = i
        if not self.listed:
            for i in range(self.n):
                for word in range(4):
                    self.streams[i].s[word] = rng_bits(&rng.stream)
        if self.n_history and temperature > 0:
            with nogil:
                self.informed = self.weigh(cpu, wall) and self.normalise()
            self.view.raise_pending()
        if not self.informed:
            for i in range(self.n):
                self.weights[i] = 1.0 / self.n
            self.effective = self.n

    def __dealloc__(self):
        free(self.weights)
        free(self.kept)
        free(self.streams)
        free(self.history)
        free(self.moves)
        free(self.chances)

    cdef void c_world(self, int index, State world) noexcept nogil:
        self.c_world_at(self.kept[index], world)

    cdef void c_world_at(self, uint32_t at, State world) noexcept nogil:
        cdef rng_t stream
        if self.by_list:
            self.view.c_world(at, world)
        else:
            stream = self.streams[at]
            self.view.c_determinise(&stream, world)

    cdef bint weigh(self, double cpu, double wall) noexcept nogil:
        """Fills `weights` with logarithms of likelihoods; False: game, history or time do not allow it.

        If the time is used up, the worlds weighed so far are the pool. A list is gone through in steps that meet each
        world once, so that its beginning is spread over all of it.
        """
        cdef double cpu_end = seconds(True) + cpu
        cdef double wall_end = seconds(False) + wall
        cdef uint32_t step = stride(self.n) if self.by_list else 1
        cdef uint32_t at = 0
        cdef int done = 0
        cdef int i
        for i in range(self.n):
            self.weights[i] = INFINITY
        while done < self.n:
            if done % CHECK_EVERY == 0 and (
                (cpu >= 0 and seconds(True) >= cpu_end) or (wall >= 0 and seconds(False) >= wall_end)
            ):
                return self.keep_weighed(done)
            self.c_world_at(at, self.world)
            if not self.world.c_rewind(self.history, self.n_history, self.past):
                return False
            self.weights[at] = self.log_likelihood(self.past)
            at = (at + step) % self.n
            done += 1
        return True

    cdef bint keep_weighed(self, int count) noexcept nogil:
        """Makes a pool of the worlds that were weighed, so many; False: too few to stand for all."""
        cdef int n = 0
        cdef int i
        if count < LEAST_WEIGHED:
            return False
        for i in range(self.n):
            if self.weights[i] < INFINITY:
                self.kept[n] = i
                self.weights[n] = self.weights[i]
                n += 1
        self.listed = False
        self.n = n
        return True

    cdef double log_likelihood(self, State world) noexcept nogil:
        """Of what the opponents played in the round that began like this; `world` is played on to where it is now."""
        cdef int own = self.view.c_view()
        cdef double found = 0
        cdef double chance
        cdef int turn, n, i
        for turn in range(self.n_history):
            if not world.c_is_legal(self.history[turn]):
                return -INFINITY
            if world.c_turn() != own:
                n = world.c_legal_moves(self.moves)
                model_fill(world, self.moves, n, self.temperature, self.chances)
                chance = 0
                for i in range(n):
                    if self.moves[i] == self.history[turn]:
                        chance = self.floor / n + (1 - self.floor) * self.chances[i]
                found += log(chance)
            world.c_apply(self.history[turn], NULL)
        return found if world.c_hash() == self.world.c_hash() else -INFINITY

    cdef bint normalise(self) noexcept nogil:
        """Makes weights of the logarithms, tempered in a pool if they must be; False: no world has any."""
        cdef double best = -INFINITY
        cdef double least = LEAST_SHARE * self.n
        cdef double low = 0
        cdef double high = 1
        cdef double total, middle
        cdef int i, _step
        for i in range(self.n):
            best = max(best, self.weights[i])
        if best == -INFINITY:
            return False
        for i in range(self.n):
            self.weights[i] -= best
        if not self.listed and self.power_sums(1, &total) < least:
            for _step in range(20):
                middle = (low + high) / 2
                if self.power_sums(middle, &total) < least:
                    high = middle
                else:
                    low = middle
            high = low
        self.effective = self.power_sums(high, &total)
        for i in range(self.n):
            self.weights[i] = exp(high * self.weights[i]) / total if self.weights[i] > -INFINITY else 0
        return True

    cdef double power_sums(self, double power, double* total) noexcept nogil:
        """Of the likelihoods raised to this power: their sum, and the effective number of worlds."""
        cdef double squares = 0
        cdef double weight
        cdef int i
        total[0] = 0
        for i in range(self.n):
            if self.weights[i] > -INFINITY:
                weight = exp(power * self.weights[i])
                total[0] += weight
                squares += weight * weight
        return total[0] * total[0] / squares

    cdef void c_draw(self, rng_t* rng, uint32_t* indices) noexcept nogil:
        """Systematic sampling: points at equal distances, from a random one on, over the weights laid end to end."""
        cdef double point = rng_double(rng)
        cdef double end = 0
        cdef int last = 0
        cdef int drawn = 0
        cdef int i
        for i in range(self.n):
            if self.weights[i] > 0:
                last = i
                end += self.weights[i] * self.n
                while drawn < self.n and point + drawn < end:
                    indices[drawn] = i
                    drawn += 1
        while drawn < self.n:
            indices[drawn] = last
            drawn += 1

    # --- the face

    @property
    def source(self):
        return "uniform" if not self.informed else "listed" if self.listed else "sampled"

    def probabilities(self):
        return [self.weights[i] for i in range(self.n)]

    def worlds(self):
        cdef State world
        cdef int i
        found = []
        for i in range(self.n):
            world = self.view.copy()
            self.c_world(i, world)
            found.append(world)
        return found

    def draw(self, Rng rng not None):
        cdef uint32_t* indices = <uint32_t*>malloc(self.n * sizeof(uint32_t))
        if not indices:
            raise MemoryError("no memory for a draw")
        self.c_draw(&rng.stream, indices)
        found = [indices[i] for i in range(self.n)]
        free(indices)
        return found
