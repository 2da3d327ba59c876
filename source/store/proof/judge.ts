/** Judges the run after a restart: worse than usual, no worse, or unclear. */
import {
  type BaselineKind,
  chance,
  judgeErrors,
  type LogBaseline,
  mostStarts,
  startingPart,
} from './judge-errors.ts';
import { judgeSilence } from './judge-silence.ts';
import { type LogSample, sumOf } from './sample.ts';

/** The lines of a service since the restart, and before. */
export interface ServiceEvidence extends LogBaseline {
  readonly name: string;
  /** Seconds from the restart on. */
  readonly run: LogSample;
}

/** Everything that was seen of a restart. */
export interface RunEvidence {
  readonly services: readonly ServiceEvidence[];
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

/** Nothing is ever called good: a run can be no worse than usual. */
export type Verdict = 'worse' | 'no worse' | 'unclear';

/** The reason for an unclear verdict. */
export type UnclearReason =
  | { readonly kind: 'restarted again' | 'still starting' | 'no baseline' | 'few lines' }
  | { readonly kind: 'some errors' | 'silent'; readonly service: string }
  | { readonly kind: 'unread'; readonly sentence: string };

/** The figures that a verdict is about. */
export interface RunFigures {
  readonly crashes: number;
  /** The reason for which the service has undone the restart, a few words. */
  readonly rolledBack?: string | undefined;
  /** The service whose errors are told; undefined where no lines are known. */
  readonly service: string | undefined;
  readonly errorsPerMinute: number;
  /** Errors a minute of the baseline; undefined without one. */
  readonly usualPerMinute: number | undefined;
  readonly baseline: BaselineKind | undefined;
  /** Number of earlier starts in the baseline. */
  readonly starts: number;
  /** The silence that makes a run worse. */
  readonly silence?: { readonly seconds: number; readonly expected: number } | undefined;
}

export interface RunJudgement {
  readonly verdict: Verdict;
  readonly reason?: UnclearReason | undefined;
  readonly figures: RunFigures;
}

/** Lines of a run that are enough to tell that it does what it did before. */
const enoughLines = 10;

type Kind = 'worse' | 'some' | 'usual';

/**
 * Judges a run. A crash is worse, and so is a restart that the service has undone, whatever the log says. Each service is compared with its own baseline;
 * as several are looked at, each of them has its part of the chance of a false alarm.
 */
export function judgeRun(evidence: RunEvidence): RunJudgement {
  const { services, crashes, rolledBack, isRestartedAgain, isStarting = false, unread } = evidence;
  const alpha = chance / Math.max(1, services.length);
  const judged = services.map((service) => {
    const errors = judgeErrors(service.run, service, alpha);
    const silence = judgeSilence(service.run, service.starts, alpha);
    return { service, errors, silence };
  });
  const firstJudged = (pick: (one: (typeof judged)[number]) => Kind, kind: Kind) =>
    judged.find((one) => pick(one) === kind);
  const silent = firstJudged(({ silence }) => silence.kind, 'worse');
  const failing = firstJudged(({ errors }) => errors.kind, 'worse');
  const shown =
    failing ?? silent ?? firstJudged(({ errors }) => errors.kind, 'some') ?? busiest(judged);
  const figures = figuresOf(crashes, shown);
  if (rolledBack !== undefined) return { verdict: 'worse', figures: { ...figures, rolledBack } };
  if (crashes > 0) return { verdict: 'worse', figures };
  if (isRestartedAgain) return unclear(figures, { kind: 'restarted again' });
  if (failing !== undefined) return { verdict: 'worse', figures };
  // Lines that were not read may be those that seem to be missing.
  if (unread !== undefined) return unclear(figures, { kind: 'unread', sentence: unread });
  if (isStarting) return unclear(figures, { kind: 'still starting' });
  if (silent !== undefined) {
    const { seconds, expected } = silent.silence;
    return { verdict: 'worse', figures: { ...figures, silence: { seconds, expected } } };
  }
  if (judged.every(({ errors }) => errors.baseline === undefined)) {
    return unclear(figures, { kind: 'no baseline' });
  }
  const suspicious = firstJudged(({ errors }) => errors.kind, 'some');
  if (suspicious !== undefined) {
    return unclear(figures, { kind: 'some errors', service: suspicious.service.name });
  }
  const quiet = firstJudged(({ silence }) => silence.kind, 'some');
  if (quiet !== undefined) return unclear(figures, { kind: 'silent', service: quiet.service.name });
  const isEnough = judged.some(
    ({ service, errors }) => tellingLines(service.run, errors.baseline) >= enoughLines,
  );
  return isEnough ? { verdict: 'no worse', figures } : unclear(figures, { kind: 'few lines' });
}

/**
 * Returns the number of lines that can be compared. The first ones may be of the run before; where
 * earlier starts tell how a run goes on, a silence behind them is found by itself.
 */
function tellingLines({ lines }: LogSample, baseline: BaselineKind | undefined): number {
  if (baseline === undefined) return 0;
  return sumOf(
    baseline === 'starts' ? lines : lines.slice(Math.round(lines.length * startingPart)),
  );
}

function unclear(figures: RunFigures, reason: UnclearReason): RunJudgement {
  return { verdict: 'unclear', reason, figures };
}

interface JudgedService {
  readonly service: ServiceEvidence;
  readonly errors: { readonly baseline: BaselineKind | undefined };
}

/** Returns the service with the most errors, whose figures stand for all. */
function busiest<Judged extends JudgedService>(judged: readonly Judged[]): Judged | undefined {
  return judged.toSorted((a, b) => sumOf(b.service.run.errors) - sumOf(a.service.run.errors))[0];
}

function figuresOf(crashes: number, judged: JudgedService | undefined): RunFigures {
  if (judged === undefined) {
    const none = { service: undefined, usualPerMinute: undefined, baseline: undefined };
    return { crashes, errorsPerMinute: 0, starts: 0, ...none };
  }
  const { service, errors } = judged;
  const { baseline } = errors;
  const starts = service.starts.slice(0, mostStarts);
  const samples = baseline === 'starts' ? starts : baseline === 'hour' ? service.hour : [];
  return {
    crashes,
    service: service.name,
    errorsPerMinute: perMinute([service.run]) ?? 0,
    usualPerMinute: perMinute(samples),
    baseline,
    starts: baseline === 'starts' ? starts.length : 0,
  };
}

/** Returns errors a minute; undefined where no second was seen. */
function perMinute(samples: readonly LogSample[]): number | undefined {
  const seconds = sumOf(samples.map(({ errors }) => errors.length));
  const errors = sumOf(samples.map((sample) => sumOf(sample.errors)));
  return seconds === 0 ? undefined : (errors * 60) / seconds;
}
