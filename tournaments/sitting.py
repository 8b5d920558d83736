"""A match in which a person sits at the table with bots: its rounds so far, whose turn it is, taking back.

No input or output is here: the command `dnup-ai play` asks and shows. It lives with the harness, since a round ends
by the same rules as in a tournament, bots of users' files are isolated in the same way, and records are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

from cython_core.game import IllegalMoveError, Move, State
from cython_core.rng import Rng
from dnup_ai.bots.base import Bot
from dnup_ai.errors import ConfigError
from dnup_ai.search import SearchResult
from tournaments.isolation import BotHost
from tournaments.match import BotFault, Fault, fault_in, fault_of, round_end
from tournaments.person import Ply, SatRound, Seating
from tournaments.records import UNFINISHED, round_record
from tournaments.table import start_of


class Sitting:
    """A match, or single rounds, of a person and bots. Close it: users' bots have processes of their own.

        while (turn := sitting.turn) is not None:
            sitting.play(move) if turn == sitting.person else sitting.ask_bot()

    The same seating and the same moves of the person give the same match, as long as the bots' budgets are not in
    seconds. A bot that ships draws, at each of its turns, from a stream that is made of the seed, the round, the turn
    and the seat, so that a move that is taken back and made again is answered alike. A bot of a user's file may
    remember what it likes, and that cannot be taken back: it is made anew and asked all its turns of the match again.
    """

    def __init__(self, seating: Seating) -> None:
        """Sit down and deal the first round. Raises ConfigError, and BotError if a bot cannot be made."""
        for spec in seating.specs:
            if spec is None or spec.file:
                continue
            if spec.sees_all and not seating.allow_cheating:
                raise ConfigError(f"bot {spec} sees all cards: it is no player; --allow-cheating lets it play")
            spec.check(seating.rules)
        self.seating = seating
        self.person = seating.person
        self.rounds: list[SatRound] = []
        self._host = BotHost(seating.move_limit, game=seating.game_spec)
        self._bots: dict[int, Bot] = {}
        self._seen: dict[bytes, int] = {}
        try:
            for seat in self._bot_seats():
                self._make(seat, 0)
        except BaseException:
            self.close()
            raise
        self._deal()

    def close(self) -> None:
        """End the processes of users' bots."""
        self._host.close()

    # What there is to see.

    @property
    def turn(self) -> int | None:
        """The seat to move, None if the round is over."""
        return None if self.round.end is not None else self._state.turn

    @property
    def round(self) -> SatRound:
        """The round that is played, or has just ended."""
        return self.rounds[-1]

    @property
    def view(self) -> State:
        """What the person may know now, a copy."""
        return self._state.observe(self.person)

    def truth(self, turn: int | None = None) -> State:
        """Return the true state, now or before the move with an index; raises ValueError while the round goes on."""
        if self.round.end is None:
            raise ValueError("the true state is for when the round is over")
        return self._state.copy() if turn is None else _after(self.round.start, self.round.moves[:turn])

    def tokens(self) -> tuple[int, ...]:
        """Return the points of each seat, those of the round included when it is over; void rounds give none."""
        given = [played.result for played in self.rounds if played.end is not None and played.fault is None]
        return tuple(map(sum, zip((0,) * self.seating.rules.players, *given, strict=False)))

    @property
    def winner(self) -> int | None:
        """The seat that has won the match; of single rounds the one with most points after the last."""
        counted = [(played.result, played.end) for played in self.rounds if played.end and played.fault is None]
        if self.seating.rounds is None:
            return self.seating.rules.match_winner([(result, end) for result, end in counted if end is not None])
        tokens = self.tokens()
        most = max(tokens)
        return tokens.index(most) if self.is_over and tokens.count(most) == 1 else None

    @property
    def is_over(self) -> bool:
        """Whether no further round is to be played."""
        if self.round.end is None:
            return False
        if self.seating.rounds is not None:
            return len(self.rounds) >= self.seating.rounds
        return self.winner is not None or len(self.rounds) >= self.seating.rules.max_rounds

    # What can be done.

    def play(self, move: Move) -> Ply:
        """Make the person's move; raises IllegalMoveError, or ValueError if it is not their turn."""
        if self.turn != self.person:
            raise ValueError(f"it is the turn of {self.turn}")
        if not self._state.is_legal(move):
            raise IllegalMoveError(
                f"{move} is not legal in {self.view}"
            )  # the state's own words have all hands in them
        before = self._state.copy()
        self._state.apply(move)
        return self._moved(before, move)

    def ask_bot(self) -> Ply | Fault:
        """Let the bot whose turn it is move; a fault ends the round, which is void then."""
        seat = self.turn
        if seat is None or seat == self.person:
            raise ValueError("it is no bot's turn")
        bot = self._bots[seat]
        before = self._state.copy()
        began = perf_counter()
        try:
            move = self._choose(bot, seat, before, len(self.rounds) - 1, self.round.moves)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self._void(fault_of(seat, error))
        took = perf_counter() - began
        if fault := fault_in(seat, move, took, self.seating.move_limit, self._state):
            return self._void(fault)
        return self._moved(before, move, took, bot.thoughts(_seen_by(bot, before, seat)))

    def next_round(self) -> None:
        """Deal the next round; raises ValueError while one is played or after the last."""
        if self.round.end is None or self.is_over:
            raise ValueError("there is no next round now")
        if self.round.fault is not None:
            self._make(self.round.fault.seat, len(self.rounds))
        self._deal()

    def undo(self) -> int:
        """Take back all that was done since before the person's last move; return how many moves, 0: there is none.

        It may lead back into an earlier round.
        """
        found = next(self._own_turns(), None)
        if found is None:
            return 0
        number, turn = found
        taken = sum(len(played.plies) for played in self.rounds[number:]) - turn
        del self.rounds[number + 1 :]
        played = self.round
        played.end, played.fault, played.result = None, None, ()
        del played.plies[turn:]
        # Played again from the start, as states that occurred are counted.
        self._state = played.start.copy()
        self._seen = {}
        for count in range(turn + 1):
            round_end(self.seating.rules, self._state, count, self._seen)
            if count < turn:
                self._state.apply(played.plies[count].move)
        self._make_own_bots_again()
        return taken

    def records(self) -> list[dict[str, Any]]:
        """Return a record of each round, ready for JSON; one that is not over has the end `unfinished`."""
        found = []
        seating = self.seating
        for number, played in enumerate(self.rounds):
            moves = seating.game.record_moves(played.start, played.moves)
            result = list(_after(played.start, played.moves).result())
            record = round_record(
                seating.game, seating.deck, played.start, moves, list(result), played.end or UNFINISHED
            )
            if seating.rounds is None:
                record |= {"match": 0, "round": number}
            record |= {"bots": list(seating.names()), "seed": seating.seed, "turns": len(played.plies)}
            if played.fault is not None:
                record["fault"] = played.fault._asdict()
            found.append(record)
        return found

    # Within.

    def _bot_seats(self) -> Iterator[int]:
        return (seat for seat, spec in enumerate(self.seating.specs) if spec is not None)

    def _make(self, seat: int, since: int) -> None:
        """Make a seat's bot; since: the round in which it sits down."""
        spec = self.seating.specs[seat]
        assert spec is not None
        bot = self._host.make(spec, Rng(self.seating.seed, since, 0, seat), seat)
        if bot.sees_all and not self.seating.allow_cheating:
            raise ConfigError(f"bot {spec} sees all cards: it is no player; --allow-cheating lets it play")
        bot.move_limit = self.seating.move_limit
        self._bots[seat] = bot

    def _deal(self) -> None:
        tokens = self.tokens() if self.seating.rounds is None and self.rounds else None
        start = start_of(self.seating.rules, self.seating.seed, 0, len(self.rounds), tokens)
        self._state = start.copy()
        self._seen = {}
        self.rounds.append(SatRound(start))
        self._look_for_end()

    def _choose(self, bot: Bot, seat: int, state: State, number: int, history: tuple[Move, ...]) -> Move:
        spec = self.seating.specs[seat]
        assert spec is not None
        if not spec.file:
            bot.rng = Rng(self.seating.seed, number, len(history), seat)
        return bot.choose(_seen_by(bot, state, seat), history)

    def _moved(self, before: State, move: Move, took: float = 0.0, thoughts: SearchResult | None = None) -> Ply:
        seat = before.turn
        assert seat is not None
        me = self.person
        ply = Ply(seat, move, before.seen_move(move, me), before.observe(me), self._state.observe(me), took, thoughts)
        self.round.plies.append(ply)
        self._look_for_end()
        return ply

    def _look_for_end(self) -> None:
        self.round.end = round_end(self.seating.rules, self._state, len(self.round.plies), self._seen)
        if self.round.end is not None:
            self.round.result = self._state.result()

    def _void(self, fault: Fault) -> Fault:
        self.round.end, self.round.fault = "fault", fault
        self.round.result = (0,) * self.seating.rules.players
        return fault

    def _own_turns(self) -> Iterator[tuple[int, int]]:
        """The person's moves, each by its round and its place there, last to first."""
        for number in reversed(range(len(self.rounds))):
            for turn in reversed(range(len(self.rounds[number].plies))):
                if self.rounds[number].plies[turn].seat == self.person:
                    yield number, turn

    def _make_own_bots_again(self) -> None:
        """Make the bots of users' files anew, and ask them all that they were asked; the answers are not used."""
        for seat in self._bot_seats():
            spec = self.seating.specs[seat]
            if spec is None or not spec.file:
                continue
            faults = [number for number, played in enumerate(self.rounds) if played.fault and played.fault.seat == seat]
            since = faults[-1] + 1 if faults else 0
            self._make(seat, since)
            for number in range(since, len(self.rounds)):
                state = self.rounds[number].start.copy()
                moves = self.rounds[number].moves
                for turn, move in enumerate(moves):
                    if state.turn == seat:
                        with suppress(BotFault):
                            self._choose(self._bots[seat], seat, state, number, moves[:turn])
                    state.apply(move)


def _seen_by(bot: Bot, state: State, seat: int) -> State:
    return state.copy() if bot.sees_all else state.observe(seat)


def _after(start: State, moves: Sequence[Move]) -> State:
    state = start.copy()
    for move in moves:
        state.apply(move)
    return state
