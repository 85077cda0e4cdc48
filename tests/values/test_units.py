from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from groundwire.model import UNITS, Unit
from groundwire.text import atoms_of
from groundwire.values import quantities_in, same_value
from groundwire.values._units import rate_at, unit_at


def equal(one: str, other: str) -> bool:
    (first,), (second,) = quantities_in(one), quantities_in(other)
    return same_value(first, second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("725 mV", "0.725 V"),
        ("725mV", "0.725 volts"),
        ("1 h", "60 min"),
        ("90 minutes", "1.5 hours"),
        ("2 h 30 min", "150 minutes"),
        ("2 hours and 30 minutes", "150 min"),
        ("12 months", "1 year"),
        ("5 ft", "1.524 m"),
        ("6 ft 2 in", "74 inches"),
        ("1 km", "1000 metres"),
        ("3 GB", "3000 MB"),
        ("1 GiB", "1024 MiB"),
        ("8 bits", "1 byte"),
        ("1 MW", "1000 kW"),
        ("1 kWh", "3.6 MJ"),
        ("1.2 kilowatt-hours", "1,200 watt-hours"),
        ("2 kilowatt hours", "2 kWh"),
        ("4 ampere-hours", "4 Ah"),
        ("12 newton-metres", "12 Nm"),
        ("60 km/h", "60 kilometres per hour"),
        ("36 km/h", "10 m/s"),
        ("5 mg/dL", "50 mg/L"),
        ("2 km2", "2 square kilometres"),
        ("1 ha", "10000 m\u00b2"),
        ("1 m3", "1000 litres"),
        ("12,000/mm3", "12,000 per cubic millimetre"),
        ("0 \u00b0C", "273.15 K"),
        ("100 degrees Celsius", "212 \u00b0F"),
        ("40 kN", "40000 N"),
        ("1 Gbps", "1000 Mbps"),
        ("50 basis points", "0.5 percentage points"),
        ("13-year", "13 years"),
    ],
)
def test_units_of_one_dimension_convert(one: str, other: str) -> None:
    assert equal(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("16 GB", "16 GiB"),
        ("5 km", "5 miles"),
        ("10 kg", "10 km"),
        ("20 \u00b0C", "20 \u00b0F"),
        ("5%", "5 percentage points"),
        ("$5", "\u00a35"),
        ("3 MB", "3 Mb"),
        ("42 days", "42 months"),
    ],
)
def test_the_same_digits_in_another_unit_are_another_value(one: str, other: str) -> None:
    assert not equal(one, other)


def test_a_preposition_is_no_inch() -> None:
    assert quantities_in("3 in the team")[0].dimension == "count"


LINEAR = sorted(name for name, unit in UNITS.items() if len(name) > 3 and not unit.offset)


@given(st.sampled_from(LINEAR), st.integers(min_value=1, max_value=10**6))
def test_a_value_survives_conversion_to_base_units_and_back(name: str, number: int) -> None:
    unit = UNITS[name]
    base = Decimal(number) * unit.factor
    assert abs(base / unit.factor - number) <= Decimal(number) * Decimal("1e-20")


@given(st.integers(min_value=1, max_value=10**8))
def test_milli_and_kilo_are_a_million_apart(number: int) -> None:
    assert equal(f"{number * 1_000_000} mV", f"{number} kV")


_FOOT = Fraction(3048, 10_000)
_INCH = _FOOT / 12
_POUND = Fraction(45_359_237, 100_000_000)
_GRAVITY = Fraction(980_665, 100_000)
_GALLON = 231 * _INCH**3  # the United States' wine gallon
_DAY = 24 * 60 * 60
_YEAR = Fraction(3_652_425, 10_000) * _DAY  # the mean Gregorian year

