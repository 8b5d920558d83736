"""What `dnup-ai play` shows, as lines: made of the person's views only, until a round is over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dnup_ai.lines import WIDTH, Line, MoveGroup, Span, count, does, line, seat_name, short, third, wrapped

if TYPE_CHECKING:
    from cython_core.game import Move, State
    from dnup_ai.games import Game
    from dnup_ai.search import SearchResult
    from dnup_ai.suggestions import Suggestion
    from tournaments.person import Ply, Seating
    from tournaments.sitting import Sitting

_SHOWN = 20  # moves of a group that are listed; of a longer one some are, the others can be typed
_BEST = 6
_NO_BREAK = "\0"

HELP = (
    ("NUMBER or MOVE", "a move of the list, by number or in notation (Tab completes)"),
    ("hint [SECONDS]", "what the engine would do, from what you can know"),
    ("undo", "take back to before your last move; again: to the one before"),
    ("why [TURN]", "what the bot that moved last saw and thought, in full after the round"),
    ("table", "the table and the moves again"),
    ("save FILE", "write the rounds so far as records, an unfinished one too"),
    ("rules", "the rules of the game as they are played here"),
    ("help, quit", "this list; leave (Ctrl-D and Ctrl-C do too)"),
)


def help_lines() -> list[Line]:
    """Return what can be typed."""
    return [line("  ", Span(f"{name:<16}", "own"), text) for name, text in HELP]


def headline(text: str) -> Line:
    """Return a line that divides the screen."""
    return line(Span(f"-- {text} ".ljust(WIDTH, "-"), "head"))


def opening_lines(seating: Seating, command: str) -> list[Line]:
    """Return who plays what, and the command that plays it again."""
    rules = seating.rules
    what = "a match" if seating.rounds is None else count(seating.rounds, "round")
    lines = [headline(f"{rules.game}, {rules.players} players, deck {rules.deck}: {what}")]
    for seat, name in enumerate(seating.names()):
        lines.append(
            line(f"  seat {seat}  ", Span("you", "own") if seat == seating.person else short(name, WIDTH - 10))
        )
    lines += wrapped("the same again: ", command.split(" "), 2)
    if note := seating.game.deck_note(rules.deck):
        lines += wrapped("", note.split(" "))
    return [*lines, line("`help` lists what you can type.")]


def event_line(seating: Seating, ply: Ply) -> Line:
    """Return in words what happened."""
    text = seating.game.tell(ply.before, ply.seen, ply.after)
    return line(f"  {text}")


def event_lines(sitting: Sitting) -> list[Line]:
    """Return what happened in this round since the person's last move, that move included."""
    plies = sitting.round.plies
    last = next((turn for turn in reversed(range(len(plies))) if plies[turn].seat == sitting.person), 0)
    if not plies:
        return []
    since = "since the round began:" if plies[last].seat != sitting.person else "since your last turn:"
    found = [part for ply in plies[last:] for part in folded(event_line(sitting.seating, ply))]
    return [line(Span(since, "quiet")), *found]


def folded(text: Line) -> list[Line]:
    """Return a line in as many as it needs at 80 columns."""
    words = "".join(span.text for span in text)
    if len(words) <= WIDTH:
        return [text]
    return wrapped("  ", words.split(), 4)


def table_lines(sitting: Sitting) -> list[Line]:
    """Return the table as the person sees it on their turn."""
    seating = sitting.seating
    names = seating.names()
    text = f"round {len(sitting.rounds)}, turn {len(sitting.round.plies) + 1}: your turn"
    return [headline(text), *seating.game.table_lines(sitting.view, names)]


def menu_lines(groups: Sequence[MoveGroup]) -> tuple[list[Line], list[Move]]:
    """Return a numbered list of moves, and the moves by number, from 1 in place 0."""
    width = max(len(group.label) for group in groups) + 2
    lines: list[Line] = []
    numbered: list[Move] = []
    for group in groups:
        listed = group.moves
        more = 0
        if len(listed) > _SHOWN:
            more = len(listed) - _SHOWN
            listed = (*listed[: _SHOWN - 1], listed[-1])
        words: list[str] = []
        for move, text in listed:
            numbered.append(move)
            words += _unbroken(f"{len(numbered)}) {text}")
        words += _unbroken(f"and {more} more: type them") if more else []
        found = wrapped(f"  {group.label:<{width}}", words, width + 2)
        lines += [line(*(Span(span.text.replace(_NO_BREAK, " "), span.role) for span in row)) for row in found]
    return lines, numbered


def _unbroken(text: str) -> list[str]:
    """The text as words to wrap: as one, unless it is too long for a line, and apart from the next one."""
    return text.split() if len(text) > WIDTH - 20 else [text.replace(" ", _NO_BREAK) + _NO_BREAK]


def round_lines(sitting: Sitting) -> list[Line]:
    """Return how the round ended: all hands, and the points of everybody."""
    seating, played = sitting.seating, sitting.round
    me, points = sitting.person, seating.game.points
    lines = [headline(f"round {len(sitting.rounds)} is over after {count(len(played.plies), 'turn')}: {played.end}")]
    if played.fault is not None:
        fault = played.fault
        name = f"seat {fault.seat} ({seating.names()[fault.seat]})"
        lines += wrapped("", f"{name} is at fault: {fault.kind}: {fault.message}".split())
        lines.append(line(f"The round is void: it gives no {points}."))
    lines += [line(text) for text in seating.game.draw(sitting.truth()).splitlines()]
    total = sitting.tokens()
    lines += [(), line(Span(f"{'':27}{points + ', this round':>22}{'so far':>10}", "quiet"))]
    for seat, name in enumerate(seating.names()):
        who = "you" if seat == me else short(name, 16)
        figures = f"{played.result[seat]:>22}{total[seat]:>10}"
        lines.append(line(Span(f"  seat {seat}  {who:<17}{figures}", "own" if seat == me else "")))
    return lines


