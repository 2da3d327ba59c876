import type { Tone } from '../prompts/tone.ts';
import { type Message, messageLife } from './screen.ts';

/**
 * The message that takes the place of another at `now`. An error is not lost by that: while it
 * could hardly be read, what follows it tells of it.
 */
export function following(
  before: Message | undefined,
  text: string,
  tone: Tone,
  now: number,
): Message {
  const isUnread = before?.tone === 'bad' && now - before.at < messageLife;
  const unread = (before?.unread ?? 0) + (isUnread && before.text !== text ? 1 : 0);
  return { text, tone, at: now, ...(unread === 0 ? {} : { unread }) };
}
