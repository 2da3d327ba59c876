import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deploy, readDeployment } from '../../host/support/bodies.ts';
import { temporaryHost } from '../../host/support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { close, machine, onBed, webSdl } from '../bed.ts';
import { countHoles, readWholeLog, sum, type TrialResult } from './trial.ts';

/** Several run at once: the engine waits for a second before it starts one again. */
const instances = 5;

/** Asks the record for its number, and exits with it written; at last it is told to stay. */
const crashing = (record: string) => `
  fetch('${record}/' + process.env.HOSTDECK_INSTANCE)
    .then((answer) => answer.text())
    .then((run) => {
      if (run === 'stay') return setInterval(() => undefined, 1000);
      console.log('run ' + run);
      process.exit(1);
    });
  process.on('SIGTERM', () => process.exit());
`;

/** Counts the runs of each instance, apart from the host and the engine. */
async function startRecord(runs: number) {
  const counts = new Map<string, number>();
  const server = createServer(({ url = '' }, answer) => {
    const count = counts.get(url) ?? 0;
    if (count === runs) {
      answer.end('stay');
      return;
    }
    counts.set(url, count + 1);
    answer.end(`${url.slice(1)}/${count + 1}`);
  }).listen(0, machine);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${machine}:${port}`,
    total: () => sum(counts.values()),
    close: () => server.close(),
  };
}

/** Lets instances exit at once, again and again. */
export async function tryCrashLoop({ runs = 1000 } = {}): Promise<TrialResult> {
  const each = Math.ceil(runs / instances);
  const all = each * instances;
  const record = await startRecord(each);
  const service = await temporaryHost(onBed);
  const owner = service.as('0xowner');
  try {
    const begun = Date.now();
    const definition = JSON.parse(webSdl(instances, { args: ['-e', crashing(record.url)] }));
    definition.profiles.compute.web.resources.cpu.units = 0.5;
    const { id } = await deploy(owner, JSON.stringify(definition));
    const restarts = async () => {
      const [web] = (await readDeployment(owner, id)).services;
      const states = web?.instanceStates ?? [];
      return {
        running: web?.running,
        count: sum(states.map((state) => state.restarts ?? 0)),
      };
    };
    await waitFor(
      async () => {
        const { running } = await restarts();
        if (record.total() < all || running !== instances) throw new Error('crashes go on');
      },
      { interval: 500, timeout: all * 5000 },
    );
    const seconds = (Date.now() - begun) / 1000;
    const isWhole = async () => {
      const log = await readWholeLog(owner, id);
      const exits = log.filter(
        ({ logLine, stream }) => stream === 'system' && logLine === 'exited 1',
      );
      if (exits.length < all) throw new Error(`${exits.length} exits`);
    };
    await waitFor(isWhole).catch(() => undefined);
    const { count } = await restarts();
    const log = await readWholeLog(owner, id);
    const events = (pattern: RegExp) =>
      log.filter(({ logLine, stream }) => stream === 'system' && pattern.test(logLine)).length;
    const exits = events(/^exited 1$/);
    const own = log.flatMap(({ logLine, stream }) => (stream === 'stdout' ? [logLine] : []));
    const different = new Set(own).size;
    await close(owner, id);
    return {
      figures: [
        `${all} runs that exited, in ${instances} instances, ${seconds.toFixed(0)} s`,
        `${different} of their lines, ${own.length - different} doubled; ${exits} exit lines; ` +
          `${events(/^started/)} starts told; ${countHoles(log)} holes in the ids`,
        `${count} restarts counted`,
      ],
      failures: [
        ...(different !== all || own.length !== all ? ['the lines'] : []),
        ...(exits === all ? [] : ['the exit lines']),
        ...(count === all ? [] : ['the count']),
        ...(countHoles(log) === 0 ? [] : ['the ids']),
      ],
    };
  } finally {
    record.close();
    await service.remove();
  }
}
