import { formatTimeOfDay } from '../time/time-of-day.ts';
import type { RunFigures, RunJudgement, UnclearReason } from './judge.ts';

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
  /** True when several services were looked at, so that the figures name theirs. */
  readonly hasSeveral: boolean;
}

/**
 * Reports a verdict: `shop is worse since 12:01:08: 2 crashes, 14 errors/min (0.2 at 5 earlier starts).
 * 2 of your files; others may have changed too. u restores yours, B compares.`
 */
export function proofSentence(restart: JudgedRestart, judgement: RunJudgement): string {
  const { name, at, files, advice, hasSeveral } = restart;
  const { verdict, reason, figures } = judgement;
  const time = formatTimeOfDay(at);
  const facts = figuresText(figures, hasSeveral);
  switch (verdict) {
    case 'worse': {
      const ours = files === 0 ? '' : ` ${files} of your files; others may have changed too.`;
      return `${name} is worse since ${time}: ${facts}.${ours}${advice === '' ? '' : ` ${advice}`}`;
    }
    case 'no worse':
      return `${name} has no new problems since ${time}: ${facts}.`;
    case 'unclear':
      return `${name} since ${time} is unclear: ${reasonText(reason, facts)}.`;
  }
}

/** Returns the figures: `2 crashes, 14 errors/min (0.2 at 5 earlier starts)`. */
function figuresText(figures: RunFigures, hasSeveral: boolean): string {
  const { crashes, rolledBack, silence, service, baseline } = figures;
  // The lines are those of two versions, so that their figures tell nothing.
  if (rolledBack !== undefined) return `the restart was undone (${rolledBack})`;
  const ofService = hasSeveral && service !== undefined && service !== '' ? `${service} ` : '';
  const crashed = crashes === 0 ? [] : [crashes === 1 ? '1 crash' : `${crashes} crashes`];
  if (silence !== undefined) {
    const lines = Math.round(silence.expected).toLocaleString('en');
    const usual = `${lines} lines at ${startsText(figures.starts)}`;
    return [...crashed, `${ofService}silent for ${silence.seconds} s (${usual})`].join(', ');
  }
  if (service === undefined) return [...crashed, 'no log'].join(', ');
  if (crashes > 0 && figures.errorsPerMinute === 0) return crashed.join(', ');
  const rate = `${ofService}${rateText(figures.errorsPerMinute)} errors/min`;
  const usual = baselineText(figures);
  const compared = baseline === undefined ? '' : ` (${usual})`;
  return [...crashed, `${rate}${compared}`].join(', ');
}

function baselineText({ baseline, usualPerMinute = 0, starts }: RunFigures): string {
  const rate = rateText(usualPerMinute);
  return baseline === 'hour' ? `${rate} in the hour before` : `${rate} at ${startsText(starts)}`;
}

function startsText(starts: number): string {
  return starts === 1 ? 'the start before' : `${starts} earlier starts`;
}

/** Returns a rate with two digits at most; a small one is never told as none. */
function rateText(rate: number): string {
  if (rate === 0) return '0';
  if (rate < 0.1) return '<0.1';
  return rate < 10 ? String(Math.round(rate * 10) / 10) : Math.round(rate).toLocaleString('en');
}

function reasonText(reason: UnclearReason | undefined, facts: string): string {
  switch (reason?.kind) {
    case 'restarted again':
    case 'still starting':
      return reason.kind;
    case 'no baseline':
      return `no earlier start or hour to compare with; ${facts}`;
    case 'some errors':
      return `more errors than usual, too few to tell; ${facts}`;
    case 'silent':
      return `quieter than at earlier starts; ${facts}`;
    case 'unread':
      return reason.sentence.replace(/\.$/, '');
    case 'few lines':
    case undefined:
      return `too few lines to tell; ${facts}`;
  }
}
