import { durationForms, parseDuration } from '../../config/duration.ts';
import type { FlagSpecs } from '../table/described-command.ts';

/** The flag of commands that wait. */
export const timeoutFlag = {
  timeout: {
    type: 'value',
    value: 'DURATION',
    summary: 'longest time to wait, like 90s or 10m (5m); 0: no limit',
    expected: durationForms,
    parse: parseDuration,
  },
} as const satisfies FlagSpecs;
