"""A session: what one seat of a real game knows, moved on by the events that happen at the table. No I/O."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cython_core.game import Move, State
from dnup_ai.assist.settings import Settings
from dnup_ai.errors import DnupError, EventError
from dnup_ai.games import Question, game_of

Event = dict[str, Any]
"""One line of a session file: `deal`, `move`, `shown`, `round`, `undo` or `note`, each with its value."""


class Moment(NamedTuple):
    """What is so between two events; never changed, so that undo is to go back to an earlier one.

    view: what the seat knows, None while a deal is still to be told; answers: what has been told of it; pending: a move
    whose cards are still to be named; tokens: before the round; rounds: result and end of those before it; moves: of
    this round, as they happened.
    """

    view: State | None
    answers: Mapping[str, str]
    pending: Move | None
    tokens: tuple[int, ...]
    rounds: tuple[tuple[tuple[int, ...], str], ...]
    moves: tuple[Move, ...]


class Session:
    """A real game as one seat follows it.

    Whatever happens is checked against the rules and what the seat knows; an event that cannot have happened raises a
    DnupError with the reason and changes nothing. Each method that takes an event returns it as a session file has it.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.game = settings.card_game()
        self.rules = settings.rules()
        # Tokens of earlier rounds, which were not followed, count as those of one round.
        earlier = ((settings.tokens, "out"),) if any(settings.tokens) else ()
        self._moments = [Moment(None, {}, None, settings.tokens, earlier, ())]
        self._texts: list[str] = []

    @classmethod
    def replayed(cls, settings: Settings, events: Iterable[Event]) -> Session:
        """Return the session after these events; raises EventError that counts them from 1."""
        session = cls(settings)
        for number, event in enumerate(events, 1):
            try:
                session.take(event)
            except DnupError as error:
                raise EventError(f"event {number}: {error}") from error
        return session

    # --- what is so

    @property
    def now(self) -> Moment:
        return self._moments[-1]

    @property
    def view(self) -> State | None:
        """What the seat knows, None before the first deal. A copy: nothing done to it changes the session."""
        return None if self.now.view is None else self.now.view.copy()

    @property
    def pending(self) -> int:
        """How many cards the last move showed that are still to be named."""
        now = self.now
        return 0 if now.pending is None or now.view is None else self.game.cards_shown(now.view, now.pending)

    @property
    def question(self) -> Question | None:
        """What must be told next of a deal; None while a round is followed, and after the match."""
        now = self.now
        if now.view is not None or self.winner is not None:
            return None
        return self.game.next_question(self.rules, self.settings.seat, now.answers)

    @property
    def round_over(self) -> bool:
        """Whether the round that was followed has come to its end."""
        return self.now.view is not None and self.now.view.is_over and self.now.pending is None

    @property
    def my_turn(self) -> bool:
        view = self.now.view
        return view is not None and self.now.pending is None and view.turn == self.settings.seat

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens of the match so far, those of a round that is being played included."""
        now = self.now
        return now.tokens if now.view is None else tuple(map(sum, zip(now.tokens, now.view.result(), strict=True)))

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, None if nobody has yet."""
        rounds = (*self.now.rounds, *self._this_round()) if self.round_over else self.now.rounds
        return self.rules.match_winner(rounds) if rounds else None

    @property
    def undoable(self) -> tuple[str, ...]:
        """What `undo` can take back, in words, first to last."""
        return tuple(self._texts)

    # --- events

    def deal(self, answers: Mapping[str, str]) -> Event:
        """Tell more of a deal: answers by the names of their questions. With the last one the round begins."""
        return self.take({"deal": dict(answers)})

    def next_round(self, *, broken_off: bool = False) -> Event:
        """Go on to the next deal; broken_off: although the round is not over. The tokens that it gave count."""
        return self.take({"round": "broken off" if broken_off else "over"})

    def play(self, text: str) -> Event:
        """Note what the seat to move did, in notation or in the game's short form, its seat before it or not."""
        view = self._running()
        match = re.fullmatch(r"\s*(?:seat\s*)?(\d+)\s*:\s*(.*)|(.*)", text, re.DOTALL)
        assert match is not None
        if match[1] is not None and (len(match[1]) > 3 or int(match[1]) != view.turn):
            raise EventError(f"it is the turn of seat {view.turn}, not of seat {match[1][:9]}")
        move = self.game.read_event(view, match[3] if match[1] is None else match[2])
        return self.take({"move": str(move), "seat": view.turn})

    def show(self, cards: str) -> Event:
        """Name the cards that the last move showed to the seat."""
        return self.take({"shown": " ".join(re.split(r"[\s,]+", cards.strip()))})

    def undo(self, count: int = 1) -> Event:
        """Take back the last events."""
        return self.take({"undo": count})

    def note(self, text: str) -> Event:
        """Write down a remark."""
        return self.take({"note": text})

    def take(self, event: Event) -> Event:
        """Take an event of a session file; returns it. Raises a DnupError, and changes nothing, if it cannot be."""
        kinds: dict[str, tuple[Any, type, tuple[str, ...]]] = {
            "deal": (self._deal, dict, ()),
            "move": (self._move, str, ("seat",)),
            "shown": (self._shown, str, ()),
            "round": (self._round, str, ()),
            "undo": (self._undo, int, ()),
            "note": (self._note, str, ()),
        }
        kind = next((kind for kind in kinds if kind in event), None)
        if kind is None:
            raise EventError(f"expected one of {', '.join(kinds)}, got {', '.join(map(str, event))[:40] or 'nothing'}")
        take, expected, further = kinds[kind]
        if type(event[kind]) is not expected or set(event) - {kind, *further}:
            raise EventError(f"{kind}: not what a session has there")
        take(event)
        return event

    def _deal(self, event: Event) -> None:
        now = self.now
        told = event["deal"]
        if not told or not all(isinstance(value, str) for item in told.items() for value in item):
            raise EventError("deal: expected answers as text")
        if now.view is not None:
            raise EventError("deal: a round has begun already")
        self._require_no_winner()
        answers = {**now.answers, **told}
        if self.game.next_question(self.rules, self.settings.seat, answers) is None:
            view = self._first_view(answers)
            tokens = self.game.tokens_before(view) if "position" in answers else now.tokens
            self._push(now._replace(view=view, answers={}, tokens=tokens, moves=()), "the deal")
        else:
            self._push(now._replace(answers=answers), ", ".join(f"{name}: {text}" for name, text in told.items()))

    def _round(self, event: Event) -> None:
        if event["round"] not in ("over", "broken off"):
            raise EventError(f"round: expected over or broken off, got {event['round'][:20]!r}")
        if self.now.view is None:
            raise EventError("the next round is being dealt already")
        if self.round_over != (event["round"] == "over"):
            raise EventError("the round is over" if self.round_over else "the round is not over")
        self._require_no_winner()
        rounds = (*self.now.rounds, *self._this_round())
        self._push(Moment(None, {}, None, self.tokens, rounds, ()), "the end of the round")

    def _require_no_winner(self) -> None:
        if (winner := self.winner) is not None:
            raise EventError(f"the match is over, seat {winner} has won it: follow the next one in a new session")

    def _first_view(self, answers: Mapping[str, str]) -> State:
        if "position" not in answers:
            return self.game.first_view(self.rules, self.settings.seat, answers, self.now.tokens)
        text = answers["position"]
        named = game_of(text, self.settings.game)
        if named.name != self.game.name:
            raise EventError(f"position: expected one of {self.game.name}, got one of {named.name}")
        view = self.game.parse_position(text, self.settings.deck, self.settings.options)
        if view.rules != self.rules:
            raise EventError(f"position: expected {self.settings.players} players and the rules of this session")
        if view.view != self.settings.seat:
            got = "the true state" if view.view is None else f"the view of seat {view.view}"
            raise EventError(f"position: expected the view of seat {self.settings.seat}, got {got}")
        return view

    def _move(self, event: Event) -> None:
        view = self._running()
        if type(event.get("seat")) is not int or event["seat"] != view.turn:
            raise EventError(f"it is the turn of seat {view.turn}, not of seat {str(event.get('seat'))[:9]}")
        move = self.game.parse_move(self.rules, event["move"])
        fault = self.game.event_fault(view, move)
        if fault is not None:
            raise EventError(fault)
        now = self.now
        moves = (*now.moves, move)
        text = f"seat {view.turn}: {move}"
        if self.game.cards_shown(view, move):
            self._push(now._replace(pending=move), text)
        else:
            view.apply(move)
            self._push(now._replace(view=view, moves=moves), text)

    def _shown(self, event: Event) -> None:
        now, view = self.now, self.view
        if now.pending is None or view is None:
            raise EventError("no move shows cards that are still to be named")
        self.game.apply_shown(view, now.pending, event["shown"])
        self._push(
            now._replace(view=view, pending=None, moves=(*now.moves, now.pending)), f"the cards {event['shown']}"
        )

    def _undo(self, event: Event) -> None:
        count = event["undo"]
        if count < 1:
            raise EventError(f"undo: expected 1 or more events, got {count}")
        if count > len(self._texts):
            had = f"there are only {len(self._texts)}" if self._texts else "there are none"
            raise EventError(f"undo: {count} cannot be taken back, {had}")
        del self._moments[-count:], self._texts[-count:]

    def _note(self, event: Event) -> None:
        if not event["note"].strip():
            raise EventError("note: expected some words")

    def _push(self, moment: Moment, text: str) -> None:
        self._moments.append(moment)
        self._texts.append(text)

    def _this_round(self) -> tuple[tuple[tuple[int, ...], str], ...]:
        """Result and end of the round on the table, if there is one."""
        view = self.now.view
        return () if view is None else ((view.result(), view.end or "broken off"),)

    def _running(self) -> State:
        """A copy of the view of a round that is being played."""
        view = self.view
        if view is None:
            raise EventError("no round has begun")
        if self.now.pending is not None:
            raise EventError(f"first name what {self.now.pending} showed")
        if view.turn is None:
            raise EventError("the round is over")
        return view