# what the unit is by its definition: in SI units, in bits, in points
DEFINITIONS: list[tuple[str, Fraction | int, str]] = [
    ("length", 1, "m metre meter metres meters"),
    ("length", _INCH, "in inch inches"),
    ("length", _FOOT, "ft foot feet"),
    ("length", 3 * _FOOT, "yd yds yard yards"),
    ("length", 5280 * _FOOT, "mi mile miles"),
    ("length", 1852, "nmi"),
    ("mass", Fraction(1, 1000), "g gram gramme grams grammes"),
    ("mass", _POUND, "lb lbs"),
    ("mass", _POUND / 16, "oz ounce ounces"),
    ("mass", 14 * _POUND, "stone"),
    ("mass", 2000 * _POUND, "ton tons"),
    ("mass", 1000, "t tonne tonnes"),
    ("mass", 10**6, "kt kilotonne kilotonnes"),
    ("mass", 10**9, "Mt megatonne megatonnes"),
    ("time", 1, "s sec secs second seconds"),
    ("time", 60, "min mins minute minutes"),
    ("time", 3600, "h hr hrs hour hours"),
    ("time", _DAY, "day days"),
    ("time", 7 * _DAY, "wk wks week weeks"),
    ("time", 14 * _DAY, "fortnight fortnights"),
    ("time", _YEAR / 12, "month months"),
    ("time", _YEAR, "yr yrs year years"),
    ("time", 10 * _YEAR, "decade decades"),
    ("time", 100 * _YEAR, "century centuries"),
    ("area", 10_000, "ha hectare hectares"),
    ("area", 4840 * (3 * _FOOT) ** 2, "acre acres"),
    ("volume", Fraction(1, 1000), "L l litre liter litres liters"),
    ("volume", _GALLON, "gal gallon gallons"),
    ("volume", _GALLON / 8, "pint pints"),
    ("volume", 42 * _GALLON, "bbl barrel barrels"),
    ("volume", Fraction(1, 10**6), "cc"),
    ("speed", 5280 * _FOOT / 3600, "mph"),
    ("speed", Fraction(1000, 3600), "kmh kph"),
    ("speed", Fraction(1852, 3600), "knot knots"),
    ("power", 1, "W Wp watt watts"),
    ("power", 550 * _FOOT * _POUND * _GRAVITY, "hp horsepower"),
    ("apparent power", 1, "VA"),
    ("energy", 1, "J joule joules"),
    ("energy", 3600, "Wh"),
    ("energy", Fraction("1.602176634e-19"), "eV electronvolt electronvolts"),
    ("energy", Fraction(4184, 1000), "cal calorie calories"),
    ("pressure", 1, "Pa pascal pascals"),
    ("pressure", 10**5, "bar"),
    ("pressure", _POUND * _GRAVITY / _INCH**2, "psi"),
    ("pressure", 101_325, "atm"),
    ("pressure", Fraction(135_951, 10_000) * _GRAVITY, "mmHg"),
    ("current", 1, "A ampere amp amperes amps"),
    ("voltage", 1, "V volt volts"),
    ("frequency", 1, "Hz hertz"),
    ("force", 1, "N newton newtons"),
    ("torque", 1, "Nm"),
    ("capacitance", 1, "farad farads"),
    ("inductance", 1, "H henry henrys"),
    ("resistance", 1, "\u03a9 \u2126 ohm ohms"),
    ("charge", 3600, "Ah"),
    ("amount", 1, "mol mole moles"),
    ("luminous flux", 1, "lm lumen lumens"),
    ("dose", 1, "Sv sievert sieverts"),
    ("absorbed dose", 1, "Gy gray grays"),
    ("activity", 1, "Bq becquerel becquerels"),
    ("data", 8, "B byte bytes"),
    ("data", 1, "b bit bits"),
    ("data/time", 1, "bps"),
    ("data/time", 8, "Bps"),
    ("rotation", 1, "rpm"),
    ("pulse", 1, "bpm"),
    ("ratio", Fraction(1, 100), "% percent pct percents"),
    ("ratio", Fraction(1, 1000), "\u2030"),
    ("ratio", Fraction(1, 10**6), "ppm"),
    ("ratio", Fraction(1, 10**9), "ppb"),
    ("points", 1, "pp ppt"),
    ("level", 1, "dB dBA dBm decibel decibels"),
    ("multiple", 1, "x \u00d7 fold"),
    ("pixels", 1, "px pixel pixels"),
    ("pixels", 10**6, "MP megapixel megapixels"),
    ("degree", 1, "\u00b0 degree degrees deg"),
]


