/** Runs a pretended swarm engine on the socket of the argument, beside the process that is measured. */
import { startSwarmEngine } from '../servers/swarm-engine.ts';

const engine = await startSwarmEngine(process.argv[2] ?? '');
process.on('message', (message) => {
  if (message === 'age') engine.age();
  process.send?.(engine.requests.length);
});
process.send?.(0);
