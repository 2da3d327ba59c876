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

const maxRows = 10;
const nameWidth = 18;

/** Picks the template of a new deployment: typing filters, arrows move, Enter chooses. */
export function TemplatePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const keys = useKeys();
  useStore(deck.drafts.state);
  // Effects of children run first, so the list below already listens for keys.
  useEffect(() => {
    keys.release();
  }, [keys]);
  const width = boxWidth(props.columns);
  const item = useMemo(() => templateItem(width), [width]);
  const typed = props.line.text.toLowerCase();
  const choices = templateChoices(deck).filter(({ name }) => name.includes(typed));
  const items = choices.map(({ name, description }, index) => ({
    key: String(index),
    label: column(name, nameWidth) + description,
    value: index,
  }));
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': new deployment from')]}
      field={{ prompt: 'a ', line: props.line }}
      lines={items.length === 0 ? [plain('No match.')] : []}
      below={{
        rows: Math.min(items.length, maxRows),
        content:
          items.length > 0 ? (
            <SelectInput
              items={items}
              limit={maxRows}
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
        ['Esc', 'cancel'],
      ]}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

function templateItem(width: number) {
  return function TemplateItem(props: { readonly label: string; readonly isSelected?: boolean }) {
    const mark = props.isSelected === true ? '>' : ' ';
    const token = props.isSelected === true ? 'focus' : undefined;
    return <BoxRow line={[span(`${mark} ${props.label}`, token)]} width={width} />;
  };
}

/** Replaces the indicator of the list; the rows draw their own cursor. */
function NoIndicator() {
  return undefined;
}
