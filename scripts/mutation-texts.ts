/** Texts for people, in which no change breaks a promise: messages of refusals, and of errors of programmers. */

/** The members of a node of the syntax tree that are read here. Source: Babel. */
interface Node {
  type: string;
  name?: string;
  key?: Node;
  callee?: Node;
  properties?: Node[];
}
interface Path {
  node: Node;
  parent: Node | null;
}

const ERRORS = ['Error', 'RangeError'];

const isMessage = ({ type, key }: Node): boolean => type === 'ObjectProperty' && key?.name === 'message';

/** A member `message`, an object of nothing else, or what an error is made with. */
const isText = ({ node, parent }: Path): boolean =>
  isMessage(node) ||
  (node.type === 'ObjectExpression' && node.properties?.length === 1 && node.properties.every(isMessage)) ||
  (parent?.type === 'NewExpression' && ERRORS.includes(parent.callee?.name ?? ''));

/** For Stryker: changes in these are left out, and counted as ignored. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: {
      shouldIgnore: (path: Path): string | undefined => (isText(path) ? 'A text for people.' : undefined),
    },
  },
];