def written_exactly(factor: Decimal, definition: Fraction) -> bool:
    """As it is defined, or, where that never ends, rounded to thirteen digits or more."""
    if Fraction(factor) == definition:
        return True
    _, digits, exponent = factor.as_tuple()
    assert isinstance(exponent, int)
    return len(digits) >= 13 and Fraction(factor) == round(definition, -exponent)


@pytest.mark.parametrize(("dimension", "definition", "names"), DEFINITIONS)
def test_every_unit_is_as_large_as_it_is_defined(
    dimension: str, definition: Fraction | int, names: str
) -> None:
    """An international mile is 1609.344 m, not 1609 m."""
    for name in names.split():
        assert UNITS[name].dimension == dimension
        assert written_exactly(UNITS[name].factor, Fraction(definition))
        assert UNITS[name].offset == 0


@pytest.mark.parametrize(
    ("symbol", "word", "scale"),
    [
        ("P", "peta", 10**15),
        ("T", "tera", 10**12),
        ("G", "giga", 10**9),
        ("M", "mega", 10**6),
        ("k", "kilo", 1000),
        ("h", "hecto", 100),
        ("d", "deci", Fraction(1, 10)),
        ("c", "centi", Fraction(1, 100)),
        ("m", "milli", Fraction(1, 1000)),
        ("\u00b5", "micro", Fraction(1, 10**6)),
        ("\u03bc", "micro", Fraction(1, 10**6)),
        ("u", "micro", Fraction(1, 10**6)),
        ("n", "nano", Fraction(1, 10**9)),
        ("p", "pico", Fraction(1, 10**12)),
        ("Ki", "kibi", 2**10),
        ("Mi", "mebi", 2**20),
        ("Gi", "gibi", 2**30),
        ("Ti", "tebi", 2**40),
        ("Pi", "pebi", 2**50),
    ],
)
def test_every_prefix_scales_symbols_and_words_alike(
    symbol: str, word: str, scale: Fraction | int
) -> None:
    for name in (f"{symbol}V", f"{word}volt", f"{word}volts"):
        assert Fraction(UNITS[name].factor) == scale
        assert UNITS[name].dimension == "voltage"
    assert UNITS[f"{symbol}F"].dimension == "capacitance"
    assert UNITS[f"{word}seconds"].dimension == "time"
    for name in (f"{symbol}g", f"{word}gram", f"{word}grammes"):
        assert Fraction(UNITS[name].factor) == Fraction(scale) / 1000


@pytest.mark.parametrize(
    ("names", "freezing", "boiling"),
    [
        ("K kelvin kelvins", "273.15", "373.15"),
        ("C celsius centigrade", "0", "100"),
        ("F fahrenheit", "32", "212"),
    ],
)
def test_every_scale_of_temperature_has_its_two_points(
    names: str, freezing: str, boiling: str
) -> None:
    for name in names.split():
        unit = UNITS[name]
        assert unit.dimension == "temperature"
        for point, kelvin in ((freezing, "273.15"), (boiling, "373.15")):
            found = Decimal(point) * unit.factor + unit.offset
            assert abs(found - Decimal(kelvin)) < Decimal("1e-20")


@pytest.mark.parametrize("name", ["m", "km", "ft", "inch", "mile", "centimetres"])
def test_a_length_has_its_square_and_its_cube(name: str) -> None:
    length = Fraction(UNITS[name].factor)
    square, cube = UNITS[f"{name}\u00b2"], UNITS[f"{name}\u00b3"]
    assert (square.dimension, Fraction(square.factor)) == ("area", length**2)
    assert (cube.dimension, Fraction(cube.factor)) == ("volume", length**3)
    assert "V\u00b2" not in UNITS


