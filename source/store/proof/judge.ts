/** Judges the run after a restart by what the service and the log plainly show, and says so. */
import { formatTimeOfDay } from '../time/time-of-day.ts';

/** The error lines of a service since a restart, and before. */
export interface ServiceErrors {
  readonly name: string;
  /** Error lines of the run, and the seconds in which they were counted. */
  readonly errors: number;
  readonly seconds: number;
  /** Those of them whose pattern no earlier line has. */
  readonly freshErrors: number;
  /** Errors a minute in the ten minutes before; undefined where no lines from then are known. */
  readonly usual: number | undefined;
  /** Errors a minute after the start before, in as many seconds; undefined where they are not known. */
  readonly atStart: number | undefined;
}

/** Everything that was seen of a restart. */
export interface RunEvidence {
  readonly services: readonly ServiceErrors[];
  /** Crashes since the restart, by the rules of the attention. */
  readonly crashes: number;
  /** The service's reason for which it has undone the restart; the version before runs. */
  readonly rolledBack?: string | undefined;
  /** True when somebody restarted it again before the end. */
  readonly isRestartedAgain: boolean;
  /** True while the deployment says that it is not running yet. */
  readonly isStarting?: boolean | undefined;
  /** The reason for which lines of the run are not known; undefined where all are. */
  readonly unread?: string | undefined;
}

/** Nothing is ever called good: a run can be unchanged. */
export type Verdict = 'worse' | 'unchanged' | 'unclear';

/** The figures that a verdict is about. */
export interface RunFigures {
  readonly crashes: number;
  /** The reason for which the service has undone the restart, a few words. */
  readonly rolledBack?: string | undefined;
  /** The service whose errors are told; undefined where no lines are known. */
  readonly service: string | undefined;
  readonly hasSeveralServices: boolean;
  readonly errorsPerMinute: number;
  readonly freshErrors: number;
  /** Errors a minute that are usual, and since when; undefined where nothing from before is known. */
  readonly usual: { readonly perMinute: number; readonly of: 'before' | 'start' } | undefined;
}

export interface RunJudgement {
  readonly verdict: Verdict;
  /** The reason for an unclear verdict, without a period. */
  readonly reason?: string | undefined;
  readonly figures: RunFigures;
}

/** Errors below which a run is not called worse. */
export const fewestErrors = 3;

/** Multiple of the usual errors above which a run is worse. */
const worseFactor = 2;

/**
 * Judges a run. A crash is worse, and so is a restart that the service has undone, whatever the log says.
 * Errors are up with at least three of them, where they are more than twice the usual number a minute, or
 * where three are of a new pattern and they are not fewer than usual.
 */
export function judgeRun(evidence: RunEvidence): RunJudgement {
  const { services, crashes, rolledBack, isRestartedAgain, isStarting = false, unread } = evidence;
  const failing = services.find(areErrorsUp);
  const shown = failing ?? services.toSorted((left, right) => right.errors - left.errors)[0];
  const figures = {
    crashes,
    rolledBack,
    service: shown?.name,
    hasSeveralServices: services.length > 1,
    errorsPerMinute: shown === undefined ? 0 : perMinute(shown),
    freshErrors: shown?.freshErrors ?? 0,
    usual: shown && usualOf(shown),
  };
  if (rolledBack !== undefined || crashes > 0) return { verdict: 'worse', figures };
  if (isRestartedAgain) return { verdict: 'unclear', reason: 'restarted again', figures };
  if (failing !== undefined) return { verdict: 'worse', figures };
  if (unread !== undefined) return { verdict: 'unclear', reason: unread, figures };
  if (isStarting) return { verdict: 'unclear', reason: 'still starting', figures };
  return { verdict: 'unchanged', figures };
}

function areErrorsUp(service: ServiceErrors): boolean {
  const { errors, freshErrors } = service;
  const usual = usualOf(service)?.perMinute ?? 0;
  const rate = perMinute(service);
  if (errors < fewestErrors) return false;
  return rate > worseFactor * usual || (freshErrors >= fewestErrors && rate >= usual);
}

function perMinute({ errors, seconds }: ServiceErrors): number {
  return (errors * 60) / seconds;
}

/** Returns the usual errors: those before, or of the start before where these are more. */
function usualOf({ usual, atStart }: ServiceErrors): RunFigures['usual'] {
  if (atStart !== undefined && atStart > (usual ?? 0)) return { perMinute: atStart, of: 'start' };
  return usual === undefined ? undefined : { perMinute: usual, of: 'before' };
}

/** The restart that a verdict is about. */
export interface JudgedRestart {
  /** Label of the deployment. */
  readonly name: string;
  /** Time of the restart, ms since the epoch by this machine's clock. */
  readonly at: number;
  /** Number of files changed from here that it applied. */
  readonly files: number;
  /** Advice where it is worse, such as `u restores yours.`; may be empty. */
  readonly advice: string;
}

/**
 * Reports a verdict: `shop is worse since 12:01:08: 2 crashes, 14 errors/min (0.2 before). 2 of your files;
 * others may have changed too. u restores yours, B compares.`
 */
export function proofSentence(restart: JudgedRestart, judgement: RunJudgement): string {
  const { name, at, files, advice } = restart;
  const { verdict, reason, figures } = judgement;
  const time = formatTimeOfDay(at);
  switch (verdict) {
    case 'worse': {
      const ours = files === 0 ? '' : ` ${files} of your files; others may have changed too.`;
      const next = advice === '' ? '' : ` ${advice}`;
      return `${name} is worse since ${time}: ${figuresText(figures)}.${ours}${next}`;
    }
    case 'unchanged':
      return `${name} has no new problems since ${time}: ${figuresText(figures)}.`;
    case 'unclear':
      return `${name} since ${time} is unclear: ${reason?.replace(/\.$/, '')}.`;
  }
}

/** Returns the figures: `2 crashes, 14 errors/min (0.2 before)`. */
function figuresText(figures: RunFigures): string {
  const { crashes, rolledBack, service, usual, errorsPerMinute, freshErrors } = figures;
  // The lines are those of two versions, so that their figures tell nothing.
  if (rolledBack !== undefined) return `the restart was undone (${rolledBack})`;
  const crashed = crashes === 0 ? [] : [crashes === 1 ? '1 crash' : `${crashes} crashes`];
  if (service === undefined) return [...crashed, 'no log'].join(', ');
  if (crashes > 0 && errorsPerMinute === 0) return crashed.join(', ');
  const ofService = figures.hasSeveralServices && service !== '' ? `${service} ` : '';
  const since = usual?.of === 'start' ? 'at the start before' : 'before';
  const facts = [
    ...(usual === undefined ? [] : [`${rateText(usual.perMinute)} ${since}`]),
    ...(freshErrors === 0 ? [] : [`${freshErrors.toLocaleString('en')} of a new kind`]),
  ];
  const compared = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const rate = `${ofService}${rateText(errorsPerMinute)} errors/min${compared}`;
  return [...crashed, rate].join(', ');
}

/** Returns a rate with two digits at most; a small one is never told as none. */
function rateText(rate: number): string {
  if (rate === 0) return '0';
  if (rate < 0.1) return '<0.1';
  return rate < 10 ? String(Math.round(rate * 10) / 10) : Math.round(rate).toLocaleString('en');
}
