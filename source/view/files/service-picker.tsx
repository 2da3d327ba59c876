import SelectInput from 'ink-select-input';
import { useEffect, useMemo } from 'react';
import { useDeck, useKeys } from '../parts/context.ts';
import type { EditedLine } from '../text/line-editor.ts';
import { plain, span } from '../text/line.ts';
import { BoxRow, boxWidth, FramedBox } from '../parts/box.tsx';
import { profileSpan } from '../text/status-line.ts';
import { servicesOf } from '../log/title.ts';

const mostRows = 10;

/** Box that picks a service: typing filters, arrows move, Enter chooses. */
export function ServicePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const keys = useKeys();
  // Child effects run first, so the list below already listens for keys.
  useEffect(() => {
    keys.release();
  }, [keys]);
  const width = boxWidth(props.columns);
  const item = useMemo(() => serviceItem(width), [width]);
  const items = servicesOf(deck)
    .filter((service) => service.toLowerCase().includes(props.line.text.toLowerCase()))
    .map((service) => ({ label: service, value: service }));
  const visibleRows = Math.min(items.length, mostRows);
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': service')]}
      field={{ prompt: 's ', line: props.line }}
      lines={items.length === 0 ? [plain('No match.')] : []}
      below={{
        rows: visibleRows,
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
        ['Esc', 'cancel'],
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

/** Replaces the list's indicator, because the rows have their own. */
function NoIndicator() {
  return undefined;
}
