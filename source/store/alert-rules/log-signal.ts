/** Tells from the lines of a log whether the condition of a rule goes on. A pure state machine. */
import type { LogCondition } from './rule.ts';

/** The lines since the step before. */
export interface LogStep {
  /** Milliseconds since the step before, without jumps of a clock. */
  readonly elapsed: number;
  /** False while the connection is lost, so that silence means nothing. */
  readonly isConnected: boolean;
  readonly lines: number;
  /** Lines of level error that are not older than the span of the condition. */
  readonly errors: number;
  /** Whether a line matched the pattern of the condition. */
  readonly hasMatch: boolean;
}

export interface LogSignal {
  /** Milliseconds of all steps. */
  readonly at: number;
  /** Milliseconds without a line while the connection was there. */
  readonly quietFor: number;
  /** Errors of the steps in the span of the condition, oldest first. */
  readonly errors: readonly { readonly at: number; readonly count: number }[];
  readonly isActive: boolean;
}

export const noSignal: LogSignal = { at: 0, quietFor: 0, errors: [], isActive: false };

export function observeLog(before: LogSignal, condition: LogCondition, step: LogStep): LogSignal {
  const at = before.at + step.elapsed;
  const passed = step.isConnected ? before.quietFor + step.elapsed : before.quietFor;
  const quietFor = step.lines > 0 ? 0 : passed;
  switch (condition.kind) {
    case 'errors': {
      const kept = before.errors.filter((one) => one.at > at - condition.within);
      const errors = step.errors === 0 ? kept : [...kept, { at, count: step.errors }];
      return { at, quietFor, errors, isActive: errorsOf({ errors }) > condition.more };
    }
    case 'pattern':
      return { at, quietFor, errors: [], isActive: step.hasMatch };
    case 'silent':
      return { at, quietFor, errors: [], isActive: quietFor >= condition.span };
  }
}

/** Returns the number of errors in the span of the condition. */
export function errorsOf({ errors }: Pick<LogSignal, 'errors'>): number {
  return errors.reduce((sum, { count }) => sum + count, 0);
}
