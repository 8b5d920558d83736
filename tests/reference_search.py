"""The tree search once more, slow and literal: what the core must agree with, node by node and bit by bit.

It draws from the same stream in the same order, so there is nothing to tolerate: every count and every sum of rewards
is equal. Written for reading; a tree in a full arena is not modelled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from cython_core.belief import Belief
from cython_core.dnup import DnupState
from cython_core.dnup_equity import reward_table
from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.search import ALL_TURNS, SearchParams

BATCHES = 16


@dataclass
class Node:
    """One node: how often it was passed, how often it could have been, and what came of it, by seat."""

    parent: Node | None
    move: int
    seats: int
    visits: int = 0
    available: int = 0
    reward: list[float] = field(default_factory=list)
    children: dict[int, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reward = [0.0] * self.seats


def added_up(numbers: Sequence[float]) -> float:
    """From the first to the last; `sum` does it better than that in newer versions of Python."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def expected(world: DnupState, powers: Sequence[float], later: Sequence[float], kind: str) -> tuple[float, ...]:
    """The mean reward of dnup if who is out next is drawn in proportion to these powers, then the second to `later`."""
    seats = [seat for seat in range(world.players) if seat not in world.out]
    rows = dict(reward_table(kind, world.tokens))
    rewards = [0.0] * world.players
    total, rest = added_up([powers[seat] for seat in seats]), added_up([later[seat] for seat in seats])

    def add(chance: float, first: int, second: int) -> None:
        for seat, reward in enumerate(rows[first, second]):
            rewards[seat] += chance * reward

    for one in seats:
        chance = powers[one] / total
        if world.out or world.players == 2:
            add(chance, *((world.out[0], one) if world.out else (one, -1)))
            continue
        for other in seats:
            if other != one:
                add(chance * later[other] / (rest - later[one]), one, other)
    return tuple(rewards)


