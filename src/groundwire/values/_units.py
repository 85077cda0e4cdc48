"""Units: their names, what they measure, and how they convert."""

from dataclasses import dataclass
from decimal import Decimal

from groundwire.text import Atom, Kind, word_list, word_set
from groundwire.values._tokens import glued, lower_at


@dataclass(frozen=True, slots=True)
class Unit:
    """`value * factor + offset` is the value in the dimension's base unit."""

    dimension: str
    factor: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)


_YEAR_S = "31556952"  # the mean Gregorian year
_MONTH_S = "2629746"  # a twelfth of it

# (dimension, size of the unit, symbols, words); all of these take SI prefixes
_METRIC = [
    ("length", "1", "m", "metre meter"),
    ("mass", "0.001", "g", "gram gramme"),
    ("time", "1", "s", "second"),
    ("current", "1", "A", "ampere amp"),
    ("voltage", "1", "V", "volt"),
    ("power", "1", "W Wp", "watt"),
    ("apparent power", "1", "VA", ""),
    ("energy", "1", "J", "joule"),
    ("energy", "3600", "Wh", ""),
    ("energy", "1.602176634e-19", "eV", "electronvolt"),
    ("energy", "4.184", "cal", "calorie"),
    ("frequency", "1", "Hz", "hertz"),
    ("pressure", "1", "Pa", "pascal"),
    ("pressure", "100000", "bar", ""),
    ("force", "1", "N", "newton"),
    ("torque", "1", "Nm", ""),
    ("capacitance", "1", "F", "farad"),
    ("inductance", "1", "H", "henry"),
    ("resistance", "1", "\u03a9 \u2126", "ohm"),
    ("charge", "3600", "Ah", ""),
    ("volume", "0.001", "L l", "litre liter"),
    ("amount", "1", "mol", "mole"),
    ("luminous flux", "1", "lm", "lumen"),
    ("dose", "1", "Sv", "sievert"),
    ("absorbed dose", "1", "Gy", "gray"),
    ("activity", "1", "Bq", "becquerel"),
    ("data", "8", "B", "byte"),
    ("data", "1", "b bit", "bit"),
    ("data/time", "1", "bps", ""),
    ("data/time", "8", "Bps", ""),
]
_PREFIXES = [
    ("P", "peta", "1e15"),
    ("T", "tera", "1e12"),
    ("G", "giga", "1e9"),
    ("M", "mega", "1e6"),
    ("k", "kilo", "1e3"),
    ("h", "hecto", "1e2"),
    ("d", "deci", "0.1"),
    ("c", "centi", "0.01"),
    ("m", "milli", "0.001"),
    ("\u00b5", "micro", "1e-6"),
    ("\u03bc", "micro", "1e-6"),
    ("u", "micro", "1e-6"),
    ("n", "nano", "1e-9"),
    ("p", "pico", "1e-12"),
    ("Ki", "kibi", str(2**10)),
    ("Mi", "mebi", str(2**20)),
    ("Gi", "gibi", str(2**30)),
    ("Ti", "tebi", str(2**40)),
    ("Pi", "pebi", str(2**50)),
]
# (dimension, size of the unit, every name)
_OTHERS = [
    ("time", "1", "sec secs second seconds"),
    ("time", "60", "min mins minute minutes"),
    ("time", "3600", "h hr hrs hour hours"),
    ("time", "86400", "day days"),
    ("time", "604800", "wk wks week weeks"),
    ("time", "1209600", "fortnight fortnights"),
    ("time", _MONTH_S, "month months"),
    ("time", _YEAR_S, "yr yrs year years"),
    ("time", "315569520", "decade decades"),
    ("time", "3155695200", "century centuries"),
    ("length", "0.0254", "in inch inches"),
    ("length", "0.3048", "ft foot feet"),
    ("length", "0.9144", "yd yds yard yards"),
    ("length", "1609.344", "mi mile miles"),
    ("length", "1852", "nmi"),
    ("mass", "0.45359237", "lb lbs"),
    ("mass", "0.028349523125", "oz ounce ounces"),
    ("mass", "6.35029318", "stone"),
    ("mass", "907.18474", "ton tons"),
    ("mass", "1000", "t tonne tonnes"),
    ("mass", "1e6", "kt kilotonne kilotonnes"),
    ("mass", "1e9", "Mt megatonne megatonnes"),
    ("area", "10000", "ha hectare hectares"),
    ("area", "4046.8564224", "acre acres"),
    ("volume", "0.003785411784", "gal gallon gallons"),
    ("volume", "0.000473176473", "pint pints"),
    ("volume", "0.158987294928", "bbl barrel barrels"),
    ("volume", "1e-6", "cc"),
    ("speed", "0.44704", "mph"),
    ("speed", "0.2777777777777777777777777778", "kmh kph"),
    ("speed", "0.5144444444444444444444444444", "knot knots"),
    ("power", "745.69987158227022", "hp horsepower"),
    ("pressure", "6894.757293168", "psi"),
    ("pressure", "101325", "atm"),
    ("pressure", "133.322387415", "mmHg"),
    ("rotation", "1", "rpm"),
    ("pulse", "1", "bpm"),
    ("ratio", "0.01", "% percent pct percents"),
    ("ratio", "0.001", "\u2030"),
    ("ratio", "1e-6", "ppm"),
    ("ratio", "1e-9", "ppb"),
    ("points", "1", "pp ppt"),
    ("level", "1", "dB dBA dBm decibel decibels"),
    ("multiple", "1", "x \u00d7 fold"),
    ("pixels", "1", "px pixel pixels"),
    ("pixels", "1e6", "MP megapixel megapixels"),
    ("degree", "1", "\u00b0 degree degrees deg"),
]
_TEMPERATURES = [
    (Unit("temperature"), "K kelvin kelvins"),
    (Unit("temperature", Decimal(1), Decimal("273.15")), "C celsius centigrade"),
    (Unit("temperature", Decimal(5) / 9, Decimal("459.67") * 5 / 9), "F fahrenheit"),
]
# how people write them all the same
_SPELLINGS = (
    "Kg:kg KG:kg kgs:kg Km:km KM:km kms:km kw:kW KW:kW kwh:kWh KWh:kWh Kwh:kWh kWH:kWh MWH:MWh"
    " mhz:MHz Mhz:MHz ghz:GHz Ghz:GHz khz:kHz KHz:kHz hz:Hz HZ:Hz gb:GB mb:MB kb:kB tb:TB KB:kB"
    " mv:mV kv:kV KV:kV ma:mA mbps:Mbps gbps:Gbps kbps:kbps Kbps:kbps kcals:kcal Mb:Mb GHZ:GHz"
    " Hrs:hrs Hr:hr sq.ft:ft\u00b2 mcg:\u00b5g ML:mL KPa:kPa Kpa:kPa"
)


