/** The least a client of the stream can do: writes every frame as it comes. */
import { WebSocket } from 'ws';

const base = process.env['HOSTDECK_BASE_URL'] ?? '';
const url = `${base.replace('http', 'ws')}/api/v1/deployments/logs/stream?deploymentId=x`;
const socket = new WebSocket(url, { perMessageDeflate: false });

socket.on('message', (frame: Buffer) => {
  process.stdout.write(frame);
  process.stdout.write('\n');
});
