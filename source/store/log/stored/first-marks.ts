import type { LogLine } from '../../../contract/logs.ts';
import { ownProperty } from './own-property.ts';
import { keptLine } from './stored-line.ts';

/** Marks of a log that nobody has read here yet: those of an incident file. */
export interface FirstMarks {
  readonly deploymentId: string;
  readonly lines: readonly LogLine[];
}

/** Returns the stored views with the marks of a log, unless it has a view already. */
export function withFirstMarks(stored: unknown, { deploymentId, lines }: FirstMarks): unknown {
  const views = { ...asObject(ownProperty(stored, 'views')) };
  if (lines.length === 0 || Object.hasOwn(views, deploymentId)) return stored;
  views[deploymentId] = { filters: [], marks: lines.map(keptLine) };
  return { ...asObject(stored), views };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
