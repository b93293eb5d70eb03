"""Ends calls with a status of its own choice: asks to play the deal again, or says what only the referee could know."""

import grpc

from croupier.bot import Decision
from croupier.v1 import bot_pb2 as pb
from rogues.moment import HOW, now
from rogues.raw import Context, choices, serve_raw

STATUS = {
    "unavailable": (grpc.StatusCode.UNAVAILABLE, "please replay"),
    "cancelled": (grpc.StatusCode.CANCELLED, ""),
    "deadline": (grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded"),
    # To the letter what the referee's side of the channel says of a reply that is too large.
    "exhausted": (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "Stream removed (CLIENT: Received message larger than max (5242880 vs. 65536))",
    ),
    "hostile": (grpc.StatusCode.INTERNAL, "\x1b[2J<script>alert(1)</script>\n" * 20),
}


async def decide(data: bytes, context: Context) -> bytes:
    if any(now(Decision(message)) for message in pb.DecideRequest.FromString(data).decisions):
        await context.abort(*STATUS[HOW])
    return choices(data).SerializeToString()


serve_raw(decide=decide)
