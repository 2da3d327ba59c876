import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { deploy, errorIn } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { type Caller, formOf, idle, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const mebibyte = 1024 * 1024;

/** Exceeds the buffers of the operating system by far. */
const content = 'x'.repeat(15 * mebibyte);

const service = sharedHost({ limits: { unreadBytesPerWallet: 40 * mebibyte } });
const owner = service.as('0xowner');
const other = service.as('0xother');

/** Requests a file and never reads the answer. */
async function requestUnread({ token }: Caller, id: string): Promise<Socket> {
  const { port, host } = new URL(service.host.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    `GET /api/v1/deployments/${id}/services/web/files/large HTTP/1.1\r\nHost: ${host}\r\n` +
      `Authorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

it('a wallet whose clients do not read large answers gets no more until they leave', async () => {
  const { id } = await deploy(owner, sdlOf({ web: idle }));
  await owner.call('uploadFiles', { id, name: 'web', form: formOf({ large: content }) });
  const sockets = await Promise.all([1, 2, 3].map(() => requestUnread(owner, id)));
  const refused = await waitFor(async () => {
    const answer = await owner.call('listDeployments');
    expect(answer.status).toBe(429);
    return answer;
  });
  expect(errorIn(refused)).toMatchObject({
    code: 'rate-limited',
    message: 'Too many large answers are being sent to this wallet. Read them first.',
  });
  expect(refused.headers['retry-after']).toBe('1');
  expect((await other.call('listDeployments')).status).toBe(200);
  // Writes go on: a deployment can be closed.
  expect((await owner.call('closeDeployment', { id })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await waitFor(async () => {
    expect((await owner.call('listDeployments')).status).toBe(200);
  });
});
