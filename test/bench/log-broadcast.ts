/** The least that brings the lines of a process to the readers of a stream: nothing is stored. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const [program = '', ...args] = process.argv.slice(2);
const deploymentId = '00000000-0000-4000-8000-000000000000-1';

const streams = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
await once(streams, 'listening');
const child = spawn(process.execPath, [program, ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let id = 0;
let rest = '';
child.stdout.setEncoding('utf8').on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  const timestamp = new Date().toISOString();
  for (const logLine of lines) {
    id += 1;
    const frame = JSON.stringify({
      type: 'log',
      id,
      deploymentId,
      serviceName: 'web',
      timestamp,
      logLine,
      stream: 'stdout',
    });
    for (const socket of streams.clients) socket.send(frame);
  }
});
process.on('SIGTERM', () => {
  child.kill();
  process.exit();
});
process.stdout.write(`http://127.0.0.1:${(streams.address() as AddressInfo).port}/\n`);
