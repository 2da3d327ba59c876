import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import type { ScreenStore } from '../../../store/deck/screen/screen.ts';
import { pagedBody } from '../../../store/prompts/body-scroll.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';

const steps: Readonly<Record<string, 1 | -1>> = { pagedown: 1, pageup: -1 };

/** Scrolls the text of a box (`PgUp`, `PgDn`). Returns false for other keys and boxes. */
export function scrollKey(input: KeyEvent, overlay: Overlay, screen: ScreenStore): boolean {
  const step = steps[input.name];
  if (step === undefined || !('scroll' in overlay) || overlay.scroll === undefined) return false;
  screen.overlay.setScroll(pagedBody(overlay.scroll, step));
  return true;
}
