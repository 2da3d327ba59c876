/**
 * The least a client of the stream can do that knows what it reads: parses every frame. Says `open`,
 * and `read` when the line with the id in its first argument has come.
 */
import { WebSocket } from 'ws';

const last = Number(process.argv[2]);
const base = process.env['HOSTDECK_BASE_URL'] ?? '';
const url = `${base.replace('http', 'ws')}/api/v1/deployments/logs/stream?deploymentId=x`;
const socket = new WebSocket(url, { perMessageDeflate: false });

socket.on('open', () => process.stdout.write('open\n'));
socket.on('message', (frame: Buffer) => {
  const { id } = JSON.parse(frame.toString()) as { readonly id: number };
  if (id === last) process.stdout.write('read\n');
});