def match_lines(sitting: Sitting) -> list[Line]:
    """Return who has won, and what each round gave."""
    seating = sitting.seating
    verb, what = ("win", "the match") if seating.rounds is None else ("have", f"most {seating.game.points}")
    winner = sitting.winner
    text = f"nobody {third(verb)} {what}" if winner is None else f"{does(winner, sitting.person, verb)} {what}"
    lines = [headline(f"{text}, after {count(len(sitting.rounds), 'round')}")]
    seats = "".join(f"{seat_name(seat, sitting.person):>9}" for seat in range(seating.rules.players))
    lines.append(line(Span(f"  {'round':<8}{seats}   ended by", "quiet")))
    for number, played in enumerate(sitting.rounds, 1):
        lines.append(line(f"  {number:<8}" + "".join(f"{given:>9}" for given in played.result) + f"   {played.end}"))
    lines.append(line(f"  {'all':<8}" + "".join(f"{given:>9}" for given in sitting.tokens())))
    return lines


def why_lines(sitting: Sitting, turn: int) -> list[Line]:
    """Return what the bot that made the move with this index saw and thought; before the end what all may know."""
    seating, ply = sitting.seating, sitting.round.plies[turn]
    name = seating.names()[ply.seat]
    lines = [headline(f"turn {turn + 1}, seat {ply.seat}, {short(name, 40)}"), *folded(event_line(seating, ply))]
    if sitting.round.end is None:
        lines.append(line("It saw the table as you did, its own hand, and of the others what all know:"))
        known = seating.game.public_hands(ply.before)
        lines += [part for seat, text in known.items() if seat != ply.seat for part in wrapped("  ", text.split(), 4)]
        lines += [] if known else [line("  how many cards they are.")]
        lines.append(line(f"Its hand and what it thought are shown after the round, by `why {turn + 1}`."))
        return lines
    before = sitting.truth(turn)
    lines += [line(text) for text in seating.game.draw(before.observe(ply.seat)).splitlines()]
    lines += [(), *_thought_lines(ply.thoughts, ply.seconds)]
    return lines


def _thought_lines(found: SearchResult | None, seconds: float) -> list[Line]:
    if found is None:
        return [line(f"It took {seconds:.3f} s and says nothing of what it thought: it did not search here.")]
    lines = [line(f"It searched for {seconds:.3f} s, {found.iterations:,} iterations; values are from 0 to 1:")]
    lines.append(line(Span(f"  {'move':<36}{'visits':>9}{'value':>8}  95%", "quiet")))
    ranked = sorted(found.moves, key=lambda move: (-move.visits, -move.value))
    for move in ranked[:_BEST]:
        error = f"±{1.96 * move.stderr:.3f}" if math.isfinite(move.stderr) else "-"
        lines.append(line(f"  {short(str(move.move), 35):<36}{move.visits:>9,}{move.value:>8.3f}  {error}"))
    if len(ranked) > _BEST:
        lines.append(line(f"  and {count(len(ranked) - _BEST, 'other')}"))
    return lines + wrapped("expected: ", map(str, found.line), 2)


def hint_lines(game: Game, view: State, found: Suggestion, menu: Sequence[Move]) -> list[Line]:
    """Return a suggestion as a table, the best moves first; menu: the moves as they are numbered on the screen."""
    from dnup_ai.reasons import line_words

    if not found.searched:
        return [line(f"{found.bot} would play ", Span(found.best.move, "up"))]
    unit = "chance to win the match" if found.utility == "match" else f"{game.points} of the round"
    lines = [headline(f"hint of {short(found.bot, 30)}: {found.seconds:.1f} s, {found.iterations:,} iterations")]
    lines.append(line(Span(f"      {'move':<23}{unit:>24}    first  second  share", "quiet")))
    numbers = {str(move): f"{number})" for number, move in enumerate(menu, 1)}
    for move in found.moves[:_BEST]:
        low, high = move.interval
        value = f"{move.value:.2f} ({low:.2f} to {high:.2f})"
        same = " =" if move.equal else ""
        row = f"{value:>24}{move.first:>9.0%}{move.second:>8.0%}{move.share:>7.0%}{same}"
        name = f"{numbers.get(move.move, ''):>5} {short(move.move, 22):<23}"
        lines.append(line(Span(name, "up" if move is found.best else ""), row))
    if len(found.moves) > _BEST:
        lines.append(line(f"  and {count(len(found.moves) - _BEST, 'other')}"))
    if any(move.equal for move in found.moves[:_BEST]):
        lines.append(line("  = cannot be told from the best one by so short a search"))
    expected = line_words(game, view, [game.parse_move(view.rules, text) for text in found.best.line])
    # What a move draws is not known, so in some games it cannot be followed in words.
    lines += wrapped("then: ", expected.split() or found.best.line, 2)
    return lines + [part for reason in found.best.reasons for part in wrapped("  - ", reason.split())]