@pytest.mark.parametrize(
    ("spelling", "proper"),
    [
        *[("Kg", "kg"), ("kgs", "kg"), ("KM", "km"), ("kw", "kW"), ("kwh", "kWh"), ("MWH", "MWh")],
        *[("mhz", "MHz"), ("khz", "kHz"), ("gb", "GB"), ("mb", "MB"), ("tb", "TB"), ("KB", "kB")],
        *[("mv", "mV"), ("ma", "mA"), ("mbps", "Mbps"), ("kcals", "kcal"), ("GHZ", "GHz")],
        *[("Hrs", "hrs"), ("sq.ft", "ft\u00b2"), ("mcg", "\u00b5g"), ("ML", "mL"), ("Kpa", "kPa")],
    ],
)
def test_what_people_write_all_the_same_is_understood(spelling: str, proper: str) -> None:
    assert UNITS[spelling] == UNITS[proper]


def read(text: str) -> tuple[str, Decimal, str] | None:
    """The unit at the second token, and what is left unread behind it."""
    tokens = atoms_of(text)
    found = unit_at(tokens, 1)
    if found is None:
        return None
    unit, after = found
    assert after > 1
    return unit.dimension, unit.factor, " ".join(token.text for token in tokens[after:])


@pytest.mark.parametrize(
    ("text", "dimension", "factor", "rest"),
    [
        ("5 per cent of", "ratio", "0.01", "of"),
        ("5 % of", "ratio", "0.01", "of"),
        ("5 percentage points up", "points", "1", "up"),
        ("5 percent point up", "points", "1", "up"),
        ("5 % points up", "points", "1", "up"),
        ("5 basis points up", "points", "0.01", "up"),
        ("5 degrees celsius now", "temperature", "1", "now"),
        ("5 degrees c now", "temperature", "1", "now"),
        ("5 \u00b0C now", "temperature", "1", "now"),
        ("5 \u00ba C now", "temperature", "1", "now"),
        ("5 deg K now", "temperature", "1", "now"),
        ("5 degree K now", "temperature", "1", "now"),
        ("5 degrees north", "degree", "1", "north"),
        ("5 degrees m", "degree", "1", "m"),
        ("5 degrees V now", "degree", "1", "V now"),
        ("5\u00b0", "degree", "1", ""),
        ("5 times more", "multiple", "1", "more"),
        ("5 times the size", "multiple", "1", "the size"),
        ("5 times their size", "multiple", "1", "their size"),
        ("5 light years away", "light", "1", "away"),
        ("5 nautical miles away", "nautical", "1", "away"),
        ("5 square kilometres of", "area", "1000000", "of"),
        ("5 sq. ft of", "area", "0.09290304", "of"),
        ("5 sq ft of", "area", "0.09290304", "of"),
        ("5 sq-ft of", "area", "0.09290304", "of"),
        ("5 cubic metres of", "volume", "1", "of"),
        ("5 mm3 of", "volume", "0.000000001", "of"),
        ("5 m^2 of", "area", "1", "of"),
        ("5 m2 of", "area", "1", "of"),
        ("5 m\u00b2 of", "area", "1", "of"),
        ("5 m 2 of", "length", "1", "2 of"),
        ("5 m4 of", "length", "1", "4 of"),
        ("5 V2 of", "voltage", "1", "2 of"),
        ("5 Kilometres of", "length", "1000", "of"),
        ("5 MILE of", "length", "1609.344", "of"),
        ("5 km/h on", "speed", None, "on"),
        ("5 m/s on", "speed", "1", "on"),
        ("5 m per s", "speed", "1", ""),
        ("5 euro per", None, None, None),
        ("5 litres an hour on", "volume/time", None, "on"),
        ("5 litres a day on", "volume/time", None, "on"),
        ("5 gigabits a second when", "data/time", "1000000000", "when"),
        ("5 m a second", "speed", "1", ""),
        ("5 m a day earlier", "length", "1", "a day earlier"),
        ("5 m a second time", "length", "1", "a second time"),
        ("5 kg a head", "mass", "1", "a head"),
        ("5 m / s", "length", "1", "/ s"),
        ("5 m/ s", "length", "1", "/ s"),
        ("5 mg/kg/day on", "mass/mass/time", None, "on"),
        ("5 J/kg/s/m/V on", "energy/mass/time/length", "1", "/ V on"),
        ("5 V there", "voltage", "1", "there"),
        ("5 m there", "length", "1", "there"),
        ("5 g of", "mass", "0.001", "of"),
        ("5 W of", "power", "1", "of"),
        ("5 L of", "volume", "0.001", "of"),
        ("5 A.", "current", "1", "."),
        ("5 K", "temperature", "1", ""),
        ("5 h, then", "time", "3600", ", then"),
        ("5A there", "current", "1", "there"),
        ("5in there", "length", "0.0254", "there"),
        ("5 mile", "length", "1609.344", ""),
    ],
)
def test_a_unit_is_read_with_all_that_belongs_to_it(
    text: str, dimension: str | None, factor: str | None, rest: str | None
) -> None:
    found = read(text)
    if dimension is None:
        assert found is None
        return
    assert found is not None
    assert (found[0], found[2]) == (dimension, rest)
    assert factor is None or found[1] == Decimal(factor)


