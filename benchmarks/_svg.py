"""Line charts as SVG, with nothing but strings."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 40, 50


@dataclass(frozen=True)
class Line:
    label: str
    points: Sequence[tuple[float, float]]
    colour: str
    dashes: str = ""


def chart(
    lines: Sequence[Line], *, title: str, x_label: str, y_label: str, y_range: tuple[float, float]
) -> str:
    """x runs from 0 to 1 and is shown in per cent."""
    low, high = y_range

    def at(x: float, y: float) -> tuple[float, float]:
        across = LEFT + x * (WIDTH - LEFT - RIGHT)
        return across, TOP + (high - y) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        '<g font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    for step in range(6):
        x, bottom = at(step / 5, low)
        parts.append(_text(x, bottom + 18, f"{step * 20} %", "middle"))
        y_value = low + (high - low) * step / 5
        left, y = at(0, y_value)
        parts.append(_text(left - 8, y + 4, f"{y_value:.2f}", "end"))
        parts.append(_stroke([(left, y), at(1, y_value)], "#dddddd", "", 1))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_label, "middle"))
    parts.append(_text(LEFT - 8, TOP - 4, y_label, "start"))
    for number, line in enumerate(lines):
        places = [at(x, y) for x, y in sorted(line.points)]
        parts.append(_stroke(places, line.colour, line.dashes, 2))
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{line.colour}"/>' for x, y in places
        ]
        y = TOP + 16 + 20 * number
        start = WIDTH - RIGHT + 12
        parts.append(_stroke([(start, y), (start + 24, y)], line.colour, line.dashes, 2))
        parts.append(_text(start + 30, y + 4, line.label, "start"))
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _stroke(points: Sequence[tuple[float, float]], colour: str, dashes: str, width: int) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
    )
