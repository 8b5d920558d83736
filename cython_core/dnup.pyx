"""dnup as Python sees it: rules with options, moves, states (docs/rules.md)."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cython_core.bits cimport lowest, popcount
from cython_core.dnup_data cimport (
    ADD, DNUP_CARDS, DNUP_MATCH_TOKENS, DNUP_OF_VALUE, DNUP_SEATS, DNUP_VALUES, DNUP_ZONES, FLIP, PLAY, TAKE, DnupData,
    DnupTables, DnupUndo, dnup_hash, dnup_key, move_alike, move_cards, move_kind, move_make, move_value, move_zone,
)
from cython_core.dnup_evaluation cimport DNUP_FEATURES_VERSION, dnup_features
from cython_core.dnup_greedy cimport dnup_greedy_move, dnup_priors, greedy_fill
from cython_core.dnup_rewards cimport dnup_evaluate, dnup_expect, dnup_rewards, dnup_row, dnup_weights
from cython_core.dnup_rules cimport dnup_apply, dnup_ends, dnup_legal_moves, dnup_payoffs, dnup_prize, dnup_undo
from cython_core.dnup_view cimport (
    dnup_count_worlds, dnup_determinise, dnup_is_legal, dnup_observe, dnup_rewind, dnup_unnamed, dnup_world,
)
from cython_core.game cimport MAX_MOVES, Move, Policy, Rules, State, move_t, undo_t
from cython_core.rng cimport Rng, rng_below, rng_bits, rng_t

from cython_core.dnup_equity import reward_table, winner
from cython_core.position import Hand, HandCard, Position

_KINDS = {"flip": FLIP, "take": TAKE, "add": ADD, "play": PLAY}
_KIND_NAMES = {number: name for name, number in _KINDS.items()}
_OUT_SETS = ("open", "frozen")
OPTIONS = {"out_sets": "open", "repetition": 3, "max_turns": 1000, "max_rounds": 100}

# What dnup_evaluation.pxd counts, in its order.
FEATURES = (
    "plays", "plays_1", "active", "inactive", "cover", "clock", "lead", "share", "to_move", "hand", "largest",
    "second_flipped", "singles", "singles_flipped", "low_1", "low_2", "low_3", "low_1_flipped", "low_2_flipped",
    "low_3_flipped", "weak", "weak_squared", "cost", "blocked", "out_next", "out_now", "out_safe", "out_weak",
    "out_value", "set_value", "beatable", "back_plays", "threats", "known", "star", "late_plays", "1_now",
    "2_blocked", "2_threats", "2_adds",
)


cdef class DnupMove(Move):
    @property
    def kind(self):
        return _KIND_NAMES[move_kind(self.code)]

    @property
    def cards(self):
        cdef DnupRules rules = self.rules
        cdef uint64_t up
        cdef uint64_t cards
        if move_kind(self.code) < ADD:
            return ()
        cards = move_cards(&rules.tables, self.code)
        up = rules.tables.second[move_value(self.code)]
        return tuple(sorted(rules._lie(cards, up)))

    @property
    def zone(self):
        return move_zone(self.code) if move_kind(self.code) in (TAKE, ADD) else None

    def __str__(self):
        text = self.kind
        if self.cards:
            text += ":" + ",".join([f"{active}/{inactive}" for active, inactive in self.cards])
        if self.zone is not None:
            text += f"@{self.zone // 2}.{self.zone % 2 + 1}" if self.rules.players == 2 else f"@{self.zone}"
        return text


cdef class DnupRules(Rules):
    def __init__(
        self, players, cards, star, *, str deck="standard", str out_sets="open", repetition=3, max_turns=1000,
        max_rounds=100,
    ):
        for name, number in (
            ("players", players), ("repetition", repetition), ("max_turns", max_turns), ("max_rounds", max_rounds)
        ):
            if type(number) is not int or number >= 2**31:
                raise ValueError(f"{name}: expected an integer up to 2147483647, got {number!r}")
        if not 2 <= players <= DNUP_SEATS:
            raise ValueError(f"players: expected 2 to 5, got {players}")
        if out_sets not in _OUT_SETS:
            raise ValueError(f"out_sets: expected 'open' or 'frozen', got {out_sets!r}")
        if repetition < 0 or repetition == 1:
            raise ValueError(f"repetition: expected 0 (off) or 2 and more, got {repetition}")
        if max_turns < 1:
            raise ValueError(f"max_turns: expected 1 or more, got {max_turns}")
        if max_rounds < 1:
            raise ValueError(f"max_rounds: expected 1 or more, got {max_rounds}")
        self.game = "dnup"
        self.deck = deck
        self.players = players
        self.out_sets = out_sets
        self.repetition = repetition
        self.max_turns = max_turns
        self.max_rounds = max_rounds
        self.cards = tuple(sorted([(min(card), max(card)) for card in cards]))
        self.star = (min(star), max(star))
        self._check_cards()
        self._index = {card: i for i, card in enumerate(self.cards)}
        self._fill_tables()
        self.max_moves = self._bound_of_moves()

    def _check_cards(self):
        if not 0 < len(self.cards) <= DNUP_CARDS:
            raise ValueError(f"cards: expected 1 to {DNUP_CARDS} cards, got {len(self.cards)}")
        if len(self.cards) % self.players:
            raise ValueError(f"cards: {len(self.cards)} cards cannot be dealt evenly to {self.players} players")
        if len(set(self.cards)) < len(self.cards):
            raise ValueError("cards: two cards have the same pair of values")
        values = [value for card in self.cards for value in card]
        for low, high in self.cards:
            if not 1 <= low < high < DNUP_VALUES:
                raise ValueError(f"cards: expected two different values from 1 to {DNUP_VALUES - 1}, got {low}/{high}")
        for value in set(values):
            if values.count(value) > DNUP_OF_VALUE:
                raise ValueError(f"cards: value {value} is on more than {DNUP_OF_VALUE} cards")
        if self.star not in self.cards:
            raise ValueError(f"star: {self.star[0]}/{self.star[1]} is not among the cards")

    def _fill_tables(self):
        cdef DnupTables* t = &self.tables
        cdef int counts[DNUP_VALUES]
        cdef int card, side, value, zone
        memset(t, 0, sizeof(DnupTables))
        memset(counts, 0, sizeof(counts))
        memset(t.card_of, DNUP_CARDS, sizeof(t.card_of))
        t.players = self.players
        t.zones = 4 if self.players == 2 else self.players
        t.star = self._index[self.star]
        t.top = max([high for _, high in self.cards])
        t.frozen = self.out_sets == "frozen"
        for zone in range(t.zones):
            t.owner[zone] = zone // 2 if self.players == 2 else zone
        for card, pair in enumerate(self.cards):
            t.cards |= <uint64_t>1 << card
            for side in range(2):
                value = pair[side]
                t.value[side][card] = value
                t.slot[side][card] = 1 << counts[value]
                t.card_of[value][counts[value]] = card
                counts[value] += 1
            t.second[<int>pair[1]] |= <uint64_t>1 << card
        greedy_fill(t)

    def _bound_of_moves(self):
        """No hand has more moves: as many cards of one active value as there are, then of the next, and so on."""
        counts = sorted([sum([value in card for card in self.cards]) for value in range(DNUP_VALUES)], reverse=True)
        left = len(self.cards)
        bound = 1
        for count in counts:
            bound += 2 ** min(count, left) - 1
            left -= min(count, left)
        # Takes, and adds of every card that fits a set, in each zone of the opponents.
        return bound + (self.tables.zones - 1) * counts[0]

    cdef Move wrap(self, move_t move):
        cdef DnupMove wrapped = DnupMove.__new__(DnupMove)
        wrapped.rules = self
        wrapped.code = move
        return wrapped

    def options(self):
        return {name: getattr(self, name) for name, default in OPTIONS.items() if getattr(self, name) != default}

    def search_defaults(self):
        # Found and confirmed by `dnup-ai tune`, measured part by part: docs/tune.md, docs/strength.md.
        own = {"selection": "puct"}
        if self.players == 2:
            own |= {"exploration": 0.7, "first_play": 0.3, "rollout_turns": 0, "final": "value", "repeats": 1}
        elif self.players == 3:
            own |= {"exploration": 1.0, "first_play": 0.7, "rollout_turns": 8, "epsilon": 0.05}
        else:
            own |= {"exploration": 0.5, "first_play": 0.5, "rollout_turns": 8, "epsilon": 0.05, "final": "lcb"}
        if self.players < 5:
            own |= {"enumerate": 1024, "belief_temperature": 2.0}
        return own

    def feature_names(self):
        return FEATURES

    def evaluation_key(self):
        # How rounds are cut short is no part of what a position is worth; the number of cards tells decks apart.
        return {"version": DNUP_FEATURES_VERSION, "out_sets": self.out_sets, "cards": len(self.cards)}

    def match_winner(self, rounds):
        scores = [result for result, _ in rounds]
        return winner(tuple(map(sum, zip(*scores, strict=True)))) if scores else None

    def deal(self, Rng rng not None, tokens=None):
        cdef DnupState state = DnupState.__new__(DnupState)
        cdef DnupTables* t = &self.tables
        cdef DnupData* s = &state.data
        cdef uint8_t pool[DNUP_CARDS]
        cdef int n = len(self.cards)
        cdef int seat, i
        cdef uint32_t pick
        _bind(state, self)
        _clear(s)
        _set_tokens(s, self, (0,) * self.players if tokens is None else tuple(tokens))
        for i in range(n):
            pool[i] = i
        for i in range(len(self.cards)):
            pick = rng_below(&rng.stream, n)
            s.hand[i % self.players] |= <uint64_t>1 << pool[pick]
            n -= 1
            pool[pick] = pool[n]
        s.up = rng_bits(&rng.stream) & t.cards
        s.known = <uint64_t>1 << t.star
        for seat in range(self.players):
            if s.hand[seat] & s.known:
                s.turn = seat
                # With 2 players the round opens with a single turn, in zone 2.
                s.zone = 2 * seat + 1 if self.players == 2 else seat
        return state

    def move(self, kind, cards=(), zone=None):
        cdef int number = _KINDS.get(kind, 0)
        cdef uint32_t slots = 0
        cdef int value = 0
        if not number:
            raise ValueError(f"expected a move of kind {', '.join(_KINDS)}, got {kind!r}")
        if (zone is not None) != (number in (TAKE, ADD)):
            raise ValueError(f"{kind}: {'a zone is missing' if zone is None else 'takes no zone'}")
        if zone is not None and not 0 <= zone < self.tables.zones:
            raise ValueError(f"{kind}: expected zone 0..{self.tables.zones - 1}, got {zone}")
        wanted = {FLIP: (0, 0), TAKE: (0, 0), ADD: (1, 1), PLAY: (1, DNUP_OF_VALUE)}[number]
        if not wanted[0] <= len(cards) <= wanted[1]:
            raise ValueError(f"{kind}: got {len(cards)} cards")
        if cards:
            value = cards[0][0]
        for active, inactive in cards:
            card = self._index.get((min(active, inactive), max(active, inactive)))
            if card is None:
                raise ValueError(f"{active}/{inactive} is not a card in play")
            if active != value:
                raise ValueError(f"{kind}: {active}/{inactive} has not the active value {value}")
            slot = self.tables.slot[active > inactive][<int>card]
            if slots & slot:
                raise ValueError(f"{kind}: {active}/{inactive} is named twice")
            slots |= slot
        return self.wrap(move_make(number, 0 if zone is None else zone, value, slots))

    def _lie(self, uint64_t cards, uint64_t up):
        """The cards as they lie: (active, inactive) each."""
        cdef int card
        lying = []
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            low, high = self.cards[card]
            lying.append((high, low) if (up >> card) & 1 else (low, high))
        return lying

    def _key(self):
        return (self.players, self.cards, self.star, self.deck, self.out_sets, self.repetition, self.max_turns,
                self.max_rounds)

    def __eq__(self, other):
        if self is other:
            return True
        return self._key() == (<DnupRules>other)._key() if isinstance(other, DnupRules) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        options = "".join([f" {name}={value}" for name, value in self.options().items()])
        return f"<dnup rules players={self.players} deck={self.deck}{options}>"

    def __reduce__(self):
        return _unpickle_rules, (self.players, self.cards, self.star, self.deck, self.options())


def _unpickle_rules(players, cards, star, deck, options):
    return DnupRules(players, cards, star, deck=deck, **options)


cdef void _bind(DnupState state, DnupRules rules):
    state.rules = rules
    state.tables = &rules.tables


cdef void _clear(DnupData* s):
    memset(s, 0, sizeof(DnupData))
    s.view = -1
    s.turn = -1
    s.out[0] = -1
    s.out[1] = -1


cdef int _set_tokens(DnupData* s, DnupRules rules, tuple tokens) except -1:
    cdef int limit = 2 if rules.players == 2 else DNUP_MATCH_TOKENS
    if len(tokens) != rules.players:
        raise ValueError(f"tokens: expected {rules.players} numbers, got {len(tokens)}")
    for seat, number in enumerate(tokens):
        if not 0 <= number < limit:
            raise ValueError(f"tokens: expected 0 to {limit - 1} (with {limit} the match is over), got {number}")
        s.tokens[<int>seat] = number
    return 0


cdef class DnupState(State):
    def __init__(self, DnupRules rules not None, position):
        _bind(self, rules)
        _clear(&self.data)
        self._read(position)
        self.check()

    cdef State blank(self):
        cdef DnupState state = DnupState.__new__(DnupState)
        state.rules = self.rules
        state.tables = self.tables
        return state

    cdef State perft_root(self):
        # The end of a match by tokens is ignored.
        cdef DnupState root = self.copy()
        memset(root.data.tokens, 0, sizeof(root.data.tokens))
        return root

    # --- the contract of game.pxd, one line each

    cdef void c_copy_from(self, State other) noexcept nogil:
        self.data = (<DnupState>other).data

    cdef int c_turn(self) noexcept nogil:
        return self.data.turn

    cdef int c_view(self) noexcept nogil:
        return self.data.view

    cdef int c_legal_moves(self, move_t* moves) noexcept nogil:
        return dnup_legal_moves(self.tables, &self.data, moves)

    cdef bint c_is_legal(self, move_t move) noexcept nogil:
        return dnup_is_legal(self.tables, &self.data, move)

    cdef void c_apply(self, move_t move, undo_t* undo) noexcept nogil:
        dnup_apply(self.tables, &self.data, move, <DnupUndo*>undo)

    cdef void c_undo(self, const undo_t* undo) noexcept nogil:
        dnup_undo(self.tables, &self.data, <const DnupUndo*>undo)

    cdef void c_payoffs(self, double* payoffs) noexcept nogil:
        dnup_payoffs(self.tables, &self.data, payoffs)

    cdef void c_ranks(self, int8_t* ranks) noexcept nogil:
        memset(ranks, 0, self.tables.players)
        cdef int place
        for place in range(self.data.n_out):
            ranks[self.data.out[place]] = place + 1

    cdef void c_observe(self, int seat, State view) noexcept nogil:
        dnup_observe(self.tables, &self.data, seat, &(<DnupState>view).data)

    cdef void c_determinise(self, rng_t* rng, State world) noexcept nogil:
        dnup_determinise(self.tables, &self.data, rng, &(<DnupState>world).data)

    cdef int c_count_worlds(self, int limit) noexcept nogil:
        return dnup_count_worlds(self.tables, &self.data, limit)

    cdef void c_world(self, int index, State world) noexcept nogil:
        dnup_world(self.tables, &self.data, index, &(<DnupState>world).data)

    cdef bint c_rewind(self, const move_t* moves, int n, State start) noexcept nogil:
        return dnup_rewind(self.tables, &self.data, moves, n, &(<DnupState>start).data)

    cdef int fill_rewards(self, str kind, double* table) except -1:
        cdef int first, second, seat
        if kind not in ("tokens", "match", "first", "second"):
            raise ValueError(f"reward: expected 'tokens' or 'match', got {kind!r}")
        for (first, second), row in reward_table(kind, self.tokens):
            for seat in range(self.tables.players):
                dnup_row(table, first, second)[seat] = row[seat]
        return 0

    cdef void c_rewards(self, const double* table, double* rewards) noexcept nogil:
        dnup_rewards(self.tables, &self.data, table, rewards)

    cdef void c_evaluate(self, const double* table, double* rewards) noexcept nogil:
        dnup_evaluate(self.tables, &self.data, table, rewards)

    cdef bint c_weights(self, double* weights) noexcept nogil:
        dnup_weights(self.tables, &self.data, weights)
        return True

    cdef void c_expect(
        self, const double* weights, const double* later, const double* table, double* rewards
    ) noexcept nogil:
        dnup_expect(self.tables, &self.data, weights, later, table, rewards)

    cdef void c_features(self, double* features) noexcept nogil:
        dnup_features(self.tables, &self.data, features)

    cdef uint64_t c_move_key(self, move_t move, int seat, bint merge) noexcept nogil:
        # All moves are public, cards included.
        return move_alike(move) if merge else move

    cdef int c_move_group(self, move_t move) noexcept nogil:
        return move_alike(move) & 0xFF if move_kind(move) == PLAY else 0

    cdef void c_priors(self, const move_t* moves, int n, double* priors) noexcept nogil:
        dnup_priors(self.tables, &self.data, moves, n, priors)

    cdef uint64_t c_hash(self) noexcept nogil:
        return dnup_hash(&self.data)

    cdef void c_key(self, uint64_t* key) noexcept nogil:
        dnup_key(self.tables, &self.data, key)

    cdef int c_live_cards(self) noexcept nogil:
        cdef int cards = 0
        cdef int i
        for i in range(self.tables.players):
            cards += popcount(self.data.hand[i]) + self.data.hidden[i]
        for i in range(self.tables.zones):
            cards += popcount(self.data.table[i])
        return cards

    cdef move_t c_greedy_move(self, rng_t* rng, double epsilon) noexcept nogil:
        return dnup_greedy_move(self.tables, &self.data, rng, epsilon)

    cdef int c_play_on(self, rng_t* rng, Policy policy, double epsilon, int max_turns) noexcept nogil:
        cdef DnupData s = self.data
        cdef move_t moves[MAX_MOVES]
        cdef move_t move
        cdef int turns = 0
        while s.turn >= 0 and turns < max_turns:
            if policy == Policy.GREEDY:
                move = dnup_greedy_move(self.tables, &s, rng, epsilon)
            else:
                move = moves[rng_below(rng, dnup_legal_moves(self.tables, &s, moves))]
            dnup_apply(self.tables, &s, move, NULL)
            turns += 1
        self.data = s
        return turns

    # --- what is dnup's own

    @property
    def zone(self):
        return None if self.data.turn < 0 else self.data.zone

    @property
    def out(self):
        return tuple([self.data.out[i] for i in range(self.data.n_out)])

    @property
    def tokens(self):
        return tuple([self.data.tokens[seat] for seat in range(self.rules.players)])

    def result(self):
        given = [0] * self.rules.players
        for place in range(self.data.n_out):
            given[self.data.out[place]] = dnup_prize(self.tables, place)
        return tuple(given)

    def repetition_key(self):
        # Hands with their ways up, table, turn and zone, who is out; what is known of them does not count.
        cdef DnupData* s = &self.data
        cdef uint64_t words[DNUP_SEATS + DNUP_ZONES + 2]
        self._require_truth("repetition_key is taken")
        memcpy(words, s.hand, sizeof(s.hand))
        memcpy(words + DNUP_SEATS, s.table, sizeof(s.table))
        words[DNUP_SEATS + DNUP_ZONES] = s.up
        words[DNUP_SEATS + DNUP_ZONES + 1] = (
            <uint8_t>s.turn | <uint64_t>s.zone << 8 | <uint64_t><uint8_t>s.out[0] << 16
            | <uint64_t><uint8_t>s.out[1] << 24
        )
        return (<char*>words)[:sizeof(words)]

    def to_bytes(self):
        return (<char*>&self.data)[:sizeof(DnupData)]

    def position(self):
        cdef DnupData* s = &self.data
        cdef DnupRules rules = self.rules
        hands = []
        for seat in range(rules.players):
            cards = []
            for low_high in rules._lie(s.hand[<int>seat], 0):
                cards.append(self._hand_card(low_high, seat))
            hands.append(Hand(tuple(sorted(cards)), s.hidden[<int>seat]))
        over = s.turn < 0
        return Position(
            players=rules.players,
            turn=None if over else s.turn,
            zone=None if over else (s.zone % 2 + 1 if rules.players == 2 else s.turn),
            view=None if s.view < 0 else s.view,
            hands=tuple(hands),
            table=tuple([tuple(sorted(rules._lie(s.table[zone], s.up))) for zone in range(self.tables.zones)]),
            gone=tuple(rules._lie(s.gone, 0)),
            gone_hidden=s.gone_hidden,
            out=self.out,
            tokens=self.tokens,
            deck=rules.deck,
        )

    def _hand_card(self, pair, int seat):
        cdef uint64_t bit = <uint64_t>1 << <int>(<DnupRules>self.rules)._index[pair]
        active, inactive = reversed(pair) if self.data.up & bit else pair
        mark = "+" if self.data.known_up & bit else "~" if self.data.known & bit else ""
        return HandCard(active, inactive, mark)

    def __str__(self):
        return str(self.position())

    def __reduce__(self):
        return DnupState, (self.rules, self.position())

    # --- reading and checking a position

    def _read(self, position):
        """Copies the position into the struct, bit by bit; raises ValueError for what has no place there."""
        cdef DnupData* s = &self.data
        cdef DnupRules rules = self.rules
        cdef int zones = self.tables.zones
        for field, got, wanted in (
            ("players", position.players, rules.players),
            ("deck", position.deck, rules.deck),
            ("hands", len(position.hands), rules.players),
            ("table", len(position.table), zones),
        ):
            if got != wanted:
                raise ValueError(f"{field}: expected {wanted!r}, got {got!r}")
        if position.view is not None:
            self._require_seat(position.view)
            s.view = position.view
        _set_tokens(s, rules, tuple(position.tokens or (0,) * rules.players))
        self._read_turn(position)
        seen = set()
        for seat, hand in enumerate(position.hands):
            s.hidden[<int>seat] = _small(hand.hidden, "hands")
            for active, inactive, mark in hand.cards:
                bit = self._bit("hands", active, inactive, seen)
                s.hand[<int>seat] |= bit
                if mark:
                    s.known |= bit
                if mark == "+":
                    s.known_up |= bit
                if active > inactive:
                    s.up |= bit
        for zone, cards in enumerate(position.table):
            for active, inactive in cards:
                bit = self._bit("table", active, inactive, seen)
                s.table[<int>zone] |= bit
                s.value[<int>zone] = active
                if active > inactive:
                    s.up |= bit
        for low, high in position.gone:
            s.gone |= self._bit("gone", low, high, seen)
        s.gone_hidden = _small(position.gone_hidden, "gone")

    def _read_turn(self, position):
        cdef DnupData* s = &self.data
        if len(position.out) > 2 or len(set(position.out)) < len(position.out):
            raise ValueError(f"out: expected at most two different seats, got {position.out!r}")
        for place, seat in enumerate(position.out):
            self._require_seat(seat)
            s.out[<int>place] = seat
        s.n_out = len(position.out)
        if position.turn is None:
            return
        self._require_seat(position.turn)
        s.turn = position.turn
        s.zone = position.turn
        if self.rules.players == 2:
            if position.zone not in (1, 2):
                raise ValueError(f"turn: expected zone 1 or 2, got {position.zone!r}")
            s.zone = 2 * position.turn + position.zone - 1

    cdef uint64_t _bit(self, str field, int active, int inactive, set seen) except 0:
        pair = (min(active, inactive), max(active, inactive))
        card = (<DnupRules>self.rules)._index.get(pair)
        if card is None:
            raise ValueError(f"{field}: {active}/{inactive} is not a card in play at {self.rules.players} players")
        if pair in seen:
            raise ValueError(f"{field}: the card {active}/{inactive} is there twice")
        seen.add(pair)
        return <uint64_t>1 << <int>card

    def check(self):
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self):
        """Yields what is wrong with the struct, each with the field of the notation that is at fault."""
        cdef DnupData* s = &self.data
        cdef const DnupTables* t = self.tables
        cdef uint64_t star = <uint64_t>1 << t.star
        yield from self._faults_of_cards()
        yield from self._faults_of_table()
        hands = 0
        strangers = 0
        for seat in range(t.players):
            hands |= s.hand[<int>seat]
            if s.view >= 0 and s.view != seat:
                strangers |= s.hand[<int>seat]
            if (s.hand[<int>seat] == 0 and s.hidden[<int>seat] == 0) != (seat in self.out):
                yield f"hands: the hand of seat {seat} is empty and the seat is not out, or the reverse"
        if s.known & ~hands or s.known_up & ~s.known:
            yield "hands: a mark on a card that is in no hand"
        if s.known & ~s.known_up & ~star:
            yield "hands: only the star may bear ~"
        if star & hands & ~s.known:
            yield "hands: the star bears no mark, but everybody knows who holds it"
        if strangers & ~s.known:
            yield "hands: the view names a card of another hand that bears no mark"
        if s.up & (s.gone | (strangers & ~s.known_up) | ~t.cards):
            yield "hands: a way up is set that nobody can know"
        if dnup_ends(t, s) != (s.turn < 0):
            yield "turn: the round is over and a seat is to move, or the reverse"
        if s.turn >= 0 and s.turn in self.out:
            yield f"turn: seat {s.turn} is out"
        if s.turn >= 0 and t.owner[s.zone] != s.turn:
            yield "turn: the zone is not of the seat to move"

    def _faults_of_cards(self):
        """Every card of the deck in one place, or among those that the view cannot name."""
        cdef DnupData* s = &self.data
        cdef const DnupTables* t = self.tables
        cdef uint64_t unnamed = dnup_unnamed(t, s)
        cdef uint64_t star = <uint64_t>1 << t.star
        places = [s.hand[seat] for seat in range(t.players)]
        places += [s.table[zone] for zone in range(t.zones)] + [s.gone]
        if sum([popcount(place) for place in places]) != popcount(t.cards & ~unnamed):
            yield "hands: a card is in two places"
        hidden = [s.hidden[seat] for seat in range(t.players)]
        if s.view < 0 and (any(hidden) or s.gone_hidden):
            yield "hands: a true state names every card"
        if s.view >= 0 and hidden[s.view]:
            yield "hands: the seat of the view knows all of its own cards"
        missing = popcount(unnamed) - sum(hidden) - s.gone_hidden
        if missing:
            cards = ", ".join([f"{low}/{high}" for low, high in (<DnupRules>self.rules)._lie(unnamed, 0)])
            yield f"hands: {abs(missing)} cards {'missing' if missing > 0 else 'too many'}; not placed: {cards or '-'}"
        if unnamed & star and not s.gone_hidden:
            yield "hands: the star is in no place, but everybody knows where it is"

    def _faults_of_table(self):
        """Every set of one active value, sizes distinct."""
        cdef DnupData* s = &self.data
        cdef const DnupTables* t = self.tables
        sizes = []
        for zone in range(t.zones):
            cards = s.table[<int>zone]
            value = s.value[<int>zone]
            actives = {active for active, _ in (<DnupRules>self.rules)._lie(cards, s.up)}
            if actives != ({value} if cards else set()) or (value and not cards):
                yield f"table: the cards of zone {zone} have not one active value"
            if cards:
                sizes.append(popcount(cards))
        if len(set(sizes)) < len(sizes):
            yield "table: two sets have the same size"


cdef int _small(number, str field) except -1:
    if not 0 <= number <= DNUP_CARDS:
        raise ValueError(f"{field}: expected at most {DNUP_CARDS} cards that cannot be named, got {number}")
    return number
