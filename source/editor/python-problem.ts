import { openString, sureFault, type Judge } from './grammar-problem.ts';

const headed = /^(?:If|While|For|With|Try|Match)Statement$|^(?:Function|Class)Definition$/;

/** What an error in Python says, where it surely is one. */
export const pythonFault: Judge = (node, doc) => {
  const isLineEnd = doc.sliceString(node.from, node.to).startsWith('\n');
  return isLineEnd && headed.test(node.parent?.name ?? '')
    ? { at: node.from, sentence: 'A ":" is missing at the end of this line.' }
    : sureFault(node, doc);
};

const quote = /^[a-z]{0,2}("""|'''|["'])/i;

/** What is wrong in Python that its grammar allows. */
export const pythonMeaning: Judge = (node, doc) =>
  node.name === 'String' ? openString(node, doc, quote) : undefined;
