/** Lines in which hostdeck's own host tells what happens to a service. */

/** The stream of these lines: none of them is a line of the service itself. */
export const eventStream = 'system';

const start = /^(?:re)?started\b/;
const end = /^(?:stopped$|exited |ended, |killed by |lost: )/;

/** Returns whether the text of an event tells that an instance has started. */
export function isStartEvent(text: string): boolean {
  return start.test(text);
}

/** Returns whether the text of an event tells that an instance has ended. */
export function isEndEvent(text: string): boolean {
  return end.test(text);
}
