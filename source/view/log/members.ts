import type { Deck } from '../../store/deck/deck.ts';
import { shortId } from '../../store/deployments/deployments.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { column, sliceLine } from '../text/fit.ts';
import type { Span } from '../text/line.ts';
import { memberTokens, type Token } from '../text/theme.ts';
import type { Tail } from '../../store/log/tail.ts';

/** The label and colour that distinguish a deployment in a joined log. */
export interface LogMember {
  readonly label: string;
  readonly token: Token;
}

const maxLabelWidth = 16;

/** Cells kept at each end of a shortened name. */
const labelEdgeWidth = 7;

/** Returns the members of a joined tail, indexed like `Entry.member`; empty for a single log. */
export function logMembers(deck: Pick<Deck, 'deployments'>, tail: Tail): readonly LogMember[] {
  const ids = tail.joined === undefined ? [] : tail.deploymentIds;
  const labels = memberLabels(ids.map((id) => ({ id, name: deck.deployments.label(id) })));
  const assigned = memberColours(ids);
  return labels.map((label, index) => ({ label, token: assigned[index] ?? 'text' }));
}

/** Returns unique short names; a long name keeps both its ends. */
export function memberLabels(
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
  if (cellWidth(name) <= maxLabelWidth) return name;
  const end = sliceLine([{ text: name }], cellWidth(name) - labelEdgeWidth);
  return `${truncateCells(name, labelEdgeWidth, '')}..${end.map(({ text }) => text).join('')}`;
}

/** Returns distinct colours. Each derives from the id, so a member usually keeps its colour. */
export function memberColours(ids: readonly string[]): readonly Token[] {
  const used = new Set<Token>();
  return ids.map((id) => {
    let slot = 0;
    for (const character of id) slot = (slot * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
    const free = memberTokens.filter((token) => !used.has(token));
    const preferred = memberTokens[slot % memberTokens.length] ?? 'text';
    const colour = free.some((token) => token === preferred)
      ? preferred
      : (free[slot % Math.max(1, free.length)] ?? 'text');
    used.add(colour);
    return colour;
  });
}

/** Returns the deployment column of a line; empty when a single deployment is shown. */
export function memberSpans(
  members: readonly LogMember[],
  number: number | undefined,
): readonly Span[] {
  const member = number === undefined ? undefined : members[number];
  if (member === undefined) return [];
  const width = Math.max(...members.map(({ label: word }) => cellWidth(word))) + 1;
  return [{ text: column(member.label, width), token: member.token }];
}

/** Joins names as `shop + shop-2`; beyond `most` names, the rest is a count. */
export function joinNames(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(' + ');
  const named = names.slice(0, most - 1);
  return `${named.join(' + ')} + ${names.length - named.length} more`;
}