@pytest.mark.parametrize(
    "text",
    [
        *[
            "5 in there",
            "5 A grade",
            "5 K runs",
            "5 h then",
            "5 b there",
            "5 b",
            "5 x there",
            "5 x",
        ],
        *["5 times", "5 times nine", "5 per head", "5 basis", "5 light bulbs", "5 nautical charts"],
        *["5 square", "5 square pegs", "5 cubic", "5 9", "5", "5 / s", "5 Lb", "5 FT", "5 per 9"],
        *["5 points", "5 per", "5 percentage"],
    ],
)
def test_a_word_that_is_no_unit_here_is_left_alone(text: str) -> None:
    assert read(text) is None


def test_inches_follow_feet_with_a_gap() -> None:
    for feet in ("ft", "feet", "foot"):
        tokens = atoms_of(f"6 {feet} 2 in tall")
        assert unit_at(tokens, 3) == (UNITS["inch"], 4)


def test_a_ratio_is_its_top_divided_by_its_bottom() -> None:
    assert read("5 km/h") == ("speed", Decimal(1000) / 3600, "")
    assert read("5 mg/dL") == ("mass/volume", Decimal("0.01"), "")
    assert read("5 mg/kg/day") == ("mass/mass/time", Decimal("0.000001") / 86400, "")


def test_a_count_for_each_of_a_unit_is_a_rate() -> None:
    assert rate_at(atoms_of("12/mm3 of"), 1) == (Unit("count/volume", Decimal("1e9")), 4)
    assert rate_at(atoms_of("40 per minute on"), 1) == (Unit("count/time", 1 / Decimal(60)), 3)
    assert rate_at(atoms_of("40 an hour"), 1) == (Unit("count/time", 1 / Decimal(3600)), 3)
    assert rate_at(atoms_of("40 a minute"), 1) == (Unit("count/time", 1 / Decimal(60)), 3)
    assert rate_at(atoms_of("40 a minute later"), 1) is None
    assert rate_at(atoms_of("40 per head"), 1) is None
    assert rate_at(atoms_of("40 men"), 1) is None


def test_a_unit_cannot_be_changed() -> None:
    """The table is one for everybody."""
    with pytest.raises(AttributeError):
        UNITS["m"].factor = Decimal(2)  # type: ignore[misc]
