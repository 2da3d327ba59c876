import { setTimeout as delay } from 'node:timers/promises';
import type { EngineTask } from '../../../source/host/engine/swarm-api.ts';
import { deploy } from '../../host/support/bodies.ts';
import { type Caller, formOf } from '../../host/support/temporary-host.ts';
import { close, runningTasks, webSdl } from '../bed.ts';
import { KilledHost } from './killed-host.ts';
import { compareNumbers, countHoles, readWholeLog, sum, type TrialResult } from './trial.ts';
import { countReplaced, hostLabelOf, presentTasks, untilWhole } from './whole-host.ts';
import { watchInstances } from './watched-instances.ts';

/** Instances of the deployment that is let alone, and of the one that is restarted. */
const instances = 2;

/** Time from the requests of a round within which the host is killed: a restart takes about as long. */
const spanMs = 12_000;

/** Writes 10 numbered lines a second. */
const counting = `
  let line = 0;
  setInterval(() => console.log('n ' + (line += 1)), 100);
  process.on('SIGTERM', () => process.exit());
`;

const webOf = (count: number) => webSdl(count, { args: ['-e', counting] });

/** Kills a host again and again while it creates a deployment and restarts another one. */
export async function tryKills({ kills = 20 } = {}): Promise<TrialResult> {
  const host = await KilledHost.make();
  try {
    let owner = await host.start();
    const steady = await deploy(owner, webOf(instances));
    const moving = await deploy(owner, webOf(instances));
    const counts = new Map([steady, moving].map(({ id }) => [id, instances]));
    const label = await hostLabelOf(steady.id);
    await untilWhole(owner, label, counts);
    const first = await runningTasks(steady.id);
    const watch = watchInstances(moving.id);
    const known = new Set(counts.keys());
    const lost = new Set<string>();
    const figures = { replaced: 0, unanswered: 0, restarted: 0 };
    const ran: EngineTask[] = [];
    const begun = Date.now();
    for (let kill = 0; kill < kills; kill += 1) {
      const created = deploy(owner, webOf(1)).then(({ id }) => known.add(id));
      const restarted = restart(owner, moving.id, kill);
      // Parts of the golden ratio are spread evenly, whatever their number.
      const killed = delay(((kill * 0.618) % 1) * spanMs).then(() => host.kill());
      const [answer, answered] = await Promise.allSettled([created, restarted, killed]);
      if (answer.status === 'rejected') figures.unanswered += 1;
      if (answered.status === 'fulfilled' && answered.value === 200) figures.restarted += 1;
      ran.push(...(await presentTasks(label)));
      owner = await host.start();
      // Every second time the host is killed again while it still completes what was under way.
      if (kill % 2 === 0 && kill < kills - 1) continue;
      const listed = await untilWhole(owner, label, counts);
      for (const id of known) if (!listed.has(id)) lost.add(id);
      for (const id of listed) known.add(id);
      figures.replaced += await countReplaced(label, ran.splice(0));
    }
    const { minimum, trials, repeated } = await watch.end();
    const seconds = ((Date.now() - begun) / 1000).toFixed(0);
    const kept = await runningTasks(steady.id);
    const same = kept.filter(({ id }) => first.some((task) => task.id === id)).length;
    const last = owner;
    await Promise.all([...known].filter((id) => !lost.has(id)).map((id) => close(last, id)));
    const log = await readWholeLog(owner, steady.id);
    const compared = Array.from({ length: instances }, (_, index) => {
      const own = log.filter(({ instance }) => instance === index + 1);
      return own.flatMap(({ logLine }) =>
        logLine.startsWith('n ') ? [Number(logLine.slice(2))] : [],
      );
    });
    const wrong = sum(compared.map((numbers) => sum(Object.values(compareNumbers(numbers)))));
    return {
      figures: [
        `${kills} kills in ${seconds} s; ${figures.restarted} restarts and ` +
          `${kills - figures.unanswered} creates were answered before`,
        `${known.size} deployments, ${lost.size} lost; all run with their instances, none doubled`,
        `${figures.replaced} instances replaced on adoption; ${same} of ${instances} of the first ` +
          `deployment run on; at least ${minimum} of ${instances} ran of the one that was restarted`,
        `${trials} of its versions were tried out, ${repeated} by more than one instance`,
        `${sum(compared.map(({ length }) => length))} lines of the first deployment: ${wrong} ` +
          `lost, doubled or out of order; ${countHoles(log)} holes in the ids`,
      ],
      failures: [
        ...(lost.size > 0 ? ['deployments were lost'] : []),
        ...(figures.replaced > 0 || same < instances ? ['instances were replaced'] : []),
        ...(minimum > 0 ? [] : ['none of the restarted one ran']),
        ...(wrong + countHoles(log) > 0 ? ['the lines'] : []),
      ],
    };
  } finally {
    await host.remove();
  }
}

/** Resolves with the status of the answer to a restart with another file. */
async function restart(owner: Caller, id: string, round: number): Promise<number> {
  const form = formOf({ 'round.txt': String(round) });
  await owner.call('uploadFiles', { id, name: 'web', form });
  return (await owner.call('restartDeployment', { id })).status;
}
