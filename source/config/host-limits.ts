import { parseDecimal } from '../contract/decimal.ts';
import { parseBytes, parseCpu } from '../contract/sdl/resources.ts';
import type { HostLimits } from '../host/server/limits.ts';
import { type Usage, usage, wholeNumber } from './flags.ts';

/** Flags of `hostdeck host` that limit what callers can use. */
export interface LimitFlags {
  readonly minAmount: string | undefined;
  readonly maxDeployments: string | undefined;
  readonly maxServices: string | undefined;
  readonly maxInstances: string | undefined;
  readonly maxCpu: string | undefined;
  readonly maxMemory: string | undefined;
  readonly maxStorage: string | undefined;
}

const largestCount = 100_000;

const microsPerUnit = 1_000_000n;

/** Reads the limits that are set, or returns wrong usage. */
export function readLimits(flags: LimitFlags): Partial<HostLimits> | Usage {
  const micros = flags.minAmount === undefined ? undefined : parseDecimal(flags.minAmount);
  const isAmount = micros !== undefined && micros >= 0n && micros % microsPerUnit === 0n;
  if (flags.minAmount !== undefined && !isAmount) {
    return usage('--min-amount must be 0 or more, in micro-units, with at most 12 decimals.');
  }
  const counts = [
    ['deploymentsPerWallet', '--max-deployments', flags.maxDeployments],
    ['servicesPerDeployment', '--max-services', flags.maxServices],
    ['instancesPerDeployment', '--max-instances', flags.maxInstances],
  ] as const;
  const limits: Partial<Record<Exclude<keyof HostLimits, 'minAmount'>, number>> = {};
  for (const [key, flag, text] of counts) {
    if (text === undefined) continue;
    const count = wholeNumber(text, largestCount) ?? 0;
    if (count === 0) return usage(`${flag} must be a whole number from 1 to ${largestCount}.`);
    limits[key] = count;
  }
  const sums = [
    ['cpuPerWallet', '--max-cpu', flags.maxCpu, parseCpu, 'a number of processors, like 4 or 500m'],
    ['memoryPerWallet', '--max-memory', flags.maxMemory, parseBytes, 'a size, like 512Mi or 8Gi'],
    [
      'storagePerWallet',
      '--max-storage',
      flags.maxStorage,
      parseBytes,
      'a size, like 512Mi or 8Gi',
    ],
  ] as const;
  for (const [key, flag, text, parse, expected] of sums) {
    if (text === undefined) continue;
    const sum = parse(text);
    if (sum === undefined) return usage(`${flag} must be ${expected}.`);
    limits[key] = sum;
  }
  return { ...limits, ...(isAmount ? { minAmount: micros / microsPerUnit } : {}) };
}
