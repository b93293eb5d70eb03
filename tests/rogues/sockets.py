"""Speaks no gRPC at all on its socket: HTTP/1, nothing, garbage, or HTTP/2 frames without end."""

import os
import socket
import struct
import threading

from croupier.bot import option

HOW = option("how", "http1")
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
PING = struct.pack("!I", 8)[1:] + b"\x06\x00\x00\x00\x00\x00" + bytes(8)


def talk(connection: socket.socket) -> None:
    with connection:
        if HOW == "http1":
            connection.recv(1 << 16)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        elif HOW == "garbage":
            connection.sendall(bytes(range(256)) * 64)
        elif HOW == "flood":
            connection.sendall(SETTINGS)
            while True:
                connection.sendall(PING * 1000)
        while connection.recv(1 << 16):
            pass


def talk_on(connection: socket.socket) -> None:
    try:
        talk(connection)
    except OSError:
        return  # the referee has hung up


path = os.environ["CROUPIER_SOCKET"]
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen()
print(f"unix:{path}", flush=True)
while True:
    threading.Thread(target=talk_on, args=(server.accept()[0],), daemon=True).start()
