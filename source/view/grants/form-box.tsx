import { Box as InkBox, Text } from 'ink';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import { listedGrantees } from '../../store/grants/form-steps.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import { type GrantForm } from '../../store/grants/form.ts';
import { parseGrantForm } from '../../store/grants/form-reading.ts';
import { useDeck, useGlyphs } from '../parts/context.ts';
import { grantFormContext } from './facts.ts';
import { chooseGrantee, editGrantField, moveToGrantee } from './form-keys.ts';
import { type Choice, choiceText, scrolledAddresses } from './choice-rows.ts';
import { fieldLabel, restingField } from './field-rows.ts';
import { type FormRow } from './form-row.ts';
import { grantFormRows } from './form-rows.ts';
import { span } from '../text/line.ts';
import { BoxRow, boxPlace, boxRoom, boxWidth, FramedBox } from '../parts/box.tsx';
import { Field } from '../parts/field.tsx';
import { Row } from '../parts/row.tsx';
import { SelectList } from '../parts/select-list.tsx';
import { profileSpan } from '../text/status-line.ts';
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
  const width = boxWidth(columns);
  const choices = listedGrantees(form, facts);
  const shown = grantFormRows(form, parseGrantForm(form, facts), choices, width - 4, boxRoom(rows));
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
                x={place.left + 2}
                y={place.top + 1 + index}
                width={width}
              />
            )}
            {row.kind === 'text' && <BoxRow line={row.line} width={width} />}
            {index === firstChoice && (
              <Choices rows={shownChoices} choices={choices} width={width} />
            )}
          </Fragment>
        )),
      }}
      hints={[
        ['Tab Enter', 'next field'],
        ['Esc', 'back, keep input'],
      ]}
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
  readonly width: number;
}) {
  const { row, form, width } = props;
  const { vertical } = useGlyphs();
  const deck = useDeck();
  const line = form.lines[row.field];
  const noteWidth = width - 4 - row.width;
  return (
    <InkBox width={width}>
      <Text>{`${vertical} `}</Text>
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
      <Text>{` ${vertical}`}</Text>
    </InkBox>
  );
}

/**
 * Suggestions of the grantee field. Once one is chosen, ink-select-input takes the keys that are
 * passed on to Ink (`shell/prompts/field-keys.ts`). The form decides which suggestions fit, so the
 * list starts anew after each change, like {@link Field}.
 */
function Choices(props: {
  readonly rows: readonly Choice[];
  readonly choices: readonly Grantee[];
  readonly width: number;
}) {
  const { rows, width } = props;
  const deck = useDeck();
  const chosen = rows.findIndex((row) => row.chosen);
  const texts = rows.map((row) => choiceText(row, width - 4));
  const addresses = scrolledAddresses(rows, props.choices);
  return (
    <SelectList
      key={[chosen, ...texts].join(' ')}
      items={addresses.map((address, at) => ({ label: texts[at] ?? address, value: address }))}
      limit={rows.length}
      width={width}
      focused={chosen !== -1}
      initial={Math.max(0, chosen)}
      onMove={(address) => moveToGrantee(deck, address)}
      onSelect={(address) => chooseGrantee(deck, address)}
    />
  );
}
