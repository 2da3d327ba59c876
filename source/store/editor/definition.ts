import type { Deployment } from '../../contract/deployments.ts';
import type { DeploymentsClient } from '../../client/deployments.ts';
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

/** The outcome of a creation. */
export type CreationOutcome =
  /** `typedOn` is true when the text was edited since it was sent; the new text stays a draft. */
  | { readonly kind: 'created'; readonly deployment: Deployment; readonly typedOn: boolean }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  /** An earlier request is still in flight. */
  | { readonly kind: 'under way' };

/** The definition of a new deployment in the editor, with its draft and its creation. */
export interface EditorDefinition extends EditedDocument {
  readonly kind: 'definition';
  readonly place: NewDeployment;
  /** Parses the text and updates its problems; undefined when it is too long to parse. */
  reading(): SdlSummary | undefined;
  /** True when the text equals the template and was not sent. */
  isAsBegun(): boolean;
  /** Time of the last request without an answer, ms since the epoch; it may have succeeded. */
  sentAt(): number | undefined;
  /**
   * Sends one request to create the deployment and never retries. The text is stored as a draft
   * before the request and until the service has confirmed the deployment.
   */
  create(): Promise<CreationOutcome>;
}

export interface EditorDefinitionOptions {
  readonly place: NewDeployment;
  /** Initial text: a template or the definition of another deployment. */
  readonly base: string;
  readonly draft: Draft | undefined;
  readonly look: EditorLook;
  readonly create: DeploymentsClient['create'];
  readonly readSdl: (text: string) => SdlSummary;
  readonly clock: Clock;
  readonly drafts: Drafts;
  /** Called when the text or its problems change without a key. */
  readonly onShown: () => void;
  /** Called when a request starts or ends. */
  readonly onBusy: () => void;
}

/** Milliseconds without a key before a check of the text; long texts take longer to check. */
const checkDelay = { short: 200, long: 1000 };
/** Length from which a text is long, in code units. */
const longLength = 1 << 14;
/** Longest text to parse, in code units; more would delay keys. */
const maxParsedLength = 1 << 17;

/** Longest name stored with a draft, in code units. */
const maxNameLength = 40;

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
  let isClosed = false;
  let isCreated = false;
  let name: string | undefined;
  let draftState = text.state;
  let ownProblems = noProblems;
  let serviceProblems = noProblems;
  let cancelCheck = (): void => {};
  if (sentAt !== undefined) text.setSavedText('');

  const isTooLong = () => text.state.doc.length > maxParsedLength;

  function reading(): SdlSummary | undefined {
    const { doc } = text.state;
    const read = isTooLong() ? undefined : options.readSdl(doc.toString());
    ownProblems = pinProblems(read?.problems ?? [], doc);
    name = read?.name?.slice(0, maxNameLength).toWellFormed();
    return read;
  }

  function check(): void {
    reading();
    onShown();
  }

  const problems = () => {
    const { doc } = text.state;
    // The definition parser reports YAML errors too, so each one is listed once.
    const own = isTooLong() ? text.problems() : stillThere(ownProblems, doc);
    return mergeProblems(stillThere(serviceProblems, doc), own);
  };

  function updateDraft(): void {
    draftState = text.state;
    if (!text.isModified()) return void drafts.saved(place);
    const content = (): DraftContent => ({ text: text.text(), base, sentAt, name });
    drafts.typed(place, content);
  }

  function setSending(value: boolean): void {
    isSending = value;
    options.onBusy();
  }

  async function create(): Promise<CreationOutcome> {
    if (isSending) return { kind: 'under way' };
    setSending(true);
    const sent = text.state;
    const sdl = text.text().toWellFormed();
    const before = sentAt;
    // Set before the request: the program may end before the answer.
    sentAt = clock.now();
    // An untouched template is stored as a draft too, because it may exist nowhere else.
    text.setSavedText('');
    updateDraft();
    onShown();
    await drafts.flush();
    const result = await options.create(sdl);
    setSending(false);
    if (result.ok) {
      sentAt = undefined;
      isCreated = true;
      text.markSaved(sent);
      updateDraft();
      return { kind: 'created', deployment: result.value.value, typedOn: text.isModified() };
    }
    const { error } = result;
    if (!error.unknownOutcome) {
      sentAt = before;
      // An untouched template needs no draft, unless the editor was closed meanwhile.
      if (sentAt === undefined && !isClosed) text.setSavedText(base);
      updateDraft();
      showRefusal(error, sent);
    }
    onShown();
    return { kind: error.unknownOutcome ? 'unknown' : 'refused', error };
  }

  function showRefusal({ errorDetails = [] }: ServiceError, sent: typeof text.state): void {
    serviceProblems = pinProblems(problemsOfRefusal(errorDetails), sent.doc);
    // The cursor stays when the text was edited meanwhile.
    const [first] = text.state.doc === sent.doc ? serviceProblems.problems : [];
    if (first !== undefined) goToPlace(text, first);
  }

  check();

  return {
    kind: 'definition',
    place,
    title: 'new deployment',
    text,
    language: languageName,
    openedAt: clock.now(),
    draftAt: draft?.at,
    isPlain: () => language.isLoaded() && !text.isHighlighted,
    isNew: () => false,
    remoteChange: () => undefined,
    busy: () => (isSending ? 'creating' : undefined),
    problems,
    keepDraft() {
      if (isSameText(text.state, draftState)) return;
      isClosed = false;
      language.changed();
      cancelCheck();
      const isLong = text.state.doc.length >= longLength;
      cancelCheck = clock.after(isLong ? checkDelay.long : checkDelay.short, check);
      updateDraft();
    },
    nextProblem: () => goToNext(text, problems()),
    leave() {
      isClosed = true;
      language.pause();
      cancelCheck();
    },
    reading,
    isAsBegun: () => !isCreated && sentAt === undefined && text.text() === base,
    sentAt: () => sentAt,
    create,
  };
}
