type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** The part of JSON Schema 2020-12 (the dialect of OpenAPI 3.1) that describes our answers. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly format?: 'date-time';
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly default?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** An object of these fields; those whose name ends in `?` may be missing. */
export function objectOf(fields: Schemas, description?: string): Schema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
    required: names.filter((name) => !name.endsWith('?')),
  };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** A schema of the document's components, by its name there. */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function textField(description: string): Schema {
  return { type: 'string', description };
}

export function countOf(description: string): Schema {
  return { type: 'integer', minimum: 0, description };
}

/** An ISO 8601 timestamp in UTC. */
export function timestamp(description: string): Schema {
  return { type: 'string', format: 'date-time', description };
}
