import { openString, sureFault, type Judge } from './grammar-problem.ts';

const compoundStatement =
  /^(?:If|While|For|With|Try|Match)Statement$|^(?:Function|Class)Definition$/;

/** Explains a syntax error in Python, when it certainly is one. */
export const pythonFault: Judge = (node, doc) => {
  const isLineEnd = doc.sliceString(node.from, node.to).startsWith('\n');
  return isLineEnd && compoundStatement.test(node.parent?.name ?? '')
    ? { at: node.from, sentence: 'A ":" is missing at the end of this line.' }
    : sureFault(node, doc);
};

const stringStart = /^[a-z]{0,2}("""|'''|["'])/i;

/** Checks Python for errors that its grammar accepts: open strings. */
export const pythonMeaning: Judge = (node, doc) =>
  node.name === 'String' ? openString(node, doc, stringStart) : undefined;
