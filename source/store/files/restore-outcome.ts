import { keyName } from '../prompts/key-names.ts';
import { type FileOutcome, type FileRefusal, refusal } from './outcome.ts';
import { restoredSentence } from './restore-questions.ts';

/** A file of the trash to restore. */
export interface Remaining {
  readonly id: string;
  readonly path: string;
  /**
   * Digest of the content that may be replaced without a question; by default of that which replaced
   * the file.
   */
  readonly expected?: string | undefined;
}

/** The outcome of a restore; a refusal lists what is left to restore. */
export type RestoreOutcome =
  | Extract<FileOutcome, { readonly ok: true }>
  | (FileRefusal & { readonly remaining: readonly Remaining[] });

/** The outcome of one file. */
export type Restored = Remaining &
  /** `draftKey` opens a restored draft; it is undefined for a file. */
  (
    | { readonly kind: 'restored'; readonly draftKey: 'e' | 'a' | undefined }
    /** `gone` is no longer in the trash: another console has restored it. */
    | { readonly kind: 'unchanged' | 'damaged' | 'gone' }
    | { readonly kind: 'exists' | 'failed' | 'unkept'; readonly refusal: FileRefusal }
  );

/** Returns the refusal for a service without files in the trash. */
export function emptyTrash(service: string): RestoreOutcome {
  const sentence = `The trash holds no file of ${service}.`;
  return { ...refusal('failed', '', sentence, 'Nothing was sent.'), remaining: [] };
}

/** Returns the outcome of a restore of changes that another console undoes at the same time. */
export function beingRestored(entries: readonly Remaining[]): RestoreOutcome {
  const [first] = entries;
  const what =
    entries.length === 1 ? `The change of ${first?.path} is` : `${entries.length} changes are`;
  return { ok: true, sentence: `${what} being undone in another hostdeck.` };
}

const settledKinds: ReadonlySet<Restored['kind']> = new Set([
  'restored',
  'unchanged',
  'damaged',
  'gone',
]);

/** Returns the refusal that stopped the restore, with what was restored before it. */
export function restoreRefused(
  outcomes: readonly Restored[],
  last: Extract<Restored, { readonly refusal: FileRefusal }>,
  rest: readonly Remaining[],
): RestoreOutcome {
  const restored = outcomes.filter(({ kind }) => kind === 'restored');
  const before =
    outcomes.length + rest.length === 1
      ? ''
      : `Restored ${restored.length} of ${outcomes.length + rest.length}, then stopped. `;
  const left = outcomes.filter(({ kind }) => !settledKinds.has(kind));
  return {
    ...last.refusal,
    sentence: `${before}${last.refusal.sentence}`,
    done: restored.map(({ path }) => path),
    remaining: [...left, ...rest].map(({ id, path }) => ({ id, path })),
  };
}

/** Returns the outcome of a restore that tried every file. */
export function settled(outcomes: readonly Restored[]): RestoreOutcome {
  const restored = outcomes.flatMap((one) => (one.kind === 'restored' ? [one] : []));
  const existing = outcomes.flatMap((one) => (one.kind === 'exists' ? [one] : []));
  const [first] = existing;
  const sentence = restoredSentence(restored);
  const damaged = outcomes.find(({ kind }) => kind === 'damaged');
  if (first === undefined && damaged !== undefined) {
    const text = `${sentence} The trash copy of ${damaged.path} is damaged.`.trimStart();
    const next = 'The copy stays in the trash folder.';
    return { ...refusal('failed', damaged.path, text, next), remaining: [] };
  }
  if (first === undefined) {
    const unchanged = outcomes.filter(({ kind }) => kind === 'unchanged');
    const gone = outcomes.filter(({ kind }) => kind === 'gone');
    const texts = [sentence, unchangedSentence(unchanged), goneSentence(gone)];
    const parts = texts.filter((part) => part !== '');
    return { ok: true, sentence: parts.join(' ') };
  }
  if (outcomes.length === 1) {
    return { ...first.refusal, remaining: [{ id: first.id, path: first.path }] };
  }
  const left =
    existing.length === 1
      ? `${first.path} exists again or changed since, and was not replaced.`
      : `${existing.length} exist again or changed since, and were not replaced.`;
  return {
    ...first.refusal,
    sentence: sentence === '' ? left : `${sentence} ${left}`,
    next: `${keyName('trash.undo', 'u')}: undo again.`,
    done: restored.map(({ path }) => path),
    remaining: existing.map(({ id, path }) => ({ id, path })),
  };
}

function unchangedSentence(unchanged: readonly Remaining[]): string {
  const [first] = unchanged;
  if (first === undefined) return '';
  return unchanged.length === 1
    ? `${first.path} is unchanged on the service. Nothing was sent.`
    : `${unchanged.length} are unchanged on the service.`;
}

function goneSentence(gone: readonly Remaining[]): string {
  const [first] = gone;
  if (first === undefined) return '';
  return gone.length === 1
    ? `The change of ${first.path} was undone in another hostdeck.`
    : `${gone.length} changes were undone in another hostdeck.`;
}
