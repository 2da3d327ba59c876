import { readFileSync } from 'node:fs';

/** Ticks of a second in /proc, the same on every Linux that Node runs on. */
const ticksASecond = 100;

/** Seconds of processor time that a process has had, in the kernel too. */
export function cpuSeconds(pid: number): number {
  // The name, second of the fields, may have spaces in it and ends with the last bracket.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
}

/** The most memory that a process has had in RAM, in MB. */
export function peakMemory(pid: number): number {
  return numberIn(`/proc/${pid}/status`, /VmHWM:\s+(\d+) kB/) / 1024;
}

/** Bytes that a process has written, to whatever it was. */
export function bytesWritten(pid: number): number {
  return numberIn(`/proc/${pid}/io`, /wchar: (\d+)/);
}

function numberIn(file: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(file, 'latin1'))?.[1]);
}
