import type { ReactNode } from 'react';
import type { Deck } from '../../store/deck/deck.ts';
import { eachListPane, type ListPane, listPanes } from '../../store/lists/list-panes.ts';
import type { Command } from '../command/command.ts';
import { deploymentCommands } from '../deployments/commands.ts';
import { DeploymentsPane } from '../deployments/pane.tsx';
import { fileCommands } from '../files/commands.ts';
import { FilesPane } from '../files/pane.tsx';
import { filesPlaceText } from '../files/subject.ts';
import { grantCommands } from '../grants/commands.ts';
import { GrantsPane } from '../grants/pane.tsx';
import { spendingLine } from '../grants/title.ts';
import type { Line } from '../text/line.ts';
import { listTitle } from '../parts/list-title.ts';
import type { PaneArea } from '../parts/list-pane.tsx';

interface ListPaneView {
  readonly Content: (area: PaneArea) => ReactNode;
  /** Returns what the rows belong to, for the title: `shop/web`; empty for nothing. */
  readonly subject?: (deck: Deck) => string;
  /** Returns the state of the list for the right of its title. */
  readonly status?: (deck: Deck) => Line;
  readonly commands: readonly Command[];
}

/** The content and the commands of each list pane. */
export const listPaneViews: Readonly<Record<ListPane, ListPaneView>> = {
  deployments: { Content: DeploymentsPane, commands: deploymentCommands },
  files: { Content: FilesPane, subject: filesPlaceText, commands: fileCommands },
  grants: {
    Content: GrantsPane,
    status: ({ grants }) => spendingLine(grants.rates.total()),
    commands: grantCommands,
  },
};

/** Returns the state of a list for the right of its title; empty for a list that has none. */
export function listPaneStatus(deck: Deck, pane: ListPane): Line {
  return listPaneViews[pane].status?.(deck) ?? [];
}

/** Returns the titles of the list panes, shortened to `room` cells if given. */
export function listPaneTitles(deck: Deck, room?: number): Readonly<Record<ListPane, string>> {
  return eachListPane((pane) => {
    const { digit, title } = listPanes[pane];
    const subject = listPaneViews[pane].subject?.(deck) ?? '';
    const names = [`${digit} ${title}`, ...(subject === '' ? [] : [subject])] as const;
    return listTitle(deck, pane, names, room);
  });
}
