import { keyName } from '../prompts/key-names.ts';
import type { ErrorDetail, ServiceError } from '../../client/http/errors.ts';
import { detailSentence } from './definition-problems.ts';
import type { Tone } from '../prompts/tone.ts';
import type { CreationOutcome } from './definition.ts';

export interface CreationNames {
  /** Label of the created deployment. */
  readonly label: string;
  /** Host of the service, for a missing answer. */
  readonly host: string;
  /** True when the log of the deployment is shown. */
  readonly shown: boolean;
  /** True for a typed text, which is a draft; a template or a file as it was opened is none. */
  readonly isDraft: boolean;
}

/** Reports the outcome of a creation. Texts of the service are unsanitised. */
export function creationSentence(
  outcome: CreationOutcome,
  { label, host, shown, isDraft }: CreationNames,
): { readonly text: string; readonly tone: Tone } {
  switch (outcome.kind) {
    case 'created': {
      const log = shown ? ' This is its log.' : '';
      const edited = outcome.typedOn
        ? ' Text typed since then is kept as a draft of another deployment.'
        : '';
      return { text: `Created ${label}.${log}${edited}`, tone: 'good' };
    }
    case 'unknown':
      return { text: `${causeText(outcome.error, host)} ${unknownAdvice()}`, tone: 'bad' };
    case 'refused':
      return {
        text: `${isDraft ? 'Not created; draft kept.' : 'Not created.'} ${refusalText(outcome.error)}`,
        tone: 'bad',
      };
    case 'under way':
      return { text: 'Already sending; waiting for the answer.', tone: 'plain' };
  }
}

function unknownAdvice(): string {
  return `It may have been created. Check the list; ${keyName('editor.save', '^S')} retries.`;
}

function causeText({ status, sentence }: ServiceError, host: string): string {
  return status === undefined ? `No answer from ${host}.` : sentence;
}

/** Returns the first detail with its line, else the service's error message, and the next step. */
function refusalText(error: ServiceError): string {
  const { errorDetails = [], errorMessage, sentence, next, code } = error;
  const [first] = errorDetails.toSorted((one, other) => lineOf(one) - lineOf(other));
  if (first !== undefined) {
    const more = errorDetails.length - 1;
    const others = more > 0 ? ` ${more} more.` : '';
    const keys = errorDetails.some(({ line }) => line !== undefined)
      ? ` ${keyName('editor.next-problem', 'F8')}: next problem. ${keyName('editor.save', '^S')} retries.`
      : '';
    const line = first.line === undefined ? '' : `Line ${first.line}: `;
    return `${line}${detailSentence(first)}${others}${keys}`;
  }
  if (errorMessage === undefined || !isAboutText(error)) return `${sentence} ${next}`;
  // The advice for a bad request is to check the base URL, which is correct here.
  const advice = code === 'bad-request' ? `${keyName('editor.save', '^S')} retries.` : next;
  return `The service: ${detailSentence({ message: errorMessage })} ${advice}`;
}

/** Tells whether the error message is about the definition, not about an internal error. */
function isAboutText({ code, status = 500 }: ServiceError): boolean {
  return ['invalid', 'bad-request', 'conflict'].includes(code) || status < 300;
}

/** Returns the line of a detail; details without a line sort last. */
function lineOf({ line = Number.MAX_SAFE_INTEGER }: ErrorDetail): number {
  return line;
}
