"""Units: their names, what they measure, and how they convert."""

from dataclasses import dataclass
from decimal import Decimal


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
    ("energy", "3600", "Wh", "watt-hour"),
    ("energy", "1.602176634e-19", "eV", "electronvolt"),
    ("energy", "4.184", "cal", "calorie"),
    ("frequency", "1", "Hz", "hertz"),
    ("pressure", "1", "Pa", "pascal"),
    ("pressure", "100000", "bar", ""),
    ("force", "1", "N", "newton"),
    ("torque", "1", "Nm", "newton-metre newton-meter"),
    ("capacitance", "1", "F", "farad"),
    ("inductance", "1", "H", "henry"),
    ("resistance", "1", "\u03a9 \u2126", "ohm"),
    ("charge", "3600", "Ah", "ampere-hour amp-hour"),
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
        table.update(dict.fromkeys(symbols.split(), base))
        for word in words.split():
            table[word] = table[word + "s"] = base
        for symbol_prefix, word_prefix, scale in _PREFIXES:
            scaled = Unit(dimension, base.factor * Decimal(scale))
            table.update(dict.fromkeys((symbol_prefix + name for name in symbols.split()), scaled))
            for word in words.split():
                table[word_prefix + word] = table[word_prefix + word + "s"] = scaled
    return table


def _all_units() -> dict[str, Unit]:
    table = _metric_units()
    for dimension, size, names in _OTHERS:
        table.update(dict.fromkeys(names.split(), Unit(dimension, Decimal(size))))
    for unit, names in _TEMPERATURES:
        table.update(dict.fromkeys(names.split(), unit))
    for name, unit in list(table.items()):
        if unit.dimension == "length":
            table[name + "\u00b2"] = Unit("area", unit.factor**2)
            table[name + "\u00b3"] = Unit("volume", unit.factor**3)
    for pair in _SPELLINGS.split():
        spelling, proper = pair.split(":")
        table[spelling] = table[proper]
    return table


UNITS = _all_units()
_LONGEST_SYMBOL = 4
UNIT_SYMBOLS = frozenset(name for name in UNITS if len(name) <= _LONGEST_SYMBOL)
"""The short names, which look like abbreviations or initials: "5 V.", "40 kWh.", "3 in."."""
