/** Programs that have the terminal while they run; each is loaded on first use. */
import type { TerminalGuard } from '../terminal/lifecycle.ts';
import type { MountOptions } from '../view/shell/mount.tsx';
import { lazyPart } from '../system/lazy-part.ts';

const externalEditor = lazyPart(() => import('../desktop/external-editor.ts'));
const linePipe = lazyPart(() => import('../desktop/pipe-lines.ts'));

/** Returns the editor of `$EDITOR`, and the commands that lines are piped to. */
export function lentPrograms(guard: TerminalGuard): Pick<MountOptions, 'hand' | 'pipe'> {
  return {
    hand: (text, name) =>
      guard.lendTerminal(async () => {
        const { handToEditor } = await externalEditor();
        return handToEditor(text, name);
      }),
    pipe: (command, texts) =>
      guard.lendTerminal(async () => {
        const { pipeLines } = await linePipe();
        return pipeLines(command, texts);
      }),
  };
}
