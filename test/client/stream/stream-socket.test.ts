import { once } from 'node:events';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createStreamSocket } from '../../../source/client/stream/stream-socket.ts';
import { selfSigned } from '../../servers/self-signed.ts';

const certificate = selfSigned();

/** Starts a server for one connection; returns its port and the connection. */
async function serve(isSecure: boolean) {
  const accepted = Promise.withResolvers<Socket>();
  const server = isSecure
    ? createSecureServer(certificate, accepted.resolve)
    : createPlainServer(accepted.resolve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connection: accepted.promise };
}

/** Returns bytes without repeated parts. */
function counting(length: number): Buffer {
  const numbers = Uint32Array.from({ length: length / 4 }, (_, index) => index);
  return Buffer.from(numbers.buffer);
}

test.each([
  ['plain', false],
  ['TLS', true],
])(
  'a %s connection gives all its bytes in order, first by its event and then by its reader',
  async (_, isSecure) => {
    const server = await serve(isSecure);
    const reads = createStreamSocket(isSecure);
    const path = '/not/a/socket';
    const { port } = server;
    const socket = reads.connect({ port, host: 'localhost', path, ca: certificate.cert });
    onTestFinished(() => void socket.destroy());
    const sent = counting(3 * 2 ** 20);
    const byEvent: Buffer[] = [];
    const byReader: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => {
      // Bytes that were read before are delivered first.
      expect(byReader).toEqual([]);
      byEvent.push(bytes);
      reads.setReader((read) => {
        byReader.push(Buffer.from(read));
        socket.pause();
        setImmediate(() => socket.resume());
      });
    });
    const connection = await server.connection;
    connection.write(sent.subarray(0, 1000));
    await expect.poll(() => byEvent.length).toBe(1);
    connection.end(sent.subarray(1000));
    await once(socket, 'end');
    expect(byReader.length).toBeGreaterThan(1);
    expect(Buffer.concat([...byEvent, ...byReader]).equals(sent)).toBe(true);
  },
);

test('a paused connection delivers bytes that were read before, without losses', async () => {
  const server = await serve(false);
  const reads = createStreamSocket(false);
  const socket = reads.connect({ port: server.port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  const sent = counting(2 ** 20);
  const connection = await server.connection;
  connection.write(sent.subarray(0, 2 ** 19));
  await once(socket, 'readable');
  const got: Buffer[] = [];
  const take = (bytes: Buffer): void => void got.push(Buffer.from(bytes));
  reads.setReader(take);
  connection.end(sent.subarray(2 ** 19));
  socket.on('data', take).resume();
  await once(socket, 'end');
  expect(Buffer.concat(got).equals(sent)).toBe(true);
});
