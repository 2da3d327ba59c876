import type { Deployment } from '../../contract/deployments.ts';
import type { DeploymentsClient } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import {
  mergeProblems,
  noProblems,
  pinProblems,
  problemsOfRefusal,
  stillThere,
} from './definition-problems.ts';
import type { Draft, DraftContent, Drafts } from '../drafts/drafts.ts';
import {
  type EditedDocument,
  type EditorLook,
  goToNext,
  goToPlace,
  isSameText,
  openText,
} from './edited-text.ts';
import { fileNameOf, type NewDeployment } from '../drafts/places.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';

/** What came of sending a definition. */
export type CreationOutcome =
  /** `typedOn`: what was typed since it was sent is another text, which is kept. */
  | { readonly kind: 'created'; readonly deployment: Deployment; readonly typedOn: boolean }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  /** It is being sent already. */
  | { readonly kind: 'under way' };

/** The definition of a deployment that is to be created: its text, its draft, its sending. */
export interface EditorDefinition extends EditedDocument {
  readonly kind: 'definition';
  readonly place: NewDeployment;
  /**
   * What the text asks for now, which renews its problems; undefined where it is too long to be
   * looked through here.
   */
  reading(): SdlSummary | undefined;
  /** It was not created, and nothing is left of what was typed into it. */
  isAsBegun(): boolean;
  /** When it was sent last without an answer, ms: it may have been created then. */
  sentAt(): number | undefined;
  /**
   * Creates the deployment. Sent once, never again by itself; the text is kept as a draft before
   * that, and until the service has said that the deployment is there.
   */
  create(): Promise<CreationOutcome>;
  /** Gives the text up, with its draft. */
  discard(): Promise<void>;
}

export interface EditorDefinitionOptions {
  readonly place: NewDeployment;
  /** What it begins with, a template or another deployment's. */
  readonly base: string;
  readonly draft: Draft | undefined;
  readonly look: EditorLook;
  readonly create: DeploymentsClient['create'];
  readonly readSdl: (text: string) => SdlSummary;
  readonly clock: Clock;
  readonly drafts: Drafts;
  /** The text, or what is known of it, is another one, by no key. */
  readonly onShown: () => void;
  /** It is being sent from now on, or no more. */
  readonly onBusy: () => void;
}

/** Milliseconds without a key before what was typed is judged; long ones take longer to judge. */
const restBefore = { short: 200, long: 1000 };
const longFrom = 1 << 14;
/** Code units up to which a definition is looked through: more would hold up keys. */
const longestRead = 1 << 17;

/** Code units of its name that are kept beside a draft. */
const longestName = 40;

/** Opens a definition in the editor. */
export async function openEditorDefinition(
  options: EditorDefinitionOptions,
): Promise<EditorDefinition> {
  const { place, base, draft, look, clock, drafts, onShown } = options;
  const fileName = fileNameOf(place);
  const opening = { base, draft: draft?.text, fileName, look, clock, onRead: onShown };
  const { text, name: languageName, language } = await openText(opening);
  let sentAt = draft?.sentAt;
  let isSending = false;
  let isLeft = false;
  let isCreated = false;
  let name: string | undefined;
  let kept = text.state;
  let found = noProblems;
  let refused = noProblems;
  let cancelReading = (): void => {};
  if (sentAt !== undefined) text.setSavedText('');

  const isTooLong = () => text.state.doc.length > longestRead;

  function reading(): SdlSummary | undefined {
    const { doc } = text.state;
    const read = isTooLong() ? undefined : options.readSdl(doc.toString());
    found = pinProblems(read?.problems ?? [], doc);
    name = read?.name?.slice(0, longestName).toWellFormed();
    return read;
  }

  function lookThrough(): void {
    reading();
    onShown();
  }

  const problems = () => {
    const { doc } = text.state;
    // Whoever reads definitions reads YAML as well, and names each of its faults once.
    const ours = isTooLong() ? text.problems() : stillThere(found, doc);
    return mergeProblems(stillThere(refused, doc), ours);
  };

  function keep(): void {
    kept = text.state;
    if (!text.isModified()) return void drafts.saved(place);
    const content = (): DraftContent => ({ text: text.text(), base, sentAt, name });
    drafts.typed(place, content);
  }

  function setSending(sending: boolean): void {
    isSending = sending;
    options.onBusy();
  }

  async function create(): Promise<CreationOutcome> {
    if (isSending) return { kind: 'under way' };
    setSending(true);
    const sent = text.state;
    const sdl = text.text().toWellFormed();
    const before = sentAt;
    // However this ends, it may have been sent by then.
    sentAt = clock.now();
    // What is on its way may be nowhere else, also where nothing was typed into a template.
    text.setSavedText('');
    keep();
    onShown();
    await drafts.flush();
    const result = await options.create(sdl);
    setSending(false);
    if (result.ok) {
      sentAt = undefined;
      isCreated = true;
      text.markSaved(sent);
      keep();
      return { kind: 'created', deployment: result.value.value, typedOn: text.isModified() };
    }
    const { error } = result;
    if (!error.unknownOutcome) {
      sentAt = before;
      // What nothing was typed into is no draft again, unless it is nowhere else any more.
      if (sentAt === undefined && !isLeft) text.setSavedText(base);
      keep();
      showRefusal(error, sent);
    }
    onShown();
    return { kind: error.unknownOutcome ? 'unknown' : 'refused', error };
  }

  function showRefusal({ errorDetails = [] }: ServiceError, sent: typeof text.state): void {
    refused = pinProblems(problemsOfRefusal(errorDetails), sent.doc);
    // Who typed on meanwhile is not moved away from there.
    const [first] = text.state.doc === sent.doc ? refused.problems : [];
    if (first !== undefined) goToPlace(text, first);
  }

  lookThrough();

  return {
    kind: 'definition',
    place,
    title: 'new deployment',
    text,
    language: languageName,
    openedAt: clock.now(),
    draftAt: draft?.at,
    isPlain: () => language.isLoaded() && !text.isHighlighted,
    busy: () => (isSending ? 'creating' : undefined),
    problems,
    keepDraft() {
      if (isSameText(text.state, kept)) return;
      isLeft = false;
      language.changed();
      cancelReading();
      const isLong = text.state.doc.length >= longFrom;
      cancelReading = clock.after(isLong ? restBefore.long : restBefore.short, lookThrough);
      keep();
    },
    nextProblem: () => goToNext(text, problems()),
    leave() {
      isLeft = true;
      language.pause();
      cancelReading();
    },
    reading,
    isAsBegun: () => !isCreated && sentAt === undefined && text.text() === base,
    sentAt: () => sentAt,
    create,
    async discard() {
      sentAt = undefined;
      text.markSaved();
      kept = text.state;
      await drafts.saved(place);
    },
  };
}
