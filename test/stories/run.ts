import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../support/options.ts';
import { type Ending, mostUnclear, wrongIn } from './judge-story.ts';
import { playStory } from './play.ts';
import { openStage } from './stage.ts';
import { expectedVerdict, type StageName, stories, type Story } from './story.ts';

const help = `npm run stories -- [--story NAME] [--service NAME] [--seconds S] [--starts N]
                    [--at-once N] [--record FOLDER]

Plays ten stories in a terminal: a person edits a file of a running service, saves, waits for the verdict
on the restart, and undoes what is worse. Five run on our host and five on a foreign service; three times
the console is killed in between and opened again.

  --story NAME     those whose name has this text
  --service NAME   on this service, all of them: host, harbour, "mute harbour", which tells no starts, or all
  --seconds S      of a proof: 30 without a number
  --starts N       of the service before the edit, with its creation: 4 without a number
  --at-once N      so many at a time: 10 without a number
  --record FOLDER  writes the screens of each story into a file

Exits with 1 where a verdict is wrong, old bytes are not back, or too many verdicts are unclear.
`;

const values = readOptions({
  story: { type: 'string', default: '' },
  service: { type: 'string' },
  seconds: { type: 'string', default: '30' },
  starts: { type: 'string', default: '4' },
  'at-once': { type: 'string', default: '10' },
  record: { type: 'string' },
  help: { type: 'boolean', default: false },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const stages: readonly StageName[] = ['host', 'harbour', 'mute harbour'];
const asked = values.service === 'all' ? stages : stages.filter((name) => name === values.service);
const plays = stories
  .filter(({ name }) => name.includes(values.story))
  .flatMap((story) =>
    (values.service === undefined ? [story.stage] : asked).map((stage) => ({ story, stage })),
  );
const [seconds, starts, atOnce] = [values.seconds, values.starts, values['at-once']].map(Number);
if (plays.length === 0 || !((seconds ?? 0) > 0 && (starts ?? 0) > 0 && (atOnce ?? 0) > 0)) {
  process.stderr.write(`There is no such story or service, or a number is not above 0.\n\n${help}`);
  process.exit(2);
}

interface Row {
  readonly story: Story;
  readonly stage: StageName;
  readonly ending?: Ending;
  readonly wrong: string | undefined;
}

/** Milliseconds between two beginnings, so that not all consoles start at once. */
const stagger = 1500;

const rows: Row[] = [];
const waiting = plays.map((one, index) => ({ ...one, index }));
const workers = Array.from({ length: Math.min(atOnce ?? 1, plays.length) }, async (_, worker) => {
  await sleep(worker * stagger);
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    rows[one.index] = await play(one.story, one.stage);
  }
});
await Promise.all(workers);

const print = (...cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};
print('Story', 'Service', 'Verdict', 'Expected', 'Old bytes back', 'Console killed');
process.stdout.write('|-|-|-|-|-|-|\n');
for (const { story, stage, ending } of rows) {
  const back = ending?.areBytesBack;
  print(
    story.name,
    stage,
    ending?.verdict ?? 'none',
    expectedVerdict(story, stage),
    back === undefined ? '' : back ? `yes, then ${ending?.restored}` : 'NO',
    story.killed ?? '',
  );
}
const wrong = rows.flatMap(({ story, stage, wrong: why }) =>
  why === undefined ? [] : [`${story.name} on ${stage}: ${why}`],
);
const unclear = rows.filter(({ ending }) => ending?.verdict === 'unclear').length;
const most = Math.ceil((rows.length * mostUnclear) / stories.length);
if (unclear > most) wrong.push(`${unclear} verdicts are unclear, which ${most} may be`);
process.stdout.write(`${rows.length} stories, ${unclear} unclear, ${wrong.length} wrong\n`);
if (wrong.length > 0) {
  process.stdout.write(`WRONG\n  ${wrong.join('\n  ')}\n`);
  process.exitCode = 1;
}

async function play(story: Story, stageName: StageName): Promise<Row> {
  const screens: string[] = [];
  const onScreen = (step: string, screen: string): void => {
    const time = new Date().toISOString().slice(11, 19);
    screens.push(`--- ${time} ${step}\n${screen}\n`);
  };
  const begun = performance.now();
  try {
    await using stage = await openStage(stageName);
    const options = { seconds: seconds ?? 0, starts: starts ?? 0, onScreen };
    const ending = await playStory(story, stage, options);
    const verdict = expectedVerdict(story, stageName);
    const wrong = wrongIn({ ...story, verdict }, ending);
    process.stderr.write(`${story.name} on ${stageName}: ${ending.told}\n`);
    return { story, stage: stageName, ending, wrong };
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${story.name} on ${stageName} FAILED: ${wrong}\n`);
    return { story, stage: stageName, wrong: wrong.split('\n')[0] };
  } finally {
    screens.push(`--- after ${Math.round((performance.now() - begun) / 1000)} s\n`);
    if (values.record !== undefined) {
      mkdirSync(values.record, { recursive: true });
      const file = `${story.name}, ${stageName}.txt`;
      writeFileSync(path.join(values.record, file), screens.join('\n'));
    }
  }
}
