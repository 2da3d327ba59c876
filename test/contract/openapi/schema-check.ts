import type { createOpenApiDocument } from '../../../source/contract/openapi/document.ts';
import type { Schema, Schemas } from '../../../source/contract/openapi/schema.ts';

type Document = ReturnType<typeof createOpenApiDocument>;

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

/** Returns the differences between a value and its schema, including undocumented fields. */
export function mismatches(document: Document, schema: Schema, value: unknown): readonly string[] {
  return check(document.components.schemas, schema, value, '$');
}

function check(schemas: Schemas, schema: Schema, value: unknown, at: string): readonly string[] {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.replace('#/components/schemas/', '')];
    return target === undefined ? [`${at}: no ${schema.$ref}`] : check(schemas, target, value, at);
  }
  if (schema.oneOf !== undefined) {
    const { propertyName = '', mapping = {} } = schema.discriminator ?? {};
    const word = (value as Readonly<Record<string, string>> | null)?.[propertyName] ?? '';
    const $ref = mapping[word];
    return $ref === undefined
      ? [`${at}.${propertyName}: no ${word}`]
      : check(schemas, { $ref }, value, at);
  }
  const { type = [], enum: words, const: only, format, minimum, exclusiveMinimum } = schema;
  const types: readonly string[] = typeof type === 'string' ? [type] : type;
  const actual = typeOf(value);
  if (!types.includes(actual) && !(actual === 'integer' && types.includes('number'))) {
    return [`${at}: ${actual}, not ${types.join(' or ')}`];
  }
  const wrong = [
    ...(words !== undefined && !words.includes(String(value)) ? [`none of ${words.join()}`] : []),
    ...(only !== undefined && value !== only ? [`not ${String(only)}`] : []),
    ...(format === 'date-time' && !timestamp.test(String(value)) ? ['no timestamp'] : []),
    ...(minimum !== undefined && Number(value) < minimum ? ['too small'] : []),
    ...(exclusiveMinimum !== undefined && Number(value) <= exclusiveMinimum ? ['too small'] : []),
  ].map((what) => `${at}: ${what}`);
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.flatMap((item, index) => check(schemas, items, item, `${at}[${index}]`));
  }
  if (actual !== 'object') return wrong;
  const { properties = {}, required = [] } = schema;
  const object = value as Readonly<Record<string, unknown>>;
  return [
    ...required.filter((name) => !(name in object)).map((name) => `${at}.${name}: missing`),
    ...Object.entries(object).flatMap(([name, field]) => {
      const known = properties[name];
      return known === undefined
        ? [`${at}.${name}: not described`]
        : check(schemas, known, field, `${at}.${name}`);
    }),
  ];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
