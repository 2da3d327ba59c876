/**
 * `npm run mutants`: changes a module in one place, runs tests that call what is changed, and lists the
 * changes that none of them notices.
 */
import { availableParallelism } from 'node:os';
import { sources, textOf } from '../architecture/sources.ts';
import { readOptions } from '../support/options.ts';
import { createRandom } from '../tail/log/model-service.ts';
import { CoveringTests } from './covering-tests.ts';
import { describeMutation, mutated, type Mutation, mutationsOf } from './mutations.ts';
import { functionsOf, parsed } from './syntax.ts';
import { type Ending, TrialCopy } from './trial.ts';

const help = `npm run mutants -- [--count N] [--seed S] [--in FOLDER]

  --count N    so many mutants: 300 without a number
  --seed S     of their choice: 1 without one
  --in FOLDER  of modules below it, as source/tail/log

Exits with 1 where fewer than 92 in 100 die.
`;

const values = readOptions({
  count: { type: 'string', default: '300' },
  seed: { type: 'string', default: '1' },
  in: { type: 'string' },
  help: { type: 'boolean', default: false },
});

/** The rooms whose modules are changed. */
const rooms = ['tail', 'store', 'client', 'host', 'commands', 'view'];

/** Test files that are run for a mutant. */
const mostTests = 12;

/** Share of the mutants that have to die. */
const fewestDead = 0.92;

interface Mutant {
  readonly module: string;
  readonly mutation: Mutation;
}

function allMutants(): readonly Mutant[] {
  const folders = values.in === undefined ? rooms.map((room) => `source/${room}`) : [values.in];
  return sources
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .flatMap((module) => mutantsOf(module));
}

/** Returns the mutants of a module's functions: no record counts what runs when it is loaded. */
function mutantsOf(module: string): readonly Mutant[] {
  const [text, isJsx] = [textOf(module), module.endsWith('x')];
  const functions = functionsOf(parsed(text, isJsx));
  return mutationsOf(text, isJsx)
    .filter((each) => functions.some(([start, end]) => start <= each.start && each.end <= end))
    .map((mutation) => ({ module, mutation }));
}

/** Returns mutants in a random order that a seed tells. */
function shuffled(mutants: readonly Mutant[], seed: number): readonly Mutant[] {
  const random = createRandom(seed);
  return mutants
    .map((mutant) => ({ mutant, at: random() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ mutant }) => mutant);
}

/** Resolves with how the tests of a mutant end; undefined when they fail without it. */
async function endingOf(
  copy: TrialCopy,
  { module, mutation }: Mutant,
  covering: CoveringTests,
): Promise<Ending | undefined> {
  const tests = covering.testsAt(module, mutation.start).slice(0, mostTests);
  if (tests.length === 0) return 'passed';
  return await copy.try(module, mutated(textOf(module), mutation), tests);
}

function report({ module, mutation }: Mutant, ending: Ending | undefined): void {
  const { line, was, became } = describeMutation(textOf(module), mutation);
  const said = ending === 'passed' ? 'SURVIVED' : (ending ?? 'its tests fail without it');
  process.stdout.write(`${module}:${line} ${said}\n`);
  if (ending === 'passed') process.stdout.write(`  - ${was}\n  + ${became}\n`);
}

async function tryAll(mutants: readonly Mutant[]): Promise<readonly (Ending | undefined)[]> {
  const covering = CoveringTests.ofAllTests();
  const left = [...mutants];
  const endings: (Ending | undefined)[] = [];
  const work = async (): Promise<void> => {
    const copy = new TrialCopy();
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const ending = await endingOf(copy, next, covering);
        report(next, ending);
        endings.push(ending);
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return endings;
}

if (values.help) process.stdout.write(help);
else {
  const all = allMutants();
  const chosen = shuffled(all, Number(values.seed)).slice(0, Number(values.count));
  const endings = await tryAll(chosen);
  const tried = endings.filter((ending) => ending !== undefined);
  const survived = tried.filter((ending) => ending === 'passed').length;
  process.stdout.write(
    `${tried.length} of ${all.length} mutants tried, ${tried.length - survived} died, ${survived} survived; ` +
      `the tests of ${endings.length - tried.length} fail without them\n`,
  );
  if (survived > tried.length * (1 - fewestDead)) process.exitCode = 1;
}
