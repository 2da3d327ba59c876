import SelectInput from 'ink-select-input';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useDeck, useKeys } from '../parts/context.ts';
import { column } from '../text/fit.ts';
import type { EditedLine } from '../text/line-editor.ts';
import { plain, span } from '../text/line.ts';
import { templateChoices } from './new-deployment.ts';
import { BoxRow, boxWidth, FramedBox } from '../parts/box.tsx';
import { profileSpan } from '../text/status-line.ts';

const mostRows = 10;
const nameWidth = 18;

/** Picks what a new deployment begins with: typing narrows, arrows move, Enter chooses. */
export function TemplatePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const keys = useKeys();
  useStore(deck.drafts.state);
  // Runs after the effects of its children: the list below is listening by then.
  useEffect(() => {
    keys.release();
  }, [keys]);
  const width = boxWidth(props.columns);
  const item = useMemo(() => beginningItem(width), [width]);
  const typed = props.line.text.toLowerCase();
  const choices = templateChoices(deck).filter(({ name }) => name.includes(typed));
  const items = choices.map(({ name, meaning }, index) => ({
    key: String(index),
    label: column(name, nameWidth) + meaning,
    value: index,
  }));
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': new deployment from')]}
      field={{ prompt: 'a ', line: props.line }}
      lines={items.length === 0 ? [plain('Nothing here has this in its name.')] : []}
      below={{
        rows: Math.min(items.length, mostRows),
        content:
          items.length > 0 ? (
            <SelectInput
              items={items}
              limit={mostRows}
              indicatorComponent={NoIndicator}
              itemComponent={item}
              onSelect={({ value }) => {
                deck.screen.overlay.close();
                choices[value]?.choose();
              }}
            />
          ) : undefined,
      }}
      hints={[
        ['Up/Down', ''],
        ['Enter', ''],
        ['Esc', 'cancels'],
      ]}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

function beginningItem(width: number) {
  return function BeginningItem(props: { readonly label: string; readonly isSelected?: boolean }) {
    const mark = props.isSelected === true ? '>' : ' ';
    const token = props.isSelected === true ? 'focus' : undefined;
    return <BoxRow line={[span(`${mark} ${props.label}`, token)]} width={width} />;
  };
}

/** The rows carry their own mark. */
function NoIndicator() {
  return undefined;
}
