import { useStore } from 'zustand';
import { useConsole, useScreen, useSlowLink } from '../context.ts';
import { statusLine } from '../status.ts';
import { logStatus, restartTexts, rowSubject } from '../subject.ts';
import { useNow } from '../use-now.ts';
import { useTail } from '../use-tail.ts';
import { Row } from './row.tsx';

/** Row 1: always there, whatever fills the screen below it. */
export function StatusRow({ width }: { readonly width: number }) {
  const console = useConsole();
  const reach = useStore(console.refresh.reach);
  useStore(console.restarts.state);
  useTail();
  const drafts = useStore(console.drafts.state, (state) => state.drafts.size);
  const subject = useScreen((screen) => rowSubject(console, screen));
  const slowLink = useSlowLink();
  const now = useNow(1000);
  const line = statusLine(
    {
      profile: console.profile,
      subject,
      reach,
      restarts: restartTexts(console),
      drafts,
      slowLink,
      log: logStatus(console, now),
      now,
    },
    width,
  );
  return <Row line={line} width={width} />;
}
