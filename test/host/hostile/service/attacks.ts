import type { Attack } from './attack.ts';
import { connectingAttacks } from './connecting.ts';
import { controlGroupAttacks } from './control-groups.ts';
import { multiplying } from './multiplying.ts';
import { privilegeAttacks } from './privileges.ts';
import { memoryAttacks, processAttacks } from './processes.ts';
import { otherReadingAttacks, readingAttacks } from './reading.ts';
import { writingAttacks } from './writing.ts';

/** Attacks that change nothing, and succeed for a program of the host's user. */
export const readOnlyAttacks: readonly Attack[] = [...readingAttacks, ...memoryAttacks];

/** All attacks, in the order of their execution. */
export const attacks: readonly Attack[] = [
  ...readOnlyAttacks,
  ...otherReadingAttacks,
  ...writingAttacks,
  ...connectingAttacks,
  ...processAttacks,
  ...privilegeAttacks,
  ...controlGroupAttacks,
  multiplying,
];
