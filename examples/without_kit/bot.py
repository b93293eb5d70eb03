"""A bot without the kit: a gRPC server of croupier.v1.BotService, as it would be written in any language.

It needs only what a generator makes of bot.proto; here that comes with Croupier as ``croupier.v1``.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import grpc

from croupier.v1 import bot_pb2 as pb
from croupier.v1 import bot_pb2_grpc as service

PROTOCOL = 1


class AnyGame(service.BotServiceServicer):
    """Takes of the first option as few cards as it may."""

    def Describe(self, request: pb.DescribeRequest, context: grpc.ServicerContext) -> pb.DescribeResponse:  # noqa: N802 - the name of the call
        """Say what this bot is, or refuse a referee that speaks another protocol."""
        if request.protocol != PROTOCOL:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, f"this bot speaks protocol {PROTOCOL}")
        games = [pb.Playable(game="*")]
        return pb.DescribeResponse(name="without-kit", version="1", protocol=PROTOCOL, games=games, max_batch=64)

    def Decide(self, request: pb.DecideRequest, context: grpc.ServicerContext) -> pb.DecideResponse:  # noqa: N802
        """Answer every decision under its id."""
        choices = []
        for decision in request.decisions:
            option = decision.options[0]
            cards = [*option.fixed, *option.choice[: option.least]]
            choices.append(pb.Choice(id=decision.id, action=pb.Action(verb=option.verb, cards=cards)))
        return pb.DecideResponse(choices=choices)

    def Report(self, request: pb.ReportRequest, context: grpc.ServicerContext) -> pb.ReportResponse:  # noqa: N802
        """Never called: this bot doesn't ask for reports."""
        return pb.ReportResponse()


def main() -> None:
    """Bind the address asked for, say which it got, and serve until ended."""
    address = os.environ.get("CROUPIER_ADDRESS", "127.0.0.1:0")
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    service.add_BotServiceServicer_to_server(AnyGame(), server)
    port = server.add_insecure_port(address)
    server.start()
    print(address if address.startswith("unix:") else f"127.0.0.1:{port}", flush=True)  # noqa: T201 - the first line
    server.wait_for_termination()


main()
