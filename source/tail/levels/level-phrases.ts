/** Tells the level from the words of a line whose field, mark or logger names none. */
import type { LineLevel } from './level-words.ts';

const emptyValue = String.raw`\s*(?:(?:nil|none|null|false|undefined|ok|0)\b|""|\[\])`;

/** `error: x`, `npm error x`; nouns of which the first word is a part are no errors. */
const firstWord = new RegExp(
  '^(?:npm |php )?(?:(fatal|panic|critical|crit|alert|emergency)|(error|err|severe|fail(?=:)|failure(?=:))|(warning|warn))' +
    String.raw`(?=[:!]|$|[ ](?!(?:handl|track|report|pag|logg?|rate|count|middleware|bound|budget|threshold|recover|monitor|manager|rule|notification|stat|metric|path|section|mode|light|level|free)\w*\b))`,
  'i',
);
const announcesEmptyValue = new RegExp(
  `^\\w+\\s?:${emptyValue}|^\\w+ (?:count|rate)\\b|^alert (?!:)`,
  'i',
);
const announced = new RegExp(
  `(?:^|[\\s:;(])(?<!\\b(?:no|0|zero|without|any) )(?:(error|fatal|panic|critical)|warning|warn)\\s?:(?!:|/|${emptyValue})`,
  'i',
);
/** `TypeError: x`, `Caused by: java.io.IOException`, `[Error: x]`. */
const thrown =
  /^(?:Uncaught |Caused by: |Unhandled )?(?:[\w$]+[./\\])*[A-Z]\w*(?:Error|Exception)(?=:|$| \[| \()|^Traceback \(most|^Exception in thread|\[\w*Error: |^=(?:ERROR|CRASH) REPORT|\bSQLSTATE\[(?!0)|^Unhandled (?:promise |Promise )?(?:[Rr]ejection|[Ee]xception)/;

/** A process that dies: of a signal, of memory, of a panic. */
const crash =
  /\bsegmentation fault\b|\bsegfault at\b|\(core dumped\)|\bpanicked at\b|^panic: |^fatal error: |\bstack smashing detected\b|\bdouble free or corruption\b|^terminate called |\bOut of memory: Kill|\boom-kill|\bkernel panic\b|\bassertion\b.{0,80}\bfailed\b|\bSIG(?:SEGV|ABRT|BUS|ILL)\b|^(?:Killed|Aborted|Bus error)$/i;

/** The end of a process as our host writes it; a stop ends with 0 or SIGTERM. */
const failedExit = /^(?:exited [1-9]|killed by (?!SIGTERM|SIGINT|SIGHUP))/;
const restartAfterExit = /^starts again in \d/;
const pythonWarning = /: [A-Z]\w*Warning: /;
/** The 5xx status of a request in an access log. */
const serverError = /"[A-Z]{3,7} [^"]* HTTP\/[\d.]+" 5\d\d\b|^[A-Z]{3,7} \/\S* 5\d\d\b/;

/**
 * Returns the level that the words of a line show.
 * @param rest the start of the line, without its time.
 * @param request enough of the line to hold a request and its status.
 */
export function phraseLevel(rest: string, request: string): LineLevel | undefined {
  if (crash.test(rest)) return 'fatal';
  const first = firstWord.exec(rest);
  if (first !== null && !announcesEmptyValue.test(rest)) return levelOfMatch(first);
  const announcement = announced.exec(rest);
  if (announcement !== null) return announcement[1] === undefined ? 'warn' : 'error';
  if (thrown.test(rest) || failedExit.test(rest)) return 'error';
  if (restartAfterExit.test(rest) || pythonWarning.test(rest)) return 'warn';
  return serverError.test(request) ? 'error' : undefined;
}

function levelOfMatch([, fatal, error]: RegExpExecArray): LineLevel {
  if (fatal !== undefined) return 'fatal';
  return error === undefined ? 'warn' : 'error';
}
