/**
 * Runs a host in a process of its own for `swarm-scale.ts`: `scale-host.ts OPTIONS`, where OPTIONS are a
 * JSON object of the host's options. Answers messages one after the other.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { temporaryHost } from '../host/support/temporary-host.ts';

export type HostMessage =
  /** Starts another host on the same folder. */
  | 'again'
  /** Ends a measurement and begins the next one. */
  | 'measure'
  | 'remove';

/** Figures of the host's process since the measurement before. */
export interface HostFigures {
  readonly baseUrl: string;
  readonly token: string;
  /** Milliseconds that the event loop stood still. */
  readonly longest: number;
  readonly p99: number;
  /** Share of one processor. */
  readonly cpu: number;
}

const host = await temporaryHost({
  ...(JSON.parse(process.argv[2] ?? '{}') as object),
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
const owner = host.as('0xowner');
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
let since = { time: performance.now(), cpu: process.cpuUsage() };

async function answer(message: HostMessage): Promise<HostFigures> {
  if (message === 'again') await host.again();
  const cpu = process.cpuUsage(since.cpu);
  const figures = {
    baseUrl: host.host.baseUrl,
    token: owner.token,
    longest: delay.max / 1e6,
    p99: delay.percentile(99) / 1e6,
    cpu: (cpu.user + cpu.system) / 1000 / (performance.now() - since.time),
  };
  if (message === 'measure') {
    delay.reset();
    since = { time: performance.now(), cpu: process.cpuUsage() };
  }
  if (message === 'remove') await host.remove();
  return figures;
}

process.on('message', (message: HostMessage) => {
  void reply(message);
});

async function reply(message: HostMessage): Promise<void> {
  process.send?.(await answer(message));
  if (message === 'remove') process.exit();
}

process.send?.(await answer('measure'));
