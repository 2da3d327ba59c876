/** Decides what is said: a line for what changed, and nothing for what did not. */
import type { Heard, HeardBox, HeardFact, HeardMessage, HeardPage, HeardRow } from './heard.ts';

/** The last that was said about each part. */
export interface Said {
  readonly place: string;
  readonly row: HeardRow | undefined;
  readonly page: HeardPage | undefined;
  readonly box: HeardBox | undefined;
  readonly facts: readonly HeardFact[];
  /** Keys of late facts that are not said yet, and the times at which they began, in ms. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly lastMessage: { readonly id: number; readonly times: number };
}

/** Before anything was said. */
export const nothingSaid: Said = {
  place: '',
  row: undefined,
  page: undefined,
  box: undefined,
  facts: [],
  waiting: new Map(),
  lastMessage: { id: 0, times: 0 },
};

/** The lines to say, and what is said after them. */
export interface Saying {
  readonly lines: readonly string[];
  readonly said: Said;
}

/**
 * Returns the lines for the changes since `said`. While a box is open, changes behind it are not said:
 * its closing says them, or where the person is if nothing changed.
 */
export function sayChanges(said: Said, now: Heard): Saying {
  const waiting = waitingFacts(said, now);
  const facts = now.facts
    .filter(({ key }) => !waiting.has(key))
    .flatMap((fact) =>
      fact.isHeld === true ? said.facts.filter(({ key }) => key === fact.key) : [fact],
    );
  const news = [...messageLines(said, now.messages), ...factLines(endable(said, now), facts)];
  const last = now.messages.at(-1);
  const lastMessage = last === undefined ? said.lastMessage : { id: last.id, times: last.times };
  const common = { facts, waiting, lastMessage, box: now.box };
  if (now.box !== undefined) {
    // A box may open with the text of the message that announces it.
    const box = boxLines(said.box, now.box).filter((line) => !news.includes(line));
    return { lines: [...news, ...box], said: { ...said, ...common } };
  }
  const here = hereLines(said, now);
  const isBack = said.box !== undefined && here.length === 0;
  return {
    lines: [...(isBack ? whereLines(now) : here), ...news],
    said: { ...common, place: now.place.id, row: now.row, page: now.page },
  };
}

/** Returns the lines that say where the person is, whatever was said before. */
export function whereLines({ place, row, page, box }: Heard): readonly string[] {
  if (box !== undefined) return boxLines(undefined, box);
  return [place.text, ...(row === undefined ? [] : [row.text]), ...(page?.lines ?? [])];
}

/** Returns the line for the text that a person has typed into a box; undefined for none. */
export function foundLine({ found }: HeardBox): string | undefined {
  return found === '' ? undefined : found;
}

function messageLines({ lastMessage }: Said, messages: readonly HeardMessage[]): string[] {
  return messages
    .filter(
      ({ id, times }) =>
        id > lastMessage.id || (id === lastMessage.id && times > lastMessage.times),
    )
    .map(({ text }) => text);
}

/** Milliseconds after which a late fact is said. */
export const lateness = 800;

/** Returns the late facts that began too short a time ago. */
function waitingFacts(said: Said, { at, facts }: Heard): ReadonlyMap<string, number> {
  const isSaid = (key: string) => said.facts.some((fact) => fact.key === key);
  const late = facts.filter(({ key, isLate }) => isLate === true && !isSaid(key));
  return new Map(
    late
      .map(({ key }) => [key, said.waiting.get(key) ?? at] as const)
      .filter(([, since]) => at - since < lateness),
  );
}

/** Returns the facts that were said and whose absence means that they have ended. */
function endable({ place, facts }: Said, now: Heard): readonly HeardFact[] {
  const isElsewhere = place !== now.place.id;
  const isIn = ({ key }: HeardFact) => now.facts.some((fact) => fact.key === key);
  return facts.filter((fact) => !isElsewhere || fact.isHere !== true || isIn(fact));
}

function factLines(before: readonly HeardFact[], now: readonly HeardFact[]): string[] {
  const isIn = (facts: readonly HeardFact[], fact: HeardFact) =>
    facts.some(({ key, value }) => key === fact.key && value === fact.value);
  const ended = before.filter(({ key }) => !now.some((fact) => fact.key === key));
  return [
    ...ended.flatMap((fact) => fact.ended ?? []),
    ...now.filter((fact) => !isIn(before, fact)).map(({ text }) => text),
  ].filter((text) => text !== '');
}

function hereLines(said: Said, now: Heard): readonly string[] {
  const isElsewhere = said.place !== now.place.id;
  const before = isElsewhere ? { row: undefined, page: undefined } : said;
  const row = rowLines(before.row, now.row);
  // A step to a row of a text, such as a match, says that row and not all others that it brings in.
  const page = row.length > 0 && !isElsewhere ? [] : pageLines(before.page, now.page);
  return [...(isElsewhere ? [now.place.text] : []), ...row, ...page];
}

function rowLines(before: HeardRow | undefined, now: HeardRow | undefined): readonly string[] {
  if (now === undefined) return [];
  if (before?.id !== now.id) return [now.text];
  return before.state === now.state ? [] : [now.text];
}

/** Returns the lines that came into sight. */
function pageLines(before: HeardPage | undefined, now: HeardPage | undefined): readonly string[] {
  if (now === undefined) return [];
  if (before?.id !== now.id) return now.lines;
  const end = before.first + before.lines.length;
  return now.lines.filter((_, index) => {
    const line = now.first + index;
    return line < before.first || line >= end;
  });
}

function boxLines(before: HeardBox | undefined, now: HeardBox): readonly string[] {
  if (before?.id !== now.id) {
    const answers = (now.answers ?? []).map((answer, index) => `${index + 1} ${answer}`);
    // The first row of a list is said, not that of answers, which were all said.
    const row = now.answers === undefined ? rowLines(undefined, now.row) : [];
    return [...now.intro, ...answers, ...row];
  }
  const hasTyped = before.field?.text !== now.field?.text;
  return hasTyped ? [] : rowLines(before.row, now.row);
}
