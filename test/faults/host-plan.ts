import * as fc from 'fast-check';

/** An action of a client on the files of its service; numbers choose among the files of that time. */
export type FileAction =
  | { readonly kind: 'put'; readonly path: number; readonly size: number }
  /** Uploads `parts` files from this path on, in one request. */
  | {
      readonly kind: 'upload';
      readonly path: number;
      readonly parts: number;
      readonly size: number;
    }
  | { readonly kind: 'rename'; readonly from: number; readonly to: number }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'restart' };

/** An action of the owner of many deployments. */
export type OwnerAction = { readonly kind: 'create' } | { readonly kind: 'close'; at: number };

/** An action of a wallet that pays for another one. */
export type MoneyAction =
  | { readonly kind: 'grant'; readonly hundredths: number; readonly milliseconds: number }
  | { readonly kind: 'revoke'; readonly at: number }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  /** The wall clock of the host is set, forwards or back. */
  | { readonly kind: 'jump'; readonly milliseconds: number };

export type ActionKind = (FileAction | OwnerAction | MoneyAction)['kind'];

/** The moment of a kill; if it never comes, the host is killed a while after it is up. */
export type HostMoment =
  /** `after` ms after the host is up. */
  | { readonly kind: 'clock'; readonly after: number }
  /** `after` ms after a client has sent the nth request of this kind. */
  | {
      readonly kind: 'sent';
      readonly what: 'put' | 'upload' | 'rename' | 'delete' | 'restart' | 'create' | 'close';
      readonly nth: number;
      readonly after: number;
    }
  /** `after` ms after the start of its process, whether the host is up or not. */
  | { readonly kind: 'start'; readonly after: number };

/** A shortage of disk space that begins after `wait` ms and lasts `hold` ms. */
export interface Fill {
  readonly wait: number;
  readonly hold: number;
}

/** One round: what the clients do all along, and the moments at which the host is killed. */
export interface HostPlan {
  /** Actions on the service that is restarted, and on another one of the same deployment. */
  readonly restarting: readonly FileAction[];
  readonly beside: readonly FileAction[];
  readonly owner: readonly OwnerAction[];
  readonly money: readonly MoneyAction[];
  readonly kills: readonly HostMoment[];
  /** Backups, one after the other: ms to wait before each. */
  readonly backups: readonly number[];
  /** The disk of the data folder: one that is never full, or one that is short of space at times. */
  readonly disk: 'ample' | 'short' | 'full';
  readonly fills: readonly Fill[];
  /** Whether a process that left its group ignores SIGTERM. */
  readonly stubborn: boolean;
  /** Without sandboxes nothing ends with a killed host, and the next one has to. */
  readonly sandbox: 'auto' | 'off';
}

/** Paths that clients use; some are folders of others. */
export const pathCount = 60;

/** Files of one upload, at most. */
const mostParts = 40;

const size = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 5_000 }),
  fc.integer({ min: 1, max: 300_000 }),
);
const path = fc.nat(pathCount - 1);

function fileAction(restarts: boolean): fc.Arbitrary<FileAction> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), path, size }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('upload' as const),
        path,
        parts: fc.integer({ min: 2, max: mostParts }),
        size: fc.integer({ min: 0, max: 3_000 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('rename' as const), from: fc.nat(), to: path }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) },
    {
      weight: restarts ? 3 : 0,
      arbitrary: fc.record({ kind: fc.constant('restart' as const) }),
    },
  );
}

const ownerAction: fc.Arbitrary<OwnerAction> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), at: fc.nat() }) },
);

const moneyAction: fc.Arbitrary<MoneyAction> = fc.oneof(
  fc.record({
    kind: fc.constant('grant' as const),
    hundredths: fc.integer({ min: 1, max: 250 }),
    milliseconds: fc.integer({ min: 3_000, max: 12_000 }),
  }),
  fc.record({ kind: fc.constant('revoke' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('wait' as const),
    milliseconds: fc.integer({ min: 20, max: 700 }),
  }),
  fc.record({
    kind: fc.constant('jump' as const),
    milliseconds: fc.oneof(
      fc.integer({ min: -5_000, max: 5_000 }),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    ),
  }),
);

const aShortWhile = fc.noBias(fc.oneof(fc.nat(8), fc.nat(60)));

const kill: fc.Arbitrary<HostMoment> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      after: fc.noBias(fc.nat(1_500)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('sent' as const),
      what: fc.constantFrom(
        'put',
        'upload',
        'upload',
        'rename',
        'delete',
        'restart',
        'restart',
        'create',
        'close',
      ),
      nth: fc.integer({ min: 1, max: 6 }),
      after: aShortWhile,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('start' as const), after: fc.noBias(fc.nat(700)) }),
  },
);

/** More than a host answers before it is killed. */
const enough = 200;

const anyPlan: fc.Arbitrary<HostPlan> = fc.record({
  restarting: fc.array(fileAction(true), { minLength: enough, maxLength: enough }),
  beside: fc.array(fileAction(false), { minLength: enough, maxLength: enough }),
  owner: fc.array(ownerAction, { minLength: 10, maxLength: 30 }),
  money: fc.array(moneyAction, { minLength: 20, maxLength: 40 }),
  kills: fc.array(kill, { minLength: 1, maxLength: 3 }),
  backups: fc.array(fc.nat(300), { minLength: 1, maxLength: 8 }),
  stubborn: fc.noBias(fc.integer({ min: 0, max: 29 })).map((number) => number === 29),
  sandbox: fc.constantFrom('auto', 'off'),
  disk: fc.constantFrom('ample', 'short', 'full'),
  fills: fc.array(fc.record({ wait: fc.nat(400), hold: fc.nat(500) }), {
    minLength: 2,
    maxLength: 10,
  }),
});

/** The plan of a round: the same for the same seed and round. */
export function hostPlanOf(seed: number, round: number): HostPlan {
  const [plan] = fc.sample(anyPlan, { seed: seed * 100_003 + round, numRuns: 1 });
  if (plan === undefined) throw new Error('no plan came of it');
  return plan;
}

/** The moment in words. */
export function hostMomentText(moment: HostMoment): string {
  switch (moment.kind) {
    case 'clock':
      return `${moment.after} ms after it is up`;
    case 'sent':
      return `${moment.after} ms into ${moment.what} ${moment.nth}`;
    case 'start':
      return `${moment.after} ms into its start`;
  }
}
