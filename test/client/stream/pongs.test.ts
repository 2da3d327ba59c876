import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { createPongs } from '../../../source/client/stream/log-stream.ts';
import { frame, startHostile, upgrading } from '../../servers/hostile.ts';
import { lineHandlers } from '../../servers/log-frames.ts';
import { waitFor } from '../../support/wait-for.ts';

test('the newest ping is answered, and one pong is written at a time', () => {
  const steps = fc.array(fc.constantFrom('ping', 'written'));
  fc.assert(
    fc.property(steps, (plan) => {
      const sent: string[] = [];
      let writing: (() => void) | undefined;
      const written = (): void => {
        const end = writing;
        writing = undefined;
        end?.();
      };
      const pongs = createPongs((payload, done) => {
        expect(writing).toBeUndefined();
        sent.push(payload.toString());
        writing = done;
      });
      let pings = 0;
      for (const step of plan) {
        if (step === 'written') written();
        else pongs.answer(Buffer.from(String((pings += 1))));
      }
      written();
      expect(sent.at(-1)).toBe(pings === 0 ? undefined : String(pings));
      expect(new Set(sent).size).toBe(sent.length);
    }),
  );
});

const pongKind = 10;

/** Returns the payload of a masked frame with less than 126 bytes, and its kind. */
function unmasked(bytes: Buffer): { readonly kind: number; readonly payload: string } {
  const length = (bytes[1] ?? 0) & 0x7f;
  const mask = bytes.subarray(2, 6);
  const payload = bytes.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return { kind: (bytes[0] ?? 0) & 0x0f, payload: String.fromCharCode(...payload) };
}

test('a stream that brings many pings at once stays open', async () => {
  const pings = Array.from({ length: 500 }, (_, number) => frame(`ping ${number}`, 9));
  const line = frame('{"type":"log","id":1,"logLine":"behind the pings"}');
  let received = Buffer.alloc(0);
  const server = await startHostile(
    upgrading((socket) => {
      socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
      socket.write(Buffer.concat([...pings, line]));
    }),
  );
  onTestFinished(() => server.close());
  const client = createClient({ baseUrl: server.baseUrl, token: 'secret-token-93c1' });
  onTestFinished(() => client.close());
  const events: string[] = [];
  client.logs.stream(
    'a',
    lineHandlers({
      onOpen: () => {},
      onLine: ({ logLine }) => events.push(logLine),
      onClose: ({ sentence }) => events.push(sentence),
    }),
  );
  await waitFor(() => {
    const last = unmasked(received.subarray(-6 - 'ping 499'.length));
    expect(last).toEqual({ kind: pongKind, payload: 'ping 499' });
  });
  await waitFor(() => expect(events).toEqual(['behind the pings']));
});
