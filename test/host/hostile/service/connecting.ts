import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type Attack, firstOf, Refused } from './attack.ts';

async function talkTo(socket: string, request: string): Promise<string> {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
    connection.write(request);
    const [answer] = (await once(connection, 'data')) as [Buffer];
    return `${socket} answered ${answer.length} bytes`;
  } finally {
    connection.destroy();
  }
}

async function listenOn(port: number, host: string, reusePort: boolean): Promise<string> {
  const server = createServer();
  try {
    server.listen({ port, host, reusePort, exclusive: true });
    await once(server, 'listening');
    return `listens on ${host}:${port}`;
  } finally {
    server.close();
  }
}

function takePort(port: number): Promise<string> {
  return firstOf(
    ['127.0.0.1', '0.0.0.0', '::'].flatMap((host) =>
      [false, true].map((reusePort) => () => listenOn(port, host, reusePort)),
    ),
  );
}

/** More guesses than the host accepts from one address in a minute. */
const guesses = 80;

export const connectingAttacks: readonly Attack[] = [
  {
    name: 'connect to the control socket',
    attempt: ({ controlSocket }) => talkTo(controlSocket, '{"op":"hello"}\n'),
  },
  {
    name: 'connect to a container engine',
    attempt: ({ engineSockets }) =>
      firstOf(
        [...engineSockets, '/var/run/docker.sock', '/run/podman/podman.sock'].map(
          (socket) => () => talkTo(socket, 'GET /_ping HTTP/1.0\r\n\r\n'),
        ),
      ),
  },
  {
    name: 'guess a token',
    async attempt({ baseUrl }) {
      const guess = async (_: unknown, index: number) => {
        const token = Buffer.from(`guess ${index}`).toString('base64url');
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${baseUrl}/api/v1/deployments`, { headers })).status;
      };
      const statuses = await Promise.all(Array.from({ length: guesses }, guess));
      const other = statuses.find((status) => status !== 401 && status !== 429);
      if (other !== undefined) return `was answered ${other}`;
      if (!statuses.includes(429)) return 'may guess for ever';
      throw new Refused('429');
    },
  },
  {
    name: 'listen on the port of the host',
    attempt: ({ baseUrl }) => takePort(Number(new URL(baseUrl).port)),
  },
  {
    name: 'listen on the port of another service',
    attempt: ({ otherPorts }) => firstOf(otherPorts.map((port) => () => takePort(port))),
  },
];
