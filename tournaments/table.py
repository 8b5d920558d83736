"""Where games are played: turns a game of the schedule into its outcome, in whichever process it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from cython_core.game import State
from cython_core.rng import Rng
from dnup_ai.games import game_named
from tournaments.config import Tournament
from tournaments.match import Outcome, Round, play_match, play_round
from tournaments.records import round_record
from tournaments.schedule import Game


class Played(NamedTuple):
    """A game that was played.

    rounds: how they ended: one, or all of the match; winner: the seat that won the match, None in single
    rounds and if undecided; records: one line of JSON per round, without line ends, if they were asked
    for.
    """

    game: Game
    rounds: tuple[Outcome, ...]
    winner: int | None
    records: tuple[str, ...]


class Table:
    """Plays games of a tournament, in any order: one depends on its place in the schedule only."""

    def __init__(self, tournament: Tournament, records: bool) -> None:
        self.tournament = tournament
        self.records = records
        self.rules = tournament.rules()
        self._dealt: tuple[int, State] | None = None

    def play(self, game: Game) -> Played:
        """Play the game; raises BotError if one of its bots cannot be made."""
        seed = self.tournament.seed
        bots = [
            self.tournament.bots[bot].make(Rng(seed, game.deal, game.game, seat))
            for seat, bot in enumerate(game.seating)
        ]
        cheating = self.tournament.allow_cheating
        if self.tournament.unit == "match":
            match = play_match(self.rules, bots, lambda index, tokens: self._deal(game.deal, index, tokens), cheating)
            rounds, winner = match.rounds, match.winner
        else:
            rounds, winner = (play_round(self.rules, bots, self._first_deal(game.deal), cheating),), None
        lines = tuple(self._record(game, index, played) for index, played in enumerate(rounds)) if self.records else ()
        return Played(game, tuple(played.outcome for played in rounds), winner, lines)

    def _deal(self, deal: int, index: int, tokens: Sequence[int] | None) -> State:
        # Every round of every game of a deal: the cards do not depend on who plays them.
        return self.rules.deal(Rng(self.tournament.seed, deal, index, Rng.CHANCE), tokens)

    def _first_deal(self, deal: int) -> State:
        """The start of single rounds, kept for the other games of the deal, which come next."""
        if self._dealt is None or self._dealt[0] != deal:
            self._dealt = deal, self._deal(deal, 0, None)
        return self._dealt[1]

    def _record(self, game: Game, index: int, played: Round) -> str:
        tournament = self.tournament
        place = {"match": game.number, "round": index} if tournament.unit == "match" else {}
        names = tournament.names()
        harness = {
            "bots": [names[bot] for bot in game.seating],
            "seed": tournament.seed,
            "deal": game.deal,
            "game_index": game.game,
            "seating": game.seating,
        }
        return json.dumps(round_record(played, game_named(tournament.game), tournament.deck, place, harness))
