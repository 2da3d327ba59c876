/**
 * The program of a hostile service. It prints a line for each attack, `NAME: failed (CODE)` or
 * `NAME: SUCCEEDED HOW`, then `done`, and runs on. The variable HOSTILE has its orders as JSON.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { type Attack, codeOf, type Knowledge } from './attack.ts';
import { attacks, readOnlyAttacks } from './attacks.ts';
import { startEscape, escapes } from './leaving.ts';
import { hasHostRights } from './processes.ts';

/** The test's instructions. */
export interface Orders {
  readonly knowledge: Knowledge;
  /** `readOnly` without isolation, when attacks would do damage. */
  attacks: 'all' | 'readOnly' | 'none';
  /** Durations that identify its processes, one for each way to escape. */
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

// After a restart it starts no processes: any that still run are of its first run.
const hasEscaped = existsSync('left');
for (const [index, mark] of hasEscaped ? [] : orders.marks.entries()) {
  const escape = escapes[index];
  if (escape !== undefined) startEscape(escape, mark);
}
if (orders.marks.length > 0) writeFileSync('left', '');
// Broken isolation must fail the test without damage to the machine.
if (orders.attacks === 'all' && hasHostRights(orders.knowledge)) {
  process.stdout.write('see the host and be its user: SUCCEEDED; other attacks are not tried\n');
  orders.attacks = 'none';
}
const chosen = { all: attacks, readOnly: readOnlyAttacks, none: [] }[orders.attacks];
for (const attack of chosen) {
  process.stdout.write(`${attack.name}: ${await result(attack, orders.knowledge)}\n`);
}
process.stdout.write('done\n');
// Ends by itself when a killed test can't end it.
if (orders.attacks !== 'readOnly') setTimeout(() => process.exit(), 120_000);
