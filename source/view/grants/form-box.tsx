import { Box as InkBox, Text } from 'ink';
import { Fragment, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import { listedGrantees } from '../../store/grants/form-steps.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import { grantFields, type GrantForm } from '../../store/grants/form.ts';
import { parseGrantForm } from '../../store/grants/form-reading.ts';
import { ClickBoxContext, useClickArea } from '../parts/click-map.ts';
import { useDeck, useGlyphs } from '../parts/context.ts';
import { grantFormContext } from './facts.ts';
import { chooseGrantee, editGrantField, moveToGrantee } from './form-keys.ts';
import { type Choice, choiceText, scrolledAddresses } from './choice-rows.ts';
import { fieldLabel, restingField } from './field-rows.ts';
import { type FormRow } from './form-row.ts';
import { grantFormRows } from './form-rows.ts';
import { type BoxShape, boxPlace, boxShape } from '../text/box-shape.ts';
import { span } from '../text/line.ts';
import { BoxRow, FramedBox } from '../parts/box.tsx';
import { Field } from '../parts/field.tsx';
import { Row } from '../parts/row.tsx';
import { SelectList } from '../parts/select-list.tsx';
import { profileSpan } from '../text/status-line.ts';
import { bodyView } from '../text/box-body.ts';
import { scrollHints, useBodyScroll } from '../parts/use-body-scroll.ts';
import { useNow } from '../parts/use-now.ts';
import { useShown } from '../parts/use-shown.ts';

/** The form of a new grant. */
export function GrantBox(props: {
  readonly form: GrantForm;
  readonly columns: number;
  readonly rows: number;
}) {
  const { form, columns, rows } = props;
  const deck = useDeck();
  useStore(deck.grants.list.state);
  useStore(deck.grants.addressBook);
  // The end of a relative time like 30d moves with the clock.
  useNow(1000);
  useShown(form.coming);
  const facts = grantFormContext(deck);
  const shape = useMemo(() => boxShape(columns, rows), [columns, rows]);
  const { inner, room } = shape;
  const choices = listedGrantees(form, facts);
  const parsed = parseGrantForm(form, facts);
  const all = grantFormRows(form, parsed, choices, inner, Number.POSITIVE_INFINITY);
  const view = bodyView(all.length - 1, room - 1, form.scroll);
  useBodyScroll(view, form.scroll);
  // The rows beside the focused field, until a key scrolls through all of them above the buttons.
  const shown =
    view.last > 0 && form.scroll?.isPaged === true
      ? [...all.slice(view.top, view.top + view.page), ...all.slice(-1)]
      : grantFormRows(form, parsed, choices, inner, room);
  const place = boxPlace(columns, rows, shown.length);
  const shownChoices = shown.filter((row) => row.kind === 'choice');
  const firstChoice = shown.findIndex((row) => row.kind === 'choice');
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': new grant')]}
      lines={[]}
      below={{
        rows: shown.length,
        content: shown.map((row, index) => (
          // Rows have no identity besides their position.
          // eslint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {row.kind === 'field' && (
              <FieldRow
                row={row}
                form={form}
                x={place.textLeft}
                y={place.top + 1 + index}
                shape={shape}
              />
            )}
            {row.kind === 'text' && <BoxRow line={row.line} shape={shape} />}
            {index === firstChoice && (
              <Choices rows={shownChoices} choices={choices} shape={shape} />
            )}
          </Fragment>
        )),
      }}
      range={view.range}
      hints={scrollHints(
        [
          ['Tab Enter', 'next field'],
          ['Esc', 'back, keep input'],
        ],
        view,
      )}
      columns={columns}
      rows={rows}
    />
  );
}

function FieldRow(props: {
  readonly row: Extract<FormRow, { kind: 'field' }>;
  readonly form: GrantForm;
  readonly x: number;
  readonly y: number;
  readonly shape: BoxShape;
}) {
  const { row, form, shape } = props;
  const { vertical } = useGlyphs();
  const deck = useDeck();
  const line = form.lines[row.field];
  const noteWidth = shape.inner - row.width;
  const edges = shape.isSheet ? ['', ''] : [`${vertical} `, ` ${vertical}`];
  const box = useContext(ClickBoxContext) ?? '';
  const index = grantFields.indexOf(row.field);
  const ref = useClickArea(() => ({
    kind: 'box',
    box,
    stop: { kind: 'field', index, name: row.field },
  }));
  return (
    <InkBox ref={ref} width={shape.width}>
      <Text>{edges[0]}</Text>
      {form.stop === row.field ? (
        <Field
          prompt={fieldLabel(row.field)}
          at={{ x: props.x, y: props.y, width: row.width }}
          line={line}
          onEdit={(edited) => editGrantField(form, edited, deck)}
        />
      ) : (
        <Row line={restingField(row.field, line.text)} width={row.width} />
      )}
      {noteWidth > 0 && <Row line={row.note} width={noteWidth} />}
      <Text>{edges[1]}</Text>
    </InkBox>
  );
}

/**
 * Suggestions of the grantee field. Once one is chosen, ink-select-input takes the keys that are
 * passed on to Ink (`shell/prompts/field-keys.ts`). The form decides which suggestions fit, so the
 * list restarts after each change, like {@link Field}.
 */
function Choices(props: {
  readonly rows: readonly Choice[];
  readonly choices: readonly Grantee[];
  readonly shape: BoxShape;
}) {
  const { rows, shape } = props;
  const deck = useDeck();
  const chosen = rows.findIndex((row) => row.chosen);
  const texts = rows.map((row) => choiceText(row, shape.inner));
  const addresses = scrolledAddresses(rows, props.choices);
  return (
    <SelectList
      key={[chosen, ...texts].join(' ')}
      items={addresses.map((address, at) => ({ label: texts[at] ?? address, value: address }))}
      limit={rows.length}
      shape={shape}
      focused={chosen !== -1}
      initial={Math.max(0, chosen)}
      onMove={(address) => moveToGrantee(deck, address)}
      onSelect={(address) => chooseGrantee(deck, address)}
    />
  );
}
