"""Commas and full stops that end nothing: `12,000 euros`, `Smith, Jones & Co.`, `Dr. Lund`."""

_ABBREVIATIONS = """Dr Mr Mrs Ms Prof St Mt Ft Sgt Capt Lt Col Gen Rev Hon Jr Sr No Nos Inc Ltd Co
Corp Bros Dept Fig Figs Eq Vol Ave Blvd Rd vs ca cf approx incl excl al""".split()
# "Dr" before its full stop, the initial "J" of a name, "e.g" and "p.m": no sentence ends there
_NOT_SHORT = "".join(rf"(?<!\b{one})" for one in (*_ABBREVIATIONS, "[A-Z]", r"[a-z]\.[a-z]"))
STOP = rf"(?-i:{_NOT_SHORT})\.(?=\s)"
"""A pattern for the full stop that ends something: that of `done. The`, not that of `St. Olav`."""

# the names that a firm is made of, such as "Jones &" or "Jones, Hart & " after "Smith, "
_FIRM = r"(?-i:\s*(?:[A-Z][\w.'-]*,?\s+)+&\s|\s*(?:Inc|Ltd|LLC|LLP|PLC|GmbH)\b)"
COMMA = rf",(?!\d)(?!{_FIRM})"
"""A pattern for the comma that separates: that of `the pump, the fan`, not that of `6,200`."""

NOT_THAT = (
    r",\s+(?:(?:and|but)\s+)?not\s+"
    r"(?!(?:only|just|merely|simply|even|yet|until|long|all|every|much|many|always|so|as)\b"
    r"|(?:\w+(?:ed|en|ly)|being|having|knowing|wanting|using)\b)"
)
"""A pattern for `, and not` in `the glove, and not the soap`: what follows was not it. `The pump,
not yet primed,` and `not only the soap` set nothing against anything."""
