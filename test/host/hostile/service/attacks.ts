import type { Attack } from './attack.ts';
import { connectingAttacks } from './connecting.ts';
import { controlGroupAttacks } from './control-groups.ts';
import { multiplying } from './multiplying.ts';
import { privilegeAttacks } from './privileges.ts';
import { peekingAttacks, processAttacks } from './processes.ts';
import { otherReadingAttacks, readingAttacks } from './reading.ts';
import { writingAttacks } from './writing.ts';

/** Those that change nothing and succeed for a program of the host's user. */
export const lookingAttacks: readonly Attack[] = [...readingAttacks, ...peekingAttacks];

/** All that the hostile service tries, in this order. */
export const attacks: readonly Attack[] = [
  ...lookingAttacks,
  ...otherReadingAttacks,
  ...writingAttacks,
  ...connectingAttacks,
  ...processAttacks,
  ...privilegeAttacks,
  ...controlGroupAttacks,
  multiplying,
];
