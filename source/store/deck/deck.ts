import type {
  DeckClock,
  DeploymentsHandle,
  DraftsHandle,
  EditorHandle,
  FilesHandle,
  GrantsHandle,
  MessagesHandle,
} from './handles.ts';
import type { Connection } from './connection.ts';
import type { Alerts } from '../alerts/alerts.ts';
import type { Attention } from '../alerts/attention.ts';
import type { KeyPause } from '../time/key-pause.ts';
import type { ColouredTexts } from '../editor/coloured-texts.ts';
import type { History } from '../history/history.ts';
import type { Lists } from './lists.ts';
import type { OpenedStore } from './opened.ts';
import type { Polling } from './polling.ts';
import type { Profile } from './profile.ts';
import type { Proofs } from '../proof/proofs.ts';
import type { RestartsStore } from '../restarts/restarts.ts';
import type { TextSearch } from '../text-search/text-search.ts';
import type { ScreenStore } from './screen/screen.ts';
import type { WriteAccess } from './write-access.ts';

/** The stores of one service and their flows: one handle for each noun. */
export interface Deck {
  readonly profile: Profile;
  /** Whether the console may write to the service. */
  readonly access: WriteAccess;
  /** The services to switch to. */
  readonly connection: Connection;
  readonly clock: DeckClock;
  readonly keyPause: KeyPause;
  readonly screen: ScreenStore;
  /** The lists of the list panes. */
  readonly lists: Lists;
  readonly messages: MessagesHandle;
  /** The writes and messages since the start. */
  readonly history: History;
  readonly deployments: DeploymentsHandle;
  /** The urgency of each deployment. */
  readonly attention: Attention;
  /** Failures, ending grants and a rejected token that nobody has looked at yet. */
  readonly alerts: Alerts;
  /** The opened deployment: its files and its log are shown. */
  readonly opened: OpenedStore;
  readonly files: FilesHandle;
  readonly grants: GrantsHandle;
  readonly restarts: RestartsStore;
  /** The runs after restarts that carried changes from here, compared with earlier ones. */
  readonly proofs: Proofs;
  readonly drafts: DraftsHandle;
  readonly editor: EditorHandle;
  /** The search in the text that pane 4 shows. */
  readonly textSearch: TextSearch;
  /** Colours of texts in Details. */
  readonly colours: ColouredTexts;
  readonly refresh: Polling;
  start(): void;
  stop(): void;
}
