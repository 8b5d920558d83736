"""What playing each deal more than once buys: the variance-reduction factor, on real bots at 2 to 5 players.

    python benchmarks/duplicate.py            about 4 minutes

The factor is the variance that the differences between bots would have if no two games shared a deal, by the variance
that they have (`tournaments.ratings.variance_reduction`): 1.5 means that half as many games again would be needed
without duplicate deals.
"""

from __future__ import annotations

import argparse

from common import PLAYERS, load, markdown, print_report

from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.session import play_missing
from tournaments.standings import summarise
from tournaments.store import MEMORY, Store

SEED = 32
LEAGUE = "ismcts:iterations=200 flat:iterations=200 greedy greedy:epsilon=0.3 random"
PAIRS = {
    "greedy against random": "greedy random",
    "ismcts (200) against greedy": "ismcts:iterations=200 greedy",
    "ismcts (200) against ismcts (50)": "ismcts:iterations=200 ismcts:iterations=50",
    "greedy against itself": "greedy greedy",
}


def factor(bots: str, players: int, form: str, lineup: str, deals: int, workers: int) -> tuple[float | None, int]:
    """Play a tournament; returns its factor and the number of games."""
    settings = Tournament(
        tuple(map(parse_spec, bots.split())), players, deals, SEED, load_deck("standard"), format=form, lineup=lineup
    )
    ledger = Ledger(settings)
    with Store.create(MEMORY) as store:
        play_missing(settings, store, ledger, concurrency=workers)
    return summarise(ledger).variance_reduction, ledger.games


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000, help="of a head-to-head; a league plays a fifth (1000)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    args = parser.parse_args()
    load_before = load()
    rows = []
    for label, bots in PAIRS.items():
        for lineup in ("alternating", "one-vs-rest"):
            cells = [factor(bots, players, "head-to-head", lineup, args.deals, args.workers)[0] for players in PLAYERS]
            rows.append([f"{label}, {lineup}", *(f"{cell:.2f}" for cell in cells if cell is not None)])
    cells = [
        factor(
            " ".join(LEAGUE.split()[:players]), players, "round-robin", "alternating", args.deals // 5, args.workers
        )[0]
        for players in PLAYERS
    ]
    rows.append(["league of as many bots as seats", *(f"{cell:.2f}" for cell in cells if cell is not None)])
    print_report(
        "Variance reduction by duplicate deals",
        markdown(["bots", *(f"{players} players" for players in PLAYERS)], rows),
        load_before=load_before,
    )


if __name__ == "__main__":
    main()
