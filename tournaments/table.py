"""Where games are played: turns a game of the schedule into rows of the store, in whichever process it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from dnup_ai.errors import BotError
from dnup_ai.games import Game as CardGame
from dnup_ai.games import game_named
from tournaments.config import Tournament
from tournaments.isolation import BotHost
from tournaments.match import BotFault, Fault, Round, play_match, play_round
from tournaments.schedule import SCHEDULE_DEAL, Game


class Row(NamedTuple):
    """A round as the store keeps it; lists are texts, by seat, with commas.

    game: number in the schedule; round: index in the match, else 0; deal: index; seating: bots; tokens: that the round
    gave; points: the same with those not given split among the seats still in; ranks: 1 first, 2 second, 0 neither;
    turns; end: `out`, `repetition`, ... (docs/rules.md) or `fault`; winner: seat that won the match with this round;
    moves: entries of the record, with blanks; asked: moves that each seat chose; seconds: that it took for them;
    iterations: of its search.
    """

    game: int
    round: int
    deal: int
    seating: str
    tokens: str
    points: str
    ranks: str
    turns: int
    end: str
    winner: int | None
    moves: str
    asked: str
    seconds: str
    iterations: str


class Played(NamedTuple):
    """A game that was played: a row for each of its rounds, and the fault that ended it, if one did."""

    rows: tuple[Row, ...]
    fault: Fault | None


class Table:
    """Plays games of a tournament, in any order: one depends on its place in the schedule only.

    Close it when done: users' bots run in processes of their own. One thread at a time.
    """

    def __init__(self, tournament: Tournament, host: BotHost | None = None) -> None:
        """host: makes the bots, for more tables than this one, with the game and the limit of the tournament; who has
        made it closes it. None: one of the table's own.
        """
        self.tournament = tournament
        self.rules = tournament.rules()
        self._card_game = game_named(tournament.game)
        self._dealt: tuple[int, State] | None = None
        self._texts: dict[int, str] = {}
        self._rehearsed = False
        self._host = BotHost(tournament.move_limit, game=tournament.game) if host is None else host

    def play(self, game: Game) -> Played:
        """Play the game; raises BotError if one of the tournament's bots cannot be made at all.

        A bot that could be made and now cannot is at fault in this game.
        """
        tournament = self.tournament
        if not self._rehearsed:
            self._rehearse()
        bots = []
        for seat, bot in enumerate(game.seating):
            try:
                rng = Rng(tournament.seed, game.deal, game.game, seat)
                bots.append(self._host.make(tournament.bots[bot], rng, seat))
            except BotError as error:
                cause = error.__cause__
                kind = cause.kind if isinstance(cause, BotFault) else "exception"
                return lost_game(game, Fault(seat, kind, str(error)))
        cheating, limit = tournament.allow_cheating, tournament.move_limit
        if tournament.unit == "match":
            match = play_match(
                self.rules,
                bots,
                lambda index, tokens: start_of(self.rules, tournament.seed, game.deal, index, tokens),
                cheating,
                limit,
            )
            rounds, winner = match.rounds, match.winner
        else:
            rounds, winner = (play_round(self.rules, bots, self._first_deal(game.deal), cheating, limit),), None
        last = len(rounds) - 1
        rows = tuple(
            self._row(game, index, played, winner if index == last else None) for index, played in enumerate(rounds)
        )
        return Played(rows, rounds[-1].outcome.fault)

    def _rehearse(self) -> None:
        """Make each user's bot once, from a stream of its own: the same test in every worker."""
        for index, spec in enumerate(self.tournament.bots):
            if spec.file:
                self._host.make(spec, Rng(self.tournament.seed, SCHEDULE_DEAL, 1, index), 0)
        self._rehearsed = True

    def close(self) -> None:
        """End the processes of users' bots."""
        self._host.close()

    def _first_deal(self, deal: int) -> State:
        """The start of single rounds, kept for the other games of the deal, which come next."""
        if self._dealt is None or self._dealt[0] != deal:
            self._dealt = deal, start_of(self.rules, self.tournament.seed, deal, 0, None)
        return self._dealt[1]

    def _row(self, game: Game, index: int, played: Round, winner: int | None) -> Row:
        outcome = played.outcome
        return Row(
            game=game.number,
            round=index,
            deal=game.deal,
            seating=_join(game.seating),
            tokens=_join(outcome.result),
            points=_join(outcome.payoffs),
            ranks=_join(outcome.ranks),
            turns=outcome.turns,
            end=outcome.end,
            winner=winner,
            moves=self._moves_text(played.start, played.moves),
            asked=_join(outcome.asked),
            seconds=_join([round(seconds, 6) for seconds in outcome.seat_seconds]),
            iterations=_join(outcome.iterations),
        )

    def _moves_text(self, start: State, moves: Sequence[Move]) -> str:
        if type(self._card_game).record_moves is not CardGame.record_moves:
            return " ".join(self._card_game.record_moves(start, moves))
        # Making the text of a move takes longer than playing it, and the same moves come again and again.
        texts = self._texts
        found = []
        for move in moves:
            code = move.code
            if code not in texts:
                texts[code] = str(move)
            found.append(texts[code])
        return " ".join(found)


def difference(one: Played, other: Played) -> str | None:
    """Return where two plays of one game part, None if they are alike but for times."""
    for mine, theirs in zip(one.rows, other.rows, strict=False):
        if mine.moves != theirs.moves:
            pairs = list(zip(mine.moves.split(), theirs.moves.split(), strict=False))
            turn = next((turn for turn, (a, b) in enumerate(pairs) if a != b), len(pairs))
            found = [row.moves.split()[turn : turn + 1] or ["the end"] for row in (mine, theirs)]
            return f"round {mine.round}, move {turn + 1}: {found[1][0]} for {found[0][0]}"
        if (mine.end, mine.tokens) != (theirs.end, theirs.tokens):
            return f"round {mine.round}: {theirs.end} {theirs.tokens} for {mine.end} {mine.tokens}"
    if len(one.rows) != len(other.rows):
        return f"{len(other.rows)} rounds for {len(one.rows)}"
    return None


def start_of(rules: Rules, seed: int, deal: int, index: int, tokens: Sequence[int] | None) -> State:
    """Return the start of a round: in every game of a deal the same, whoever plays it.

    seed: of the tournament; index: of the round in the match, else 0; tokens: of the match before it.
    """
    return rules.deal(Rng(seed, deal, index, Rng.CHANCE), tokens)


def lost_game(game: Game, fault: Fault) -> Played:
    """Return what is kept of a game that could not be played; a fault of seat -1 is of the worker that died of it."""
    nothing = _join([0] * len(game.seating))
    row = Row(
        game.number,
        0,
        game.deal,
        _join(game.seating),
        nothing,
        nothing,
        nothing,
        0,
        "fault",
        None,
        "",
        nothing,
        nothing,
        nothing,
    )
    return Played((row,), fault)


def _join(values: Sequence[object]) -> str:
    return ",".join(map(str, values))