def _metric_units() -> dict[str, Unit]:
    table = {}
    for dimension, size, symbols, words in _METRIC:
        base = Unit(dimension, Decimal(size))
        table.update(dict.fromkeys(word_list(symbols), base))
        for word in word_list(words):
            table[word] = table[word + "s"] = base
        for symbol_prefix, word_prefix, scale in _PREFIXES:
            scaled = Unit(dimension, base.factor * Decimal(scale))
            table.update(
                dict.fromkeys((symbol_prefix + name for name in word_list(symbols)), scaled)
            )
            for word in word_list(words):
                table[word_prefix + word] = table[word_prefix + word + "s"] = scaled
    return table


def _all_units() -> dict[str, Unit]:
    table = _metric_units()
    for dimension, size, names in _OTHERS:
        table.update(dict.fromkeys(word_list(names), Unit(dimension, Decimal(size))))
    for unit, names in _TEMPERATURES:
        table.update(dict.fromkeys(word_list(names), unit))
    for name, unit in list(table.items()):
        if unit.dimension == "length":
            table[name + "\u00b2"] = Unit("area", unit.factor**2)
            table[name + "\u00b3"] = Unit("volume", unit.factor**3)
    for pair in word_list(_SPELLINGS):
        spelling, proper = pair.split(":")
        table[spelling] = table[proper]
    return table


UNITS = _all_units()


Found = tuple[Unit, int]
"""A unit and the index of the token after it."""

# As lone words these are something else: a preposition, a letter, a model's name.
_ONLY_GLUED = word_set("in b B t x F H N J C K A d l V W m g s h L")
# ... but with nothing behind them they may stand apart from the number.
_SPACED = word_set("V W m g s h L A K C F N J")
_POWERS = {"2": "\u00b2", "3": "\u00b3"}
_DIMENSIONAL_WORDS = {"square": "\u00b2", "sq": "\u00b2", "cubic": "\u00b3"}
_DEGREES = word_set("\u00b0 \u00ba degree degrees deg")
_MULTIPLES = word_set("more as higher less lower larger greater the faster bigger longer its their")
_NAMED_RATIOS = {("length", "time"): "speed"}
_POINTS = {"percentage": UNITS["pp"], "percent": UNITS["pp"], "%": UNITS["pp"]} | {
    "basis": Unit("points", UNITS["%"].factor)
}
_LONG_WORD = 4
_MAX_DENOMINATORS = 3


