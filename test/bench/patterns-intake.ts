/**
 * Follows the log of a service without a screen, and writes the seconds from its first new line to the
 * last one. Arguments: the id of that line, and `patterns` to group the lines as the console does.
 */
import { createClient } from '../../source/client/client.ts';
import { machineClock } from '../../source/start/machine-clock.ts';
import { FollowedLog } from '../../source/store/log/feed/followed-log.ts';
import { LogPatterns } from '../../source/store/log/patterns/log-patterns.ts';
import { linesBefore } from './torrent.ts';

const [last, option] = process.argv.slice(2);
const { HOSTDECK_BASE_URL: baseUrl = '', HOSTDECK_TOKEN: token = '' } = process.env;
const client = createClient({ baseUrl, token });
const log = new FollowedLog({
  client: client.logs,
  deploymentId: 'x',
  clock: machineClock,
  random: Math.random,
});
const patterns =
  option === 'patterns'
    ? new LogPatterns({ log, clock: machineClock, serviceNow: () => machineClock.now() })
    : undefined;
let isOpen = false;
let started: number | undefined;
log.state.subscribe(({ connection, ready }) => {
  if (!isOpen && ready && connection.kind === 'live') {
    isOpen = true;
    process.stdout.write('open\n');
  }
});
log.onInserted(() => {
  const { length } = log.entries;
  if (length > linesBefore) started ??= performance.now();
  const newest = log.entries.at(length - 1);
  if (started === undefined || newest?.kind !== 'line' || newest.line.id !== Number(last)) return;
  const seconds = (performance.now() - started) / 1000;
  const { lines = 0, read = 0 } = patterns?.state.getState() ?? {};
  process.stdout.write(`${JSON.stringify({ seconds, lines, read })}\n`);
});
