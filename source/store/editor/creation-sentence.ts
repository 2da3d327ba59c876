import type { ErrorDetail, ServiceError } from '../../client/http/errors.ts';
import { detailSentence } from './definition-problems.ts';
import type { CreationOutcome } from './editor.ts';
import type { Tone } from '../prompts/tone.ts';

export interface CreationNames {
  /** What people call the deployment that was created. */
  readonly label: string;
  /** Host of the service, for answers that did not come. */
  readonly host: string;
  /** Its log is in front. */
  readonly shown: boolean;
}

/** What is said of a deployment that was sent to be created. Texts of the service are unsanitised. */
export function creationSentence(
  outcome: CreationOutcome,
  { label, host, shown }: CreationNames,
): { readonly text: string; readonly tone: Tone } {
  switch (outcome.kind) {
    case 'created': {
      const log = shown ? ' This is its log.' : '';
      const typedOn = outcome.typedOn
        ? ' What you typed since it was sent is kept as a draft; sent, it is another one.'
        : '';
      return { text: `Created ${label}.${log}${typedOn}`, tone: 'good' };
    }
    case 'unknown':
      return { text: `${unknownText(outcome.error, host)} ${whatToDo}`, tone: 'bad' };
    case 'refused':
      return { text: `Not created, the text is kept. ${refusalText(outcome.error)}`, tone: 'bad' };
    case 'under way':
      return { text: 'It is being sent already. Its answer is not there yet.', tone: 'plain' };
  }
}

const whatToDo = 'It may have been created: look at the list; ^S asks again.';

function unknownText({ status, sentence }: ServiceError, host: string): string {
  return status === undefined ? `No answer from ${host}.` : sentence;
}

/** Where it is wrong, if the service says where; else what it says, and what to do. */
function refusalText(error: ServiceError): string {
  const { errorDetails = [], errorMessage, sentence, next, code } = error;
  const [first] = errorDetails.toSorted((one, other) => placeOf(one) - placeOf(other));
  if (first !== undefined) {
    const more = errorDetails.length - 1;
    const others = more > 0 ? ` ${more} more.` : '';
    const walk = errorDetails.some(({ line }) => line !== undefined)
      ? ' F8 walks, ^S sends it again.'
      : '';
    const where = first.line === undefined ? '' : `Line ${first.line}: `;
    return `${where}${detailSentence(first)}${others}${walk}`;
  }
  if (errorMessage === undefined || !isOfTheText(error)) return `${sentence} ${next}`;
  // What there is to do of a bad request is about the address of the service, which is right.
  const toDo = code === 'bad-request' ? '^S sends it again.' : next;
  return `The service: ${detailSentence({ message: errorMessage })} ${toDo}`;
}

/** Whether what the service says is about what was sent, and no trace of its own trouble. */
function isOfTheText({ code, status = 500 }: ServiceError): boolean {
  return ['invalid', 'bad-request', 'conflict'].includes(code) || status < 300;
}

/** What has no line comes after all that has one. */
function placeOf({ line = Number.MAX_SAFE_INTEGER }: ErrorDetail): number {
  return line;
}
