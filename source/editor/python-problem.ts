import { findUnclosedString, explainCertainError, type FaultCheck } from './grammar-problem.ts';

const compoundStatement =
  /^(?:If|While|For|With|Try|Match)Statement$|^(?:Function|Class)Definition$/;

/** Explains a syntax error in Python, when it certainly is one. */
export const explainPythonError: FaultCheck = (node, doc) => {
  const isLineEnd = doc.sliceString(node.from, node.to).startsWith('\n');
  return isLineEnd && compoundStatement.test(node.parent?.name ?? '')
    ? { position: node.from, sentence: 'A ":" is missing at the end of this line.' }
    : explainCertainError(node, doc);
};

const stringStart = /^[a-z]{0,2}("""|'''|["'])/i;

/** Checks Python for errors that its grammar accepts: open strings. */
export const checkPythonNode: FaultCheck = (node, doc) =>
  node.name === 'String' ? findUnclosedString(node, doc, stringStart) : undefined;
