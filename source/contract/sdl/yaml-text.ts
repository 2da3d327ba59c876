import { Composer, type CST, type Document, Lexer, Parser, type YAMLError } from 'yaml';

/** Deeper nesting is not composed: that recurses, and enough of it ends the process. */
const deepest = 100;

/** Indicators, words and blanks of a text; several times those of a thousand lines. */
const mostLexemes = 100_000;

/** A text as YAML, and what keeps it from being that. */
export interface YamlText {
  /** Undefined where the text is too deep or too long to be composed. */
  readonly document: Document.Parsed | undefined;
  readonly errors: readonly YAMLError[];
  /** Where a second document begins. */
  readonly secondDocument?: number | undefined;
  /** The bound that the text exceeds, with the offset where it does. */
  readonly excess?: { readonly bound: string; readonly offset: number } | undefined;
}

/**
 * Composes a text in time and memory that are bounded, whatever the text. Quotes and brackets whose
 * further lines are indented less than YAML 1.2 asks for are read as PyYAML and Go's parser do.
 */
export function composeYaml(text: string): YamlText {
  const strict = compose(text, new Lexer());
  // Each reading of a long text takes its time: no second one for other errors.
  if (!strict.errors.some(({ code }) => endsEarly.has(code))) return strict;
  const lenient = compose(text, lenientLexer());
  // A text that is wrong either way is better placed by the strict reading.
  return lenient.errors.length === 0 && lenient.excess === undefined ? lenient : strict;
}

/** Errors of quotes and brackets that seem to end at a line indented less. */
const endsEarly: ReadonlySet<YAMLError['code']> = new Set(['BAD_INDENT', 'MISSING_CHAR']);

/** Returns a lexer that takes quotes and brackets for open until they are closed. */
function lenientLexer(): Lexer {
  const lexer = new Lexer();
  for (const part of ['parseQuotedScalar', 'parseFlowCollection'] as const) {
    const parse = lexer[part].bind(lexer);
    // The lexer ends both at a line that is indented less than this; it has no option for it.
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

function compose(text: string, lexer: Lexer): YamlText {
  const parser = new Parser();
  let lexemes = 0;
  const tokens: CST.Token[] = [];
  for (const lexeme of lexer.lex(text)) {
    lexemes += 1;
    tokens.push(...parser.next(lexeme));
    const bound = excessOf(parser, lexemes);
    if (bound !== undefined) {
      return { document: undefined, errors: [], excess: { bound, offset: parser.offset } };
    }
  }
  tokens.push(...parser.end());
  // Keys are compared by whoever reads the maps: the composer compares each with all.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false });
  const documents = composer.compose(tokens, true, text.length);
  const first = documents.next();
  if (first.done === true) return { document: undefined, errors: [] };
  const second = documents.next();
  return {
    document: first.value,
    errors: first.value.errors,
    secondDocument: second.done === true ? undefined : second.value.range[0],
  };
}

function excessOf(parser: Parser, lexemes: number): string | undefined {
  if (parser.stack.length > deepest) return `nesting of less than ${deepest} levels`;
  return lexemes > mostLexemes ? `less than ${mostLexemes} words and signs` : undefined;
}
