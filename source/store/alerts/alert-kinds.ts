/** The kinds of alerts: one list for row 1, the alert bar, the key that opens them, and rules. */

/** All kinds, most urgent first. */
const alertKinds = [
  'token rejected',
  'disk low',
  'crashing',
  'failed',
  'restart failed',
  'restart unconfirmed',
  'worse',
  'grant ending',
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** Kinds that row 1 counts as one; it shows the others by words of their own. */
const failingKinds: ReadonlySet<AlertKind> = new Set(['crashing', 'failed', 'restart failed']);

/** A count of alerts in row 1. */
export interface AlertCount {
  readonly text: string;
  /** False for what will fail, unless somebody acts. */
  readonly isFailure: boolean;
}

/**
 * Returns the counts of row 1: `disk low`, `2 failing`, `1 worse`, `1 grant ending`. Row 1 has other places
 * for a rejected token and for unconfirmed restarts.
 */
export function alertCounts(kinds: readonly AlertKind[]): readonly AlertCount[] {
  const failing = kinds.filter((kind) => failingKinds.has(kind)).length;
  const worse = kinds.filter((kind) => kind === 'worse').length;
  const ending = kinds.filter((kind) => kind === 'grant ending').length;
  return [
    ...(kinds.includes('disk low') ? [{ text: 'disk low', isFailure: true }] : []),
    ...(failing > 0 ? [{ text: `${failing} failing`, isFailure: true }] : []),
    ...(worse > 0 ? [{ text: `${worse} worse`, isFailure: true }] : []),
    ...(ending > 0
      ? [{ text: `${ending} ${ending === 1 ? 'grant' : 'grants'} ending`, isFailure: false }]
      : []),
  ];
}