class ReferenceSearch:
    """One tree and a world an iteration (single-observer ISMCTS), or some trees, each with a world of its own.

    max_depth: of a tree; 1 is a flat search; rng: the stream of the core's first thread; weights: of the features, for
    leaves whose rollout was cut short (None: the game's own evaluation); later: their factor for the second place;
    belief: an informed one, by which the worlds are taken; undecided: whether a root move ends the round so, by index.
    """

    def __init__(
        self,
        view: State,
        params: SearchParams,
        rng: Rng,
        *,
        trees: int = 0,
        max_depth: int = 1024,
        weights: Sequence[float] | None = None,
        later: float = 1.0,
        belief: Belief | None = None,
        undecided: Sequence[bool] = (),
    ) -> None:
        marked = zip(view.legal_moves(), undecided, strict=False)
        self.undecided = {move.code for move, mark in marked if mark}
        self.view, self.params, self.rng, self.max_depth = view, params, rng, max_depth
        self.weights, self.later = weights, later
        self.seat = view.turn
        self.streams = [rng.spawn() for _ in range(trees)]
        listed = view.count_worlds(params.enumerate) if params.enumerate and view.view is not None else None
        self.listed = view.worlds(listed) if listed else []
        self.belief = belief
        if belief is not None:
            self.listed = belief.worlds()
            self.believed = list(zip(self.listed, belief.probabilities(), strict=True))
        self.pass_at = 0
        self.tree_worlds = [self.next_listed() for _ in range(trees)] if self.listed else []
        self.roots = [Node(None, 0, view.players) for _ in range(trees or 1)]
        self.nodes = list(self.roots)
        self.batches = {move.code: [[0.0, 0] for _ in range(BATCHES)] for move in view.legal_moves()}
        self.mast: dict[tuple[int, int], list[float]] = {}
        self.iterations = 0

    def iterate(self) -> None:
        """Select, expand, roll out, back up."""
        tree = self.iterations % len(self.roots)
        self.iterations += 1
        world = self.world(tree)
        path, played = self.descend(self.roots[tree], world)
        ended = path[1].move in self.undecided
        rolled = [] if ended else self.roll_out(world)
        kind = self.params.reward
        cut = not world.is_over and not ended and self.params.rollout_turns < ALL_TURNS
        reward = list(self.evaluate(world) if cut else world.rewards(kind))
        if self.params.turn_cost:
            turns = len(path) - 1 + len(rolled)
            reward = [max(0.0, part - self.params.turn_cost * turns) for part in reward]
        for node in path:
            node.visits += 1
            node.reward = [total + part for total, part in zip(node.reward, reward, strict=True)]
        # Iterations of a tree that has its own world go to one batch.
        number = tree if len(self.roots) > 1 else self.iterations
        batch = self.batches[path[1].move][number % BATCHES]
        batch[0] += reward[self.seat]
        batch[1] += 1
        for seat, index in played + rolled:
            known = self.mast.setdefault((seat, index), [0.0, 0])
            known[0] += reward[seat]
            known[1] += 1

    def evaluate(self, world: State) -> tuple[float, ...]:
        """What is expected of a world: by the game itself, or by weights on its features."""
        if self.weights is None:
            return world.rewards(self.params.reward, evaluate=True)
        strengths = []
        for row in world.features():
            products = [weight * number for weight, number in zip(self.weights, row, strict=True)]
            # Even and odd ones are added up apart, which rounds otherwise than one sum.
            strengths.append(added_up(products[::2]) + added_up(products[1::2]))
        # The strongest seat has 0 and none less than -15; that of a seat that is out is 0 before.
        least = [max(strength - max(strengths), -15.0) for strength in strengths]
        powers = [math.exp(strength) for strength in least]
        later = [math.exp(self.later * strength) for strength in least]
        return expected(world, powers, later, self.params.reward)

    def world(self, tree: int) -> State:
        """A fresh one, or the one of the tree."""
        if self.view.view is None:
            return self.view.copy()
        if self.listed:
            return (self.tree_worlds[tree] if self.streams else self.next_listed()).copy()
        return self.view.determinise(self.streams[tree].copy() if self.streams else self.rng)

    def next_listed(self) -> State:
        """Of those that this pass has not had yet, any with equal chance; one swap a world, on a list kept for good."""
        if self.belief is not None and self.pass_at == 0:
            self.listed = self.draw_pass()
        at, worlds = self.pass_at, self.listed
        pick = at + self.rng.below(len(worlds) - at)
        worlds[at], worlds[pick] = worlds[pick], worlds[at]
        self.pass_at = (at + 1) % len(worlds)
        return worlds[at]

    def draw_pass(self) -> list[State]:
        """As many worlds as there are, at equal distances over their probabilities laid end to end."""
        point, count, end, drawn = self.rng.random(), len(self.believed), 0.0, []
        for world, chance in self.believed:
            end += chance * count
            while len(drawn) < count and point + len(drawn) < end:
                drawn.append(world)
        last = [world for world, chance in self.believed if chance > 0][-1]
        return drawn + [last] * (count - len(drawn))

    def descend(self, root: Node, world: State) -> tuple[list[Node], list[tuple[int, int]]]:
        """Move by move to a new node or the end."""
        path, played = [root], []
        while not world.is_over and len(path) <= self.max_depth:
            move, key = self.choose(path[-1], world)
            fresh = key not in path[-1].children
            if fresh:
                child = Node(path[-1], move.code, self.view.players)
                child.available = 1
                path[-1].children[key] = child
                self.nodes.append(child)
            path.append(path[-1].children[key])
            played.append(self.mast_index(world, move))
            world.apply(move)
            if fresh or path[1].move in self.undecided:
                break
        return path, played

    def choose(self, node: Node, world: State) -> tuple[Move, int]:
        """The move of the highest score; among equal ones each is equally likely."""
        params, own = self.params, world.turn == self.seat
        moves = world.legal_moves()
        keys = [world.move_key(move, self.seat, params.opponent_key == "merged" and not own) for move in moves]
        priors = world.priors() if params.selection == "puct" else [0.0] * len(moves)
        there = [node.children[key] for key in dict.fromkeys(keys) if key in node.children]
        for child in there:
            child.available += 1
        if params.opponent_prior and not own and self.rng.random() < params.opponent_prior:
            return self.model_move(world, moves, keys)
        best, chosen, ties = -math.inf, None, 0
        for move, key, prior in zip(moves, keys, priors, strict=True):
            child = node.children.get(key)
            if child is None:
                if own and params.widening and self.is_narrow(node, world, moves, move):
                    continue
                score = self.score_of_new(node, prior)
            else:
                score = self.score(child, prior, world.turn)
            if score > best:
                best, chosen, ties = score, (move, key), 1
            elif score == best:
                ties += 1
                if self.rng.below(ties) == 0:
                    chosen = (move, key)
        assert chosen is not None
        return chosen

    def model_move(self, world: State, moves: list[Move], keys: list[int]) -> tuple[Move, int]:
        """What the seat to move plays with its hand in this world, by the heuristic's prior to a power."""
        rest = self.rng.random()
        powers = [math.pow(prior, self.params.opponent_temperature) for prior in world.priors()]
        for move, key, power in zip(moves, keys, powers, strict=True):
            rest -= power / added_up(powers)
            if rest < 0:
                return move, key
        return moves[-1], keys[-1]

    def is_narrow(self, node: Node, world: State, moves: list[Move], move: Move) -> bool:
        """Whether enough sets of the same value and size were tried, for as many visits."""
        group = world.move_group(move)
        alike = [other for other in moves if world.move_group(other) == group]
        tried = sum(world.move_key(other, self.seat) in node.children for other in alike)
        return group > 0 and tried >= 1 + self.params.widening * math.sqrt(node.visits)

    def score_of_new(self, node: Node, prior: float) -> float:
        params = self.params
        if params.first_play > 1:
            return 1e9
        if params.selection == "puct":
            return params.first_play + params.exploration * prior * math.sqrt(node.visits + 1)
        return params.first_play + params.exploration * math.sqrt(math.log(node.visits + 1))

    def score(self, child: Node, prior: float, turn: int) -> float:
        """For the seat to move; paranoid opponents only want the root's seat to lose."""
        params = self.params
        if params.opponents == "paranoid" and turn != self.seat:
            mean = 1 - child.reward[self.seat] / child.visits
        else:
            mean = child.reward[turn] / child.visits
        if params.selection == "puct":
            return mean + params.exploration * prior * math.sqrt(child.available) / (1 + child.visits)
        return mean + params.exploration * math.sqrt(math.log(child.available) / child.visits)

    def roll_out(self, world: State) -> list[tuple[int, int]]:
        """Play on to the end, or for as many turns as there may be."""
        played: list[tuple[int, int]] = []
        while not world.is_over and len(played) < self.params.rollout_turns:
            moves = world.legal_moves()
            if self.params.rollout == "greedy":
                move = world.greedy_move(self.rng, self.params.epsilon)
            elif self.params.rollout == "mast":
                move = self.mast_move(world, moves)
            else:
                move = moves[self.rng.below(len(moves))]
            played.append(self.mast_index(world, move))
            world.apply(move)
        return played

    def mast_move(self, world: State, moves: list[Move]) -> Move:
        """The move that did best wherever that seat played one like it; new ones count as the best there is."""
        if self.rng.random() < self.params.epsilon:
            return moves[self.rng.below(len(moves))]
        best, chosen, ties = -1.0, moves[0], 0
        for move in moves:
            total, count = self.mast.get(self.mast_index(world, move), (1.0, 1))
            if total / count > best:
                best, chosen, ties = total / count, move, 1
            elif total / count == best:
                ties += 1
                if self.rng.below(ties) == 0:
                    chosen = move
        return chosen

    def mast_index(self, world: State, move: Move) -> tuple[int, int]:
        """The seat, and 11 bits of a hash of the kind of move."""
        hashed = world.move_key(move, world.turn, True) * 0x9E3779B97F4A7C15 % 2**64
        return world.turn, hashed >> 53

    def tree(self) -> list[tuple[int | None, int, int, int, list[float]]]:
        """Every node as `Searcher.tree` gives it."""
        index = {id(node): number for number, node in enumerate(self.nodes)}
        return [
            (
                None if node.parent is None else index[id(node.parent)],
                node.move,
                node.visits,
                node.available,
                node.reward,
            )
            for node in self.nodes
        ]

    def root_batches(self) -> list[list[tuple[float, int]]]:
        """By move of the root as `Searcher.root_batches` gives them."""
        return [[(total, count) for total, count in batches if count] for batches in self.batches.values()]
