/** A check of the doctor, and its printed form. */
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { cellWidth, padCells } from '../../terminal/screen/cells.ts';
import type { RecordView } from '../output/record-view.ts';

/** The result of a check. Nothing in it may be a secret. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** Sentence or clause that tells the finding. */
  readonly finding: string;
  /** Next step; empty where nothing needs to be done. */
  readonly next: string;
}

/** Returns a check that found nothing to do. */
export function okCheck(name: string, finding: string): Check {
  return { name, state: 'ok', finding, next: '' };
}

/** Returns a check with something that limits the program without stopping it. */
export function warnCheck(name: string, finding: string, next: string): Check {
  return { name, state: 'warn', finding, next };
}

/** Returns a check with something that stops the program. */
export function failCheck(name: string, finding: string, next: string): Check {
  return { name, state: 'fail', finding, next };
}

export const checkView: RecordView<Check> = {
  columns: [
    { title: 'STATE', value: ({ state }) => state },
    { title: 'CHECK', value: ({ name }) => name },
    { title: 'FINDING', value: ({ finding }) => finding },
    { title: 'NEXT', value: ({ next }) => next },
  ],
  fields: ['name', 'state', 'finding', 'next'],
  json: ({ name, state, finding, next }) => ({
    name,
    state,
    finding,
    ...(next !== '' && { next }),
  }),
  id: ({ name, state }) => `${state} ${name}`,
};

/** Returns the lines of checks for a terminal, each next step below its finding. */
export function checkLines(checks: readonly Check[]): readonly string[] {
  const width = Math.max(0, ...checks.map(({ name }) => cellWidth(name)));
  return checks.flatMap(({ name, state, finding, next }) => {
    const head = `${padCells(state, 4)}  ${padCells(name, width)}  `;
    const below = ' '.repeat(cellWidth(head));
    return [`${head}${sanitize(finding)}`, ...(next === '' ? [] : [`${below}${sanitize(next)}`])];
  });
}
