"""Sends metadata of a size of its own choice, before or after its honest answer."""

from croupier.bot import option
from rogues.moment import HOW
from rogues.raw import Context, choices, serve_raw

FILLING = (("filling", "x" * option("size", 0)),)


async def decide(data: bytes, context: Context) -> bytes:
    if HOW == "initial":
        await context.send_initial_metadata(FILLING)
    else:
        context.set_trailing_metadata(FILLING)
    return choices(data).SerializeToString()


serve_raw(decide=decide)