def unit_at(tokens: list[Atom], index: int) -> Found | None:
    """The unit that starts at a token, with all it is divided by."""
    found = _single(tokens, index)
    for _ in range(_MAX_DENOMINATORS):
        below = None if found is None else _denominator(tokens, found[1])
        if found is None or below is None:
            break
        found = (_ratio(found[0], below[0]), below[1])
    return found


def rate_at(tokens: list[Atom], index: int) -> Found | None:
    """ "12,000/mm3", "40 per minute": a count for each of some unit."""
    below = _denominator(tokens, index)
    return None if below is None else (_ratio(Unit("count"), below[0]), below[1])


def _ratio(top: Unit, below: Unit) -> Unit:
    dimensions = (top.dimension, below.dimension)
    name = _NAMED_RATIOS.get(dimensions, "/".join(dimensions))
    return Unit(name, top.factor / below.factor)


def _denominator(tokens: list[Atom], index: int) -> Found | None:
    if lower_at(tokens, index) == "/" and glued(tokens, index) and glued(tokens, index + 1):
        return _single(tokens, index + 1)
    if lower_at(tokens, index) in {"per", "an"}:
        return _single(tokens, index + 1)
    return None


def _single(tokens: list[Atom], index: int) -> Found | None:
    if index >= len(tokens) or tokens[index].kind is Kind.NUMBER:
        return None
    return _phrase(tokens, index) or _power(tokens, index) or _plain(tokens, index)


def _phrase(tokens: list[Atom], index: int) -> Found | None:
    """Units of two words."""
    word, following = lower_at(tokens, index), lower_at(tokens, index + 1)
    if word == "per" and following == "cent":
        return UNITS["%"], index + 2
    if word in _POINTS and following in {"point", "points"}:
        return _POINTS[word], index + 2
    if word in _DEGREES:
        scale = UNITS.get(following if len(following) > 1 else following.upper())
        is_scale = scale is not None and scale.dimension == "temperature"
        return (scale, index + 2) if scale and is_scale else (UNITS["degree"], index + 1)
    if word == "times" and following in _MULTIPLES:
        return UNITS["x"], index + 1
    if word in {"light", "nautical"} and following.startswith(("year", "mile")):
        return Unit(word), index + 2
    return None


def _power(tokens: list[Atom], index: int) -> Found | None:
    """ "square kilometres", "sq. ft", "cubic metres"."""
    mark = _DIMENSIONAL_WORDS.get(lower_at(tokens, index))
    if mark is None:
        return None
    after = index + 1 + (lower_at(tokens, index + 1) in {".", "-"})
    unit = UNITS.get(lower_at(tokens, after) + mark)
    return None if unit is None else (unit, after + 1)


def _plain(tokens: list[Atom], index: int) -> Found | None:
    token = tokens[index]
    unit = UNITS.get(token.text)
    if unit is None and len(token.text) >= _LONG_WORD:
        unit = UNITS.get(token.lower)
    if unit is None or not _may_stand(tokens, index):
        return None
    power = _exponent(tokens, index) if unit.dimension == "length" else None
    return power or (unit, index + 1)


def _may_stand(tokens: list[Atom], index: int) -> bool:
    token = tokens[index]
    if token.text not in _ONLY_GLUED or glued(tokens, index):
        return True
    if token.text == "in" and lower_at(tokens, index - 2) in {"ft", "feet", "foot"}:
        return True
    is_last = index + 1 >= len(tokens) or tokens[index + 1].kind is not Kind.WORD
    return token.text in _SPACED and (is_last or token.text in {"V", "W", "m", "g", "L"})


def _exponent(tokens: list[Atom], index: int) -> Found | None:
    """ "mm3", "m^2"."""
    place = index + 1 + (lower_at(tokens, index + 1) == "^")
    mark = _POWERS.get(lower_at(tokens, place))
    unit = UNITS.get(tokens[index].text + mark) if mark and glued(tokens, place) else None
    return None if unit is None else (unit, place + 1)
