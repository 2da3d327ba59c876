import * as fc from 'fast-check';

/** The next step of the person. */
export type Step =
  /** Leaves what is open, and opens the file of this number. */
  | { readonly kind: 'open'; readonly file: number }
  /** Types a word, with so many ms from one character to the next; 0: all at once. */
  | { readonly kind: 'type'; readonly word: string; readonly pace: number }
  /** Saves; `meanwhile` is typed before the answer is there. */
  | { readonly kind: 'save'; readonly meanwhile: string }
  | { readonly kind: 'wait'; readonly milliseconds: number };

/** The moment of the kill; if it never comes, the program is killed at the end of the day. */
export type Moment =
  /** `after` ms after a step has begun, whatever is going on then. */
  | { readonly kind: 'clock'; readonly step: number; readonly after: number }
  /** The service gets the request now, or has answered it and the program does not know yet. */
  | {
      readonly kind: 'request';
      readonly what: 'save' | 'restart';
      readonly when: 'asked' | 'answered';
    }
  /** `after` ms after the person could read it. */
  | { readonly kind: 'seen'; readonly what: 'saved' | 'restarted'; readonly after: number };

export type Killing = 'kill -9' | 'SIGHUP' | 'terminal closed';

/** One round: a day of editing that ends in a kill. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly moment: Moment;
  readonly killing: Killing;
  /** Seconds from a change to the restart, or `off`: HOSTDECK_RESTART_DELAY. */
  readonly restartDelay: string;
}

export const fileCount = 3;

/** Some milliseconds before anything is kept, some after: both sides of a draft's second. */
const longestAfter = 1800;

const letters = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnop'.split('')),
  minLength: 1,
  maxLength: 5,
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      word: letters,
      pace: fc.constantFrom(0, 0, 15, 60),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      meanwhile: fc.oneof(fc.constant(''), letters),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('open' as const), file: fc.nat(fileCount - 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      milliseconds: fc.integer({ min: 50, max: 1500 }),
    }),
  },
);

const anyMoment = (steps: number): fc.Arbitrary<Moment> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('clock' as const),
        step: fc.integer({ min: 1, max: steps - 1 }),
        after: fc.noBias(fc.nat(longestAfter)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('request' as const),
        what: fc.constantFrom('save' as const, 'restart' as const),
        when: fc.constantFrom('asked' as const, 'answered' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('seen' as const),
        what: fc.constantFrom('saved' as const, 'restarted' as const),
        after: fc.constantFrom(0, 0, 1, 5, 20, 100),
      }),
    },
  );

const anyPlan: fc.Arbitrary<Plan> = fc
  .tuple(fc.nat(fileCount - 1), fc.array(anyStep, { minLength: 3, maxLength: 9 }))
  .chain(([file, rest]) => {
    const days: readonly Step[] = [{ kind: 'open', file }, ...rest];
    return fc.record({
      steps: fc.constant(days),
      moment: anyMoment(days.length),
      killing: fc.constantFrom<Killing>('kill -9', 'kill -9', 'SIGHUP', 'terminal closed'),
      restartDelay: fc.constantFrom('1', '2', '5', 'off'),
    });
  })
  .map(reaching);

/** The plan with what its moment needs: something that is saved, and that restarts. */
function reaching({ steps, moment, killing, restartDelay }: Plan): Plan {
  const needsSave = moment.kind !== 'clock' && steps.every(({ kind }) => kind !== 'save');
  const day: readonly Step[] = needsSave ? [...steps, { kind: 'save', meanwhile: '' }] : steps;
  const needsRestart = moment.kind !== 'clock' && moment.what.startsWith('restart');
  const delay = needsRestart && restartDelay === 'off' ? '1' : restartDelay;
  return { steps: numbered(day), moment, killing, restartDelay: delay };
}

/** Every word once, so that it is seen where each of them is; a save has something to send. */
function numbered(steps: readonly Step[]): readonly Step[] {
  let unsaved = false;
  return steps.flatMap((step, at): readonly Step[] => {
    switch (step.kind) {
      case 'type':
        unsaved = true;
        return [{ ...step, word: `${step.word}${at} ` }];
      case 'save': {
        const before: readonly Step[] = unsaved
          ? []
          : [{ kind: 'type', word: `then${at} `, pace: 0 }];
        unsaved = step.meanwhile !== '';
        return [...before, { ...step, meanwhile: unsaved ? `${step.meanwhile}q${at} ` : '' }];
      }
      case 'open':
        unsaved = false;
        return [step];
      case 'wait':
        return [step];
    }
  });
}

/** The plan of a round: the same for the same seed and round. */
export function planOf(seed: number, round: number): Plan {
  const [plan] = fc.sample(anyPlan, { seed: seed * 100_003 + round, numRuns: 1 });
  if (plan === undefined) throw new Error('no plan came of it');
  return plan;
}

/** `2 s, put answered …`: the moment in words. */
export function momentText(moment: Moment): string {
  switch (moment.kind) {
    case 'clock':
      return `${moment.after} ms into step ${moment.step}`;
    case 'request':
      return `${moment.what} ${moment.when}`;
    case 'seen':
      return `${moment.after} ms after "${moment.what}"`;
  }
}
