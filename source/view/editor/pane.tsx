import { useLayoutEffect, useMemo } from 'react';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { useDeck, useGlyphs, usePainter, useScreen } from '../parts/context.ts';
import { editorRows } from './rows.ts';
import { Painted } from '../parts/painted.tsx';
import { Title } from '../parts/title.tsx';
import { logTitle } from '../log/title.ts';
import { LogsPane } from '../log/pane.tsx';
import type { Area } from '../../terminal/screen/screen-rows.ts';

/** Pane 4: the editor with its title, above the log when the height allows both. */
export function EditorPane({
  editor,
  tail,
}: {
  readonly editor: Area;
  readonly tail: Area | undefined;
}) {
  return (
    <>
      <EditorRows area={editor} />
      {tail !== undefined && <LogBelow area={tail} />}
    </>
  );
}

const hasTextFocus = ({ focus, overlay }: Screen): boolean =>
  focus === 'main' && overlay === undefined;

function EditorRows({ area }: { readonly area: Area }) {
  const { left, top, width, height } = area;
  const { editor, screen } = useDeck();
  const painter = usePainter();
  const glyphs = useGlyphs();
  const hasPane = useScreen(({ focus }) => focus === 'main');
  const source = useMemo(() => {
    const hasKeys = () => hasTextFocus(screen.getState());
    const character = hasPane ? glyphs.heavy : glyphs.horizontal;
    // Alone on the screen, the editor has no panes to be told from.
    const rule = left === 0 ? undefined : { character, isFocused: hasPane };
    return editorRows({ editor, painter, area: { left, top, width, height }, hasKeys, rule });
  }, [editor, screen, painter, glyphs, hasPane, left, top, width, height]);
  const isFocused = useScreen(hasTextFocus);
  // An overlay above the text has removed its own cursor before this effect runs.
  useLayoutEffect(() => {
    if (!isFocused) return undefined;
    source.placeCursor();
    return () => painter?.placeCursor(undefined);
  }, [source, painter, isFocused]);
  return <Painted area={area} source={source} />;
}

function LogBelow({ area }: { readonly area: Area }) {
  const title = logTitle(useDeck());
  return (
    <>
      <Title text={title} focused={false} width={area.width} />
      <LogsPane area={area} focused={false} />
    </>
  );
}
