import SelectInput from 'ink-select-input';
import { useEffect, useMemo } from 'react';
import { useDeck, useKeys } from '../parts/context.ts';
import type { EditedLine } from '../text/line-editor.ts';
import { plain, span } from '../text/line.ts';
import { BoxRow, boxWidth, FramedBox } from '../parts/box.tsx';
import { profileSpan } from '../text/status-line.ts';
import { servicesOf } from '../log/title.ts';

const mostRows = 10;

/** Picks one of the services: typing narrows, arrows move, Enter chooses. */
export function ServicePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const keys = useKeys();
  // Runs after the effects of its children: the list below is listening by then.
  useEffect(() => {
    keys.release();
  }, [keys]);
  const width = boxWidth(props.columns);
  const item = useMemo(() => serviceItem(width), [width]);
  const items = servicesOf(deck)
    .filter((service) => service.toLowerCase().includes(props.line.text.toLowerCase()))
    .map((service) => ({ label: service, value: service }));
  const shown = Math.min(items.length, mostRows);
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': service')]}
      field={{ prompt: 's ', line: props.line }}
      lines={items.length === 0 ? [plain('No service has this in its name.')] : []}
      below={{
        rows: shown,
        content:
          items.length > 0 ? (
            <SelectInput
              items={items}
              limit={mostRows}
              indicatorComponent={NoIndicator}
              itemComponent={item}
              onSelect={(item) => {
                deck.opened.chooseService(item.value);
                deck.screen.overlay.closeInto('files');
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

function serviceItem(width: number) {
  return function ServiceItem(props: { readonly label: string; readonly isSelected?: boolean }) {
    const mark = props.isSelected === true ? '>' : ' ';
    const token = props.isSelected === true ? 'focus' : undefined;
    return <BoxRow line={[span(`${mark} ${props.label}`, token)]} width={width} />;
  };
}

/** The rows carry their own mark. */
function NoIndicator() {
  return undefined;
}
