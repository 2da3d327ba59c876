import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useDeck, useGlyphs, usePainter, useScreen, useSlowLink } from '../parts/context.ts';
import { statusLine, withoutBars } from '../text/status-line.ts';
import { rowSubject } from './pane-title.ts';
import { readerStatus } from '../log/title.ts';
import { restartTexts, unappliedCount } from '../restarts/text.ts';
import { isTokenRejected } from '../text/notice.ts';
import { useNow } from '../parts/use-now.ts';
import { useTail } from '../log/use-tail.ts';
import { Row } from '../parts/row.tsx';

/** Row 1 with the service and the current activity, present in every layout. */
export function StatusRow({ width }: { readonly width: number }) {
  const deck = useDeck();
  const reach = useStore(deck.refresh.reach);
  const restarts = useStore(deck.restarts.state);
  const isRejected = useStore(deck.deployments.list.state, ({ error }) => isTokenRejected(error));
  useStore(deck.attention.state, ({ alerting }) => alerting);
  useStore(deck.alerts.active);
  const isReadOnly = useStore(deck.access.state, (access) => access.isReadOnly);
  const tail = useTail();
  const { bars } = useGlyphs();
  const isPainted = usePainter() !== undefined;
  const drafts = useStore(deck.drafts.state, (state) => state.drafts.size);
  const subject = useScreen((screen) => rowSubject(deck, screen));
  const slowLink = useSlowLink();
  const now = useNow(1000);
  useEffect(() => {
    tail?.reading.rates.sample(now, tail.log.state.getState().received);
  }, [tail, now]);
  // Elsewhere, the log's own title shows its state.
  const isTitle = useScreen(
    ({ focus, fullscreen, main }) => fullscreen && focus === 'main' && main.kind === 'logs',
  );
  const log = isTitle ? readerStatus(deck, now, bars) : undefined;
  // The bar chart changes every second: too costly on a slow link, and no part of rows as text.
  const isDrawn = isPainted && !slowLink;
  const line = statusLine(
    {
      profile: deck.profile,
      subject,
      reach,
      isReadOnly,
      isRejected,
      silentSince: deck.refresh.silentSince(),
      alerts: deck.alerts.kinds(),
      restarts: restartTexts(
        [...restarts].map(([id, restart]) => [deck.deployments.label(id), restart] as const),
      ),
      unapplied: unappliedCount(restarts.values()),
      drafts,
      slowLink,
      log: isDrawn ? log : withoutBars(log),
      now,
    },
    width,
  );
  return <Row line={line} width={width} />;
}
