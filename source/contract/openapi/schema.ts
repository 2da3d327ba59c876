type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** The used subset of JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly format?: 'date-time' | 'binary';
  readonly contentMediaType?: string;
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Returns the schema of an object; fields with a name ending in `?` are optional. */
export function objectSchema(fields: Schemas, description?: string): Schema {
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

export function listSchema(items: Schema): Schema {
  return { type: 'array', items };
}

/** Returns a reference to a schema of the document's components. */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function textSchema(description: string): Schema {
  return { type: 'string', description };
}

export function countSchema(description: string): Schema {
  return { type: 'integer', minimum: 0, description };
}

/**
 * The bytes of a file. OpenAPI 3.1 names them by their media type; generators of clients also look for
 * the format of OpenAPI 3.0.
 */
export const binarySchema: Schema = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
};

/** Returns the schema of an ISO 8601 UTC timestamp. */
export function timestampSchema(description: string): Schema {
  return { type: 'string', format: 'date-time', description };
}
