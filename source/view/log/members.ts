import type { Deck } from '../../store/deck/deck.ts';
import { shortId } from '../../store/deployments/deployments.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { column, sliceLine } from '../text/fit.ts';
import type { Span } from '../text/line.ts';
import type { Style } from '../text/theme.ts';

/** How one of several deployments in a tail is told apart: by a word, and by a colour. */
export interface LogMember {
  readonly word: string;
  readonly style: Style;
}

const widestWord = 16;

/** Cells at the beginning and at the end that are left of a longer name. */
const wordPart = 7;

/** As many as a tail can join. Not red, which is for errors, nor cyan, as times are. */
const colours = ['green', 'magenta', 'yellow', 'blue'].flatMap((name) => [name, `${name}Bright`]);

/** The deployments of a joined tail by the numbers that its entries have; none of another tail. */
export function logMembers(deck: Pick<Deck, 'deployments'>, tail: Tail): readonly LogMember[] {
  const ids = tail.joined === undefined ? [] : tail.deploymentIds;
  const words = memberWords(ids.map((id) => ({ id, name: deck.deployments.label(id) })));
  const taken = memberColours(ids);
  return words.map((word, index) => ({ word, style: { color: taken[index] ?? 'white' } }));
}

/** Short names, each another one: of names that begin alike, the end is shown too. */
export function memberWords(
  members: readonly { readonly id: string; readonly name: string }[],
): readonly string[] {
  const names = members.map(({ name }) => shortName(sanitize(name)));
  return members.map(({ id }, index) => {
    const name = names[index] ?? '';
    if (name.trim() !== '' && names.filter((other) => other === name).length === 1) return name;
    const short = shortId(sanitize(id));
    const isOnly = members.filter((other) => shortId(sanitize(other.id)) === short).length === 1;
    return isOnly ? short : `${index + 1} ${short}`;
  });
}

function shortName(name: string): string {
  if (cellWidth(name) <= widestWord) return name;
  const end = sliceLine([{ text: name }], cellWidth(name) - wordPart);
  return `${truncateCells(name, wordPart, '')}..${end.map(({ text }) => text).join('')}`;
}

/** A colour for each, another one for each other, and where that is free the same every time. */
export function memberColours(ids: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    let slot = 0;
    for (const character of id) slot = (slot * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
    const free = colours.filter((colour) => !taken.has(colour));
    const wanted = colours[slot % colours.length] ?? '';
    const colour = free.includes(wanted) ? wanted : (free[slot % Math.max(1, free.length)] ?? '');
    taken.add(colour);
    return colour;
  });
}

/** The column that says whose a line is; empty where only one deployment is shown. */
export function memberSpans(
  members: readonly LogMember[],
  number: number | undefined,
): readonly Span[] {
  const member = number === undefined ? undefined : members[number];
  if (member === undefined) return [];
  const width = Math.max(...members.map(({ word }) => cellWidth(word))) + 1;
  return [{ text: column(member.word, width), style: member.style }];
}

/** `shop + shop-2`; of more than `most`, how many others there are. */
export function joinedText(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(' + ');
  const named = names.slice(0, most - 1);
  return `${named.join(' + ')} + ${names.length - named.length} more`;
}
