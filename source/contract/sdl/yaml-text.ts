/** Composes YAML in bounded time and memory. */
import { Composer, type CST, type Document, Lexer, Parser, type YAMLError } from 'yaml';

/** Deepest nesting that is composed, because the composer recurses and could overflow the stack. */
const maxDepth = 100;

/** Largest number of lexemes, several times that of a thousand lines. */
const maxLexemes = 100_000;

/** A composed YAML text with its errors. */
export interface ComposedYaml {
  /** Undefined if the text exceeds a bound. */
  readonly document: Document.Parsed | undefined;
  readonly errors: readonly YAMLError[];
  /** Start and end of each comment. */
  readonly comments: readonly (readonly [start: number, end: number])[];
  /** Offset of a second document. */
  readonly secondDocument?: number | undefined;
  /** The exceeded bound and the offset at which the text exceeds it. */
  readonly excess?: { readonly bound: string; readonly offset: number } | undefined;
}

/**
 * Composes any text in bounded time and memory. Quotes and brackets may continue on lines with less
 * indentation than YAML 1.2 requires, as PyYAML and Go's parser allow.
 */
export function composeYaml(text: string): ComposedYaml {
  const strict = compose(text, new Lexer());
  // A second pass over a long text is slow, so do it only for these errors.
  if (!strict.errors.some(({ code }) => endsEarly.has(code))) return strict;
  const lenient = compose(text, lenientLexer());
  // If both passes fail, the strict errors have the better positions.
  return lenient.errors.length === 0 && lenient.excess === undefined ? lenient : strict;
}

/** Errors of quotes and brackets that seem to end at a line with less indentation. */
const endsEarly: ReadonlySet<YAMLError['code']> = new Set(['BAD_INDENT', 'MISSING_CHAR']);

/** Returns a lexer that continues quotes and brackets until they are closed. */
function lenientLexer(): Lexer {
  const lexer = new Lexer();
  for (const part of ['parseQuotedScalar', 'parseFlowCollection'] as const) {
    const parse = lexer[part].bind(lexer);
    // The lexer ends both at a line with less indentation than this, and has no option for it.
    lexer[part] = function* unindented() {
      const indent = lexer['indentNext'];
      lexer['indentNext'] = 0;
      try {
        return yield* parse();
      } finally {
        lexer['indentNext'] = indent;
      }
    };
  }
  return lexer;
}

function compose(text: string, lexer: Lexer): ComposedYaml {
  const parser = new Parser();
  let lexemes = 0;
  const tokens: CST.Token[] = [];
  const comments: (readonly [number, number])[] = [];
  for (const lexeme of lexer.lex(text)) {
    lexemes += 1;
    if (lexeme.startsWith('#')) comments.push([parser.offset, parser.offset + lexeme.length]);
    tokens.push(...parser.next(lexeme));
    const bound = excessOf(parser, lexemes);
    if (bound !== undefined) {
      return {
        document: undefined,
        errors: [],
        comments,
        excess: { bound, offset: parser.offset },
      };
    }
  }
  tokens.push(...parser.end());
  const composer = new Composer({
    // The composer's check for unique keys is quadratic; `indexNodes` finds duplicates instead.
    uniqueKeys: false,
    prettyErrors: false,
    // A list or map with a tag such as !!omap has the same items as without it.
    resolveKnownTags: false,
  });
  const documents = composer.compose(tokens, true, text.length);
  const first = documents.next();
  if (first.done === true) return { document: undefined, errors: [], comments };
  const second = documents.next();
  return {
    document: first.value,
    errors: first.value.errors,
    comments,
    secondDocument: second.done === true ? undefined : second.value.range[0],
  };
}

function excessOf(parser: Parser, lexemes: number): string | undefined {
  if (parser.stack.length > maxDepth) return `fewer than ${maxDepth} levels of nesting`;
  return lexemes > maxLexemes ? `fewer than ${maxLexemes} words and symbols` : undefined;
}
