/** The view of a log as it is stored: filters, position, selection and marks. */
import type { LineFilter } from '../../../tail/query/line-filters.ts';
import { type KeptLine, keptLine, ownProperty, readKeptLine } from './stored-line.ts';
import { type LogColumns, mostColumns } from '../reader/columns.ts';
import { longestListName, type NamedFilters } from '../reader/named-filters.ts';
import { longestPatternName, type PatternName } from '../patterns/pattern-names.ts';
import { isFirstOrder, type PatternOrder, readPatternOrder } from '../patterns/pattern-order.ts';
import type { Tail } from '../tail.ts';
import type { LogLine } from '../../../contract/logs.ts';

export interface StoredView {
  readonly filters: readonly LineFilter[];
  /** Services whose lines are shown; undefined for all. */
  readonly services?: readonly string[] | undefined;
  /** Numbers of the joined logs whose lines are shown; undefined for all. */
  readonly members?: readonly number[] | undefined;
  /** The line under the cursor of a paused log; undefined while it is followed. */
  readonly cursor?: KeptLine | undefined;
  /** The other end of the selection. */
  readonly anchor?: KeptLine | undefined;
  readonly marks: readonly KeptLine[];
  /** Fields that are shown as columns. */
  readonly columns?: LogColumns | undefined;
  /** Names of patterns; undefined without one. */
  readonly patternNames?: readonly PatternName[] | undefined;
  /** Order of the list of patterns; undefined for the first one. */
  readonly patternOrder?: PatternOrder | undefined;
  /** True when lines of one pattern are folded. */
  readonly isFolded?: true | undefined;
}

/** Stores the views of logs by the ids of their deployments, and the named lists of filters. */
export interface LogViewsKeeper {
  read(): unknown;
  write(stored: unknown): void;
}

/** Parses the stored lists of filters; undefined when there are none. */
export function readFilterLists(stored: unknown): readonly NamedFilters[] | undefined {
  const read = (list: unknown): NamedFilters | undefined => {
    const name = ownProperty(list, 'name');
    if (typeof name !== 'string' || name.length > longestListName) return undefined;
    return { name, filters: readFilters(ownProperty(list, 'filters')) };
  };
  return listOf(stored, read);
}

/** Most filters and marks of a log that are stored. */
const mostFilters = 50;
const mostMarks = 100;
const longestQuery = 1000;

type ViewedLog = Pick<
  Tail,
  'log' | 'view' | 'filter' | 'reading' | 'entries' | 'patternNames' | 'patternList' | 'folds'
>;

/** Returns how a log is read now. @param unresolved marks of lines that are not loaded yet. */
export function viewOfLog(tail: ViewedLog, unresolved: readonly KeptLine[]): StoredView {
  const { filters, services, members } = tail.filter.state.getState();
  const position = tail.view.position.getState();
  const lineAt = (seq: number | undefined): KeptLine | undefined => {
    const entry = seq === undefined ? undefined : tail.entries.at(tail.entries.indexOf(seq));
    return entry?.kind === 'line' ? keptLine(entry.line) : undefined;
  };
  const columns = tail.reading.columns.state.getState();
  const { cursor, anchor } = position.kind === 'frozen' ? position : {};
  const names = tail.patternNames.state.getState();
  const { order } = tail.patternList.state.getState();
  const marks = [...tail.reading.marks.state.getState().values()].map(keptLine);
  return {
    filters: filters.slice(0, mostFilters),
    services: services && [...services],
    members: members && [...members],
    cursor: lineAt(cursor),
    anchor: tail.view.selection() === undefined ? undefined : lineAt(anchor),
    marks: [...unresolved, ...marks].slice(-mostMarks),
    columns: columns.length === 0 ? undefined : columns,
    patternNames: names.length === 0 ? undefined : names,
    patternOrder: isFirstOrder(order) ? undefined : order,
    isFolded: tail.folds.state.getState().isOn ? true : undefined,
  };
}

/** Returns whether a log is read as it is when it is opened first. */
export function isFirstView(view: StoredView): boolean {
  const { filters, marks, anchor: _, ...others } = view;
  const isEmpty = filters.length === 0 && marks.length === 0;
  return isEmpty && Object.values(others).every((value) => value === undefined);
}

/** Parses a stored view; invalid parts are left out. */
export function readStoredView(stored: unknown): StoredView {
  return {
    filters: readFilters(ownProperty(stored, 'filters')),
    services: listOf(ownProperty(stored, 'services'), asText),
    members: listOf(ownProperty(stored, 'members'), asIndex),
    cursor: readKeptLine(ownProperty(stored, 'cursor')),
    anchor: readKeptLine(ownProperty(stored, 'anchor')),
    marks: (listOf(ownProperty(stored, 'marks'), readKeptLine) ?? []).slice(-mostMarks),
    columns: listOf(ownProperty(stored, 'columns'), asText)?.slice(0, mostColumns),
    patternNames: listOf(ownProperty(stored, 'patternNames'), readPatternName),
    patternOrder: readPatternOrder(ownProperty(stored, 'patternOrder')),
    isFolded: ownProperty(stored, 'isFolded') === true ? true : undefined,
  };
}

/** Parses a stored list of filters. */
function readFilters(stored: unknown): readonly LineFilter[] {
  return (listOf(stored, readFilter) ?? []).slice(0, mostFilters);
}

function readFilter(stored: unknown): LineFilter | undefined {
  const query = ownProperty(stored, 'query');
  const text = ownProperty(query, 'text');
  if (typeof text !== 'string' || text.length > longestQuery) return undefined;
  return {
    query: { text, regex: ownProperty(query, 'regex') === true },
    isExcluding: ownProperty(stored, 'isExcluding') === true,
    isOn: ownProperty(stored, 'isOn') === true,
  };
}

function readPatternName(stored: unknown): PatternName | undefined {
  const [template, name] = [ownProperty(stored, 'template'), ownProperty(stored, 'name')];
  if (typeof template !== 'string' || typeof name !== 'string') return undefined;
  return name === '' || name.length > longestPatternName ? undefined : { template, name };
}

function listOf<T>(
  stored: unknown,
  read: (value: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return stored.flatMap((value: unknown) => {
    const one = read(value);
    return one === undefined ? [] : [one];
  });
}

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);
const asIndex = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : undefined);

/** Marks of a log that nobody has read here yet: those of an incident file. */
export interface FirstMarks {
  readonly deploymentId: string;
  readonly lines: readonly LogLine[];
}

/** Returns the stored views with the marks of a log, unless it has a view already. */
export function withFirstMarks(stored: unknown, { deploymentId, lines }: FirstMarks): unknown {
  const views = { ...asObject(ownProperty(stored, 'views')) };
  if (lines.length === 0 || Object.hasOwn(views, deploymentId)) return stored;
  views[deploymentId] = { filters: [], marks: lines.map(keptLine) };
  return { ...asObject(stored), views };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
