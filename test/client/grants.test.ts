import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../source/client/client.ts';

/** Starts a service that creates every grant; returns the request bodies. */
async function bodiesOf(limits: readonly string[]): Promise<readonly string[]> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'grants-token' });
  for (const limit of limits) {
    await client.grants.create({ grantee: '0xb', limit, expires_at: '2030-01-01T00:00:00Z' });
  }
  await client.close();
  return bodies;
}

test('a limit is sent as a JSON number of exactly its digits', async () => {
  const limits = ['50', '0.1', '50.00', '0.123456789012345678', '123456789012345678.9'];
  expect(await bodiesOf(limits)).toEqual(
    limits.map((limit) => `{"grantee":"0xb","limit":${limit},"expires_at":"2030-01-01T00:00:00Z"}`),
  );
});

test('a limit that is not a decimal is not sent', async () => {
  expect(await bodiesOf(['', '1,5', '"5"', 'true', '5,"limit":6', '01', '.5', '1e5'])).toEqual([]);
});
