"""Many ways to say what brought what about, read without any model."""

import pytest

from groundwire.ground import read_causal
from groundwire.text import stem, words_of

STATED = [
    (
        "The kernel patch of 3 May removed a driver module from the boot image.",
        "kernel patch",
        "driver module removed",
        "+",
    ),
    ("Without that valve, every tank drained into the main sewer.", "valve", "tank drained", "+"),
    (
        "The retries flooded the queue of the broker, and queue pressure slowed the consumers.",
        "retries",
        "queue flooded",
        "+",
    ),
    (
        "The retries flooded the queue of the broker, and queue pressure slowed the consumers.",
        "queue pressure",
        "consumers slowed",
        "+",
    ),
    ("The wind tore a sheet off the roof and broke the skylight.", "wind", "skylight broke", "+"),
    ("The wind tore a sheet off the roof and broke the skylight.", "wind", "sheet tore", "+"),
    (
        "As the river had risen, the pumps ran at full speed.",
        "river risen",
        "pumps ran full speed",
        "+",
    ),
    (
        "The guard could not lock the gate, since the key had snapped.",
        "key snapped",
        "not lock gate",
        "+",
    ),
    (
        "The missing signature goes back to a form that was printed too small.",
        "form printed small",
        "missing signature",
        "+",
    ),
    (
        "The outage can be traced to a loose connector behind the rack.",
        "loose connector",
        "outage",
        "+",
    ),
    (
        "Why did the lift stop? Because the door sensor was covered with tape.",
        "door sensor tape",
        "lift stop",
        "+",
    ),
    (
        "The flooding of the cellar by the burst main ruined the archive.",
        "burst main",
        "flooding cellar",
        "+",
    ),
    (
        "The flooding of the cellar by the burst main ruined the archive.",
        "flooding cellar",
        "archive ruined",
        "+",
    ),
    (
        "The wrong dose led nurses to call the doctor twice.",
        "wrong dose",
        "nurses call doctor",
        "+",
    ),
    (
        "The heavy snow made it impossible to reach the mast.",
        "heavy snow",
        "impossible reach mast",
        "+",
    ),
    (
        "The long queue made it necessary to open a second till.",
        "long queue",
        "open second till",
        "+",
    ),
    ("Shutting the inlet put a stop to the overflow.", "shutting inlet", "overflow", "-"),
    (
        "The spare generator shielded the ward from the power cut.",
        "spare generator",
        "power cut",
        "-",
    ),
    (
        "A second reviewer would have caught it. The tarpaulin guarded the hay against the rain.",
        "tarpaulin",
        "hay rain",
        "-",
    ),
    (
        "Opening the bypass relieved the congestion on the ring road.",
        "opening bypass",
        "congestion",
        "-",
    ),
    ("Restarting the agent got rid of the stale locks.", "restarting agent", "stale locks", "-"),
    ("Salt on the steps kept visitors from slipping.", "salt steps", "visitors slipping", "-"),
    ("The fire door held back the smoke.", "fire door", "smoke", "-"),
    ("The cracked lens cost us two days of observations.", "cracked lens", "observations", "+"),
    (
        "The late bus brought the whole parade to a standstill.",
        "late bus",
        "parade standstill",
        "+",
    ),
    ("The faulty probe sent the oven into a shutdown.", "faulty probe", "oven shutdown", "+"),
    (
        "The spilled oil turned the ramp into a slide, and two porters fell.",
        "spilled oil",
        "ramp slide",
        "+",
    ),
    ("Once the seal had failed, water reached the windings.", "seal failed", "water windings", "+"),
    (
        "When the clamp slipped, the hose came off and sprayed the cabinet.",
        "clamp slipped",
        "hose came off",
        "+",
    ),
    (
        "The invoices went out twice, for which the doubled trigger was responsible.",
        "doubled trigger",
        "invoices twice",
        "+",
    ),
    ("Behind the delay was a lost courier bag.", "lost courier bag", "delay", "+"),
    ("The choir had to cancel for want of a tenor.", "tenor", "choir cancel", "+"),
    ("Owing to fog, three flights were diverted to the coast.", "fog", "flights diverted", "+"),
    ("The mould spread thanks to a blocked vent.", "blocked vent", "mould spread", "+"),
    (
        "The roof leaked so badly that the server room had to be cleared.",
        "roof leaked",
        "server room cleared",
        "+",
    ),
    ("What brought the belt down was a bent roller.", "bent roller", "belt down", "+"),
    ("It was a bent roller that stopped the belt.", "bent roller", "belt stopped", "+"),
    ("The alarm went off because someone had propped the door open.", "propped door", "alarm", "+"),
    (
        "The tablets ran flat, and with no charge left the pupils could not sign in.",
        "no charge",
        "pupils sign in",
        "+",
    ),
    (
        "The cooler failed, leaving the vaccine at room temperature.",
        "cooler failed",
        "vaccine room temperature",
        "+",
    ),
    (
        "The cooler failed, which left the vaccine at room temperature.",
        "cooler failed",
        "vaccine room temperature",
        "+",
    ),
    (
        "The typo in the schedule meant two crews turned up at one site.",
        "typo schedule",
        "two crews one site",
        "+",
    ),
    (
        "The upshot of the strike was a week without deliveries.",
        "strike",
        "without deliveries",
        "+",
    ),
    (
        "The consequence of the wrong label was a recall of the whole batch.",
        "wrong label",
        "recall batch",
        "+",
    ),
    ("A broken fan belt is what overheated the mill.", "broken fan belt", "mill overheated", "+"),
    (
        "The error in the feed file propagated into the price list.",
        "error feed file",
        "price list",
        "+",
    ),
    (
        "By skipping the rinse, the robot contaminated the next plate.",
        "skipping rinse",
        "plate contaminated",
        "+",
    ),
    (
        "Skipping the rinse contaminated the next plate.",
        "skipping rinse",
        "plate contaminated",
        "+",
    ),
    (
        "The swollen door jammed, and that is how the cat got locked in.",
        "door jammed",
        "cat locked in",
        "+",
    ),
    (
        "The pump starved because the strainer was full of weed.",
        "strainer weed",
        "pump starved",
        "+",
    ),
    (
        "The ledger froze late, and it was the doubling of every row that froze it.",
        "doubling",
        "ledger froze",
        "+",
    ),
    ("Heat from the furnace warped the rails.", "heat furnace", "rails warped", "+"),
    (
        "Rust ate through the bracket, so the sign fell onto the pavement.",
        "rust bracket",
        "sign fell",
        "+",
    ),
    (
        "The sign fell onto the pavement, the result of a bracket eaten by rust.",
        "bracket rust",
        "sign fell",
        "+",
    ),
    (
        "The shortage of buses, itself a result of the strike, emptied the museum.",
        "strike",
        "shortage buses",
        "+",
    ),
    (
        "The shortage of buses, itself a result of the strike, emptied the museum.",
        "shortage buses",
        "museum emptied",
        "+",
    ),
    ("The slow disk in turn starved the render nodes.", "slow disk", "render nodes starved", "+"),
    ("This outage follows from the expired token of the gateway.", "expired token", "outage", "+"),
    ("The drop in sales stems from the closed bridge.", "closed bridge", "drop sales", "+"),
    (
        "Every late shipment forces the shop to refund the postage.",
        "late shipment",
        "shop refund postage",
        "+",
    ),
    ("Each failed login adds a row to the audit table.", "failed login", "row audit table", "+"),
    ("The gust knocked over the scaffold.", "gust", "scaffold knocked over", "+"),
    ("The gust knocked the scaffold over.", "gust", "scaffold knocked over", "+"),
    ("The wet sand swallowed the wheels of the crane.", "wet sand", "wheels swallowed", "+"),
    ("The old map misled the ambulance crew.", "old map", "ambulance crew misled", "+"),
    ("The glare hid the red lamp from the driver.", "glare", "red lamp", "+"),
    ("The draught blew out the pilot flame.", "draught", "pilot flame out", "+"),
    ("The reset wiped the counters.", "reset", "counters wiped", "+"),
    (
        "The mislabelled cable let a technician unplug the wrong rack.",
        "mislabelled cable",
        "technician unplug",
        "+",
    ),
    (
        "The jammed coin slot left travellers without tickets.",
        "jammed coin slot",
        "travellers without tickets",
        "+",
    ),
    (
        "The children were sent home on account of the smell of gas.",
        "smell gas",
        "children sent home",
        "+",
    ),
    (
        "The low cell made the tracker report false places, and the false places set off a bell.",
        "low cell",
        "tracker false places",
        "+",
    ),
    (
        "The low cell made the tracker report false places, and the false places set off a bell.",
        "false places",
        "bell",
        "+",
    ),
    (
        "The thick dust, which had been stirred up by the drilling, choked the air filters.",
        "drilling",
        "dust stirred",
        "+",
    ),
    (
        "The thick dust, which had been stirred up by the drilling, choked the air filters.",
        "dust",
        "air filters choked",
        "+",
    ),
    (
        "Owing to the flood the museum shut its lower halls.",
        "flood",
        "museum shut lower halls",
        "+",
    ),
    (
        "As a consequence of the strike the ferries lay in port.",
        "strike",
        "ferries lay in port",
        "+",
    ),
    ("With the brake worn the crane drifted.", "brake worn", "crane drifted", "+"),
    (
        "With so little feed left in the barn, the calves lost weight.",
        "little feed left",
        "calves lost weight",
        "+",
    ),
    (
        "The hose burst, and the paddock lay under water as a result.",
        "hose burst",
        "paddock under water",
        "+",
    ),
    ("A mouse ate the wire. The lamp stayed dark because of it.", "mouse wire", "lamp dark", "+"),
    (
        "No sooner had the gate closed than the pressure climbed.",
        "gate closed",
        "pressure climbed",
        "+",
    ),
    ("The mud had choked the intake of the pump.", "mud", "intake choked", "+"),
    ("The jolts, in turn, loosened the clamp.", "jolts", "clamp loosened", "+"),
    (
        "The swell rose, and during the night the anchor chain snapped the winch.",
        "anchor chain",
        "winch snapped",
        "+",
    ),
    ("The inspector traced the smell to a cracked drain.", "cracked drain", "smell", "+"),
    (
        "The choir lost its place when a phone rang in the gallery.",
        "phone rang",
        "choir lost place",
        "+",
    ),
    ("The rope frayed and so the bell fell silent.", "rope frayed", "bell fell silent", "+"),
    (
        "A rat chewed the cable, cutting off calls from two villages.",
        "rat chewed cable",
        "calls cut off",
        "+",
    ),
    ("The torn nets are the reason the catch escaped.", "torn nets", "catch escaped", "+"),
    ("Old paint was at the root of the blisters.", "old paint", "blisters", "+"),
    ("The stains date back to a leaking gutter.", "leaking gutter", "stains", "+"),
    ("The smell had its origin in a cracked drain.", "cracked drain", "smell", "+"),
    ("Each strike meant a week without post.", "strike", "week without post", "+"),
    ("Grease keeps the rain out of the bearings.", "grease", "rain bearings", "-"),
    (
        "The sacks hung in the loft, and they kept the moths out of the wool.",
        "sacks",
        "moths wool",
        "-",
    ),
    (
        "The ship has no berth left, which is why cargo piles up.",
        "no berth left",
        "cargo piles up",
        "+",
    ),
    ("The kiln cooled, and this split the tiles.", "kiln cooled", "tiles split", "+"),
    (
        "Robbed of sleep, the watch missed the light.",
        "watch robbed sleep",
        "watch missed light",
        "+",
    ),
    ("Hanging low, the sail hid the lamp.", "sail hanging low", "sail hid lamp", "+"),
    ("The crew slept badly, kept awake by the pump.", "pump", "crew slept badly", "+"),
    ("The pump stops. Owing to a wet fuse, says the fitter.", "wet fuse", "pump stops", "+"),
    ("The room grew hot. At that heat the wax ran.", "heat", "wax ran", "+"),
    (
        "The list was short, and as a result of the gaps 40 parcels stayed behind.",
        "gaps",
        "parcels stayed behind",
        "+",
    ),
    ("A belt slipped, and the looms idle as a consequence.", "belt slipped", "looms idle", "+"),
    ("Weeds are choking the intake.", "weeds", "intake choked", "+"),
    ("A loose cap lets dust fall in.", "loose cap", "dust fall in", "+"),
    (
        "Why was the milk sour? The fridge door stood open.",
        "fridge door open",
        "milk sour",
        "+",
    ),
    (
        "Why was the hall dark? A mouse bit the wire, so the lamp went out.",
        "mouse wire",
        "hall dark",
        "+",
    ),
    (
        "Why was the hall dark? It goes back to a bitten wire: a mouse was in the wall.",
        "bitten wire",
        "hall dark",
        "+",
    ),
    (
        "While we waited, tank 2 ran dry. The valve, jammed by frost, drained it.",
        "valve jammed frost",
        "tank 2 drained",
        "+",
    ),
    ("The smoke drew the bees out. There it blinded them.", "bees", "blinded", "+"),
    ("A new coil made the lost readings come back.", "new coil", "lost readings", "-"),
    ("With two clocks running, both bells ring at noon.", "two clocks", "bells ring", "+"),
]
NOT_STATED = [
    "The price was reduced by a third.",
    "Leaks were most frequent on days when the crane was in use.",
    "With a fuller ship, the swell could have led to injuries.",
    "The clerk has a hunch that the damp slowed the press.",
    "The tide turned, followed by a squall.",
    "It looks good at a glance.",
    "The node where the job is running went down.",
    "At that time the gate was open.",
    "The seal broke. In that joint the oil stood for months.",
    "Why was the milk sour? Nobody knows.",
    "The slip dates back to 2019.",
    "The delay was not caused by the rain.",
    "The rain may have slowed the trucks.",
    "Engineers checked the pump and replaced the seal.",
    "The museum opened at nine and closed at five.",
    "The team restarted the service at 10:40.",
    "The storm passed the coast on Tuesday; the outage began on Thursday.",
    "The depot serves forty shops.",
    "The new curtain shall keep the dust out.",
    "If the valve sticks, the tank overflows.",
    "The report lists the pumps of the plant.",
    "The driver told the office about the leak.",
    "The plant uses two boilers and a turbine.",
    "The committee approved the budget.",
    "The board shows the level of the tank.",
    "The fan had been running before the fire started.",
    "The guide took the visitors through the hall.",
    "The clerk entered the number twice.",
    "The council decided that the bridge is to close when the wind is strong.",
    "The bakery might shut when the lease ends.",
]


def _says(phrase: str, wanted: str) -> bool:
    """Half of the words, in any form."""
    said = [stem(word)[:5] for word in words_of(phrase)]
    words = [stem(word)[:5] for word in words_of(wanted)]
    return 2 * sum(word in said for word in words) >= len(words)


@pytest.mark.parametrize(("text", "cause", "effect", "sign"), STATED)
def test_a_stated_cause_is_read_with_its_effect_and_sign(
    text: str, cause: str, effect: str, sign: str
) -> None:
    readings = [one for one in read_causal(text) if one.is_asserted_cause]
    assert any(
        _says(one.cause, cause)
        and _says(one.effect, effect)
        and (one.sign == "raises") == (sign == "+")
        for one in readings
    ), readings


@pytest.mark.parametrize("text", NOT_STATED)
def test_what_states_no_cause_gives_none(text: str) -> None:
    assert [one for one in read_causal(text) if one.is_asserted_cause] == []
