import type { DraftKeeper } from '../drafts/drafts.ts';
import type { DraftLocks } from '../drafts/locks.ts';
import type { Trash } from '../drafts/trash.ts';
import type { LocalFiles } from '../transfers/local-files.ts';
import type { DeploymentBatch } from '../deployments/batch.ts';
import type { DeploymentsStore } from '../deployments/deployments.ts';
import type { DifferenceStore } from '../editor/difference.ts';
import type { Discarded } from '../drafts/discard.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { DraftPlace } from '../drafts/places.ts';
import type { EditorStore } from '../editor/editor.ts';
import type { FilesStore } from '../files/files.ts';
import type { ServiceFiles } from '../files/service-files.ts';
import type { AddressBookStore } from '../grants/address-book.ts';
import type { GrantsStore } from '../grants/grants.ts';
import type { GrantRates } from '../grants/spend-rates.ts';
import type { ProofRecords } from '../proof/proof-record.ts';
import type { Tone } from '../prompts/tone.ts';
import type { Clock } from '../time/clock.ts';
import type { LogViewsKeeper } from '../log/stored/stored-view.ts';
import type { FileWork } from './file-work.ts';

/** The clocks of this machine and of the service. */
export interface DeckClock extends Clock {
  /**
   * Returns milliseconds since the epoch by the clock of the service, which its records are dated by.
   * @param at time of this machine; now by default.
   */
  serviceNow(at?: number): number;
}

export interface DeploymentsHandle extends DeploymentsStore {
  /** The batch that closes or restarts several deployments. */
  readonly batch: DeploymentBatch;
  /** Returns the name of a deployment, or a part of its id. */
  label(id: string): string;
}

export interface FilesHandle extends FilesStore {
  /** Operations, uploads and downloads; loaded on first use. */
  work(): Promise<FileWork>;
  /** The files of other services, for the places in code that log lines name. */
  readonly ofServices: ServiceFiles;
}

export interface GrantsHandle extends GrantsStore {
  readonly rates: GrantRates;
  readonly addressBook: AddressBookStore;
}

export interface DraftsHandle extends Drafts {
  /** Moves drafts to the trash. */
  discard(places: readonly DraftPlace[]): Promise<Discarded>;
}

/** The open document. */
export interface EditorHandle extends EditorStore {
  /** The difference between a draft and the service. */
  readonly difference: DifferenceStore;
}

/** Messages to the person. */
export interface MessagesHandle {
  /** Shows a message in the message row and adds it to the history. */
  say(text: string, tone?: Tone): void;
  /** Says what is being done, until another message follows or the returned function ends it. */
  begin(text: string): () => void;
}

/** Local state of the console, and the files of this machine. */
export interface LocalStorage {
  readonly drafts: DraftKeeper;
  readonly locks: DraftLocks;
  readonly trash: Trash;
  /** Records of proved restarts; by default none are kept. */
  readonly proofs?: ProofRecords | undefined;
  readonly local: () => Promise<LocalFiles>;
  /** Stores how logs are read; without it, they are remembered while the program runs. */
  readonly logViews?: LogViewsKeeper | undefined;
}
