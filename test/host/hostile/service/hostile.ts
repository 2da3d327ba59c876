/**
 * The program of a hostile service. It writes a line for each attack, `NAME: failed (CODE)` or
 * `NAME: SUCCEEDED HOW`, then `done`, and goes on. The variable HOSTILE holds what it knows.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { type Attack, codeOf, type Knowledge } from './attack.ts';
import { attacks, lookingAttacks } from './attacks.ts';
import { leave, leavings } from './leaving.ts';
import { isHostsEqual } from './processes.ts';

/** What the test tells it to do. */
export interface Orders {
  readonly knowledge: Knowledge;
  /** `looking` where nothing would keep it from doing damage. */
  attacks: 'all' | 'looking' | 'none';
  /** Seconds by which its processes are known, one for each way to leave that it goes. */
  readonly marks: readonly string[];
}

async function result({ attempt }: Attack, knowledge: Knowledge): Promise<string> {
  try {
    return `SUCCEEDED ${(await attempt(knowledge)).replaceAll(/\s+/g, ' ')}`;
  } catch (error) {
    return `failed (${codeOf(error)})`;
  }
}

const orders = JSON.parse(process.env['HOSTILE'] ?? '') as Orders;

// Started again by the next host, it does nothing more: what is left then is of its first run.
const hasLeft = existsSync('left');
for (const [index, mark] of hasLeft ? [] : orders.marks.entries()) {
  const leaving = leavings[index];
  if (leaving !== undefined) leave(leaving, mark);
}
if (orders.marks.length > 0) writeFileSync('left', '');
// A test that finds the isolation broken must not break the machine as well.
if (orders.attacks === 'all' && isHostsEqual(orders.knowledge)) {
  process.stdout.write('see the host and be its user: SUCCEEDED and nothing else is tried\n');
  orders.attacks = 'none';
}
const chosen = { all: attacks, looking: lookingAttacks, none: [] }[orders.attacks];
for (const attack of chosen) {
  process.stdout.write(`${attack.name}: ${await result(attack, orders.knowledge)}\n`);
}
process.stdout.write('done\n');
// It ends by itself where a test that was killed can't end it.
if (orders.attacks !== 'looking') setTimeout(() => process.exit(), 120_000);
