"""A log stream by the websockets library: prints its port, and does the steps that a request names.

The query parameter deploymentId holds the steps as JSON, each a list of a name and its values.
"""

import asyncio
import json
import urllib.parse

import websockets


async def pinged(connection, parts):
    """Yields the parts of a message; between two of them a ping is sent, and its pong awaited."""
    for part in parts:
        yield part
        await (await connection.ping(b"still there?"))


async def do(connection, name, *values):
    if name == "message":
        await connection.send(values[0])
    elif name == "long":
        await connection.send(json.dumps({"type": "log", "logLine": "x" * values[0]}))
    elif name == "binary":
        await connection.send(values[0].encode())
    elif name == "fragments":
        await connection.send(values[0])
    elif name == "pinged fragments":
        await connection.send(pinged(connection, values[0]))
    elif name == "pings":
        await asyncio.gather(*[await connection.ping() for _ in range(values[0])])
    elif name == "frame":
        final, opcode, payload = values
        await connection.write_frame(final, opcode, bytes.fromhex(payload), _state=connection.state)
    elif name == "close":
        await connection.close(*values)
    elif name == "abort":
        connection.transport.abort()


async def serve(connection):
    query = urllib.parse.urlsplit(connection.path).query
    (steps,) = urllib.parse.parse_qs(query)["deploymentId"]
    for step in json.loads(steps):
        await do(connection, *step)
    await connection.wait_closed()


async def main():
    async with websockets.serve(serve, "127.0.0.1", 0, compression="deflate") as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Future()


asyncio.run(main())
