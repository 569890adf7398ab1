import postcss, { type ChildNode, type Container } from 'postcss';

interface Piece {
  /**
   * The class names of each selector. A page that has all classes of one selector needs the piece; so does every page when the
   * list is empty.
   */
  needs: string[][];
  text: string;
  keyframes?: string;
  inner?: Piece[];
}

export type StyleSheet = readonly Piece[];

export const readSheet = (text: string): StyleSheet => readPieces(postcss.parse(text));

export function criticalStyles(sheets: readonly StyleSheet[], html: string): string {
  const classes = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const pieces = sheets.flat();
  const text = pieces.map((piece) => chosen(piece, classes)).join('');
  const frames = pieces.filter(({ keyframes }) => keyframes && text.includes(keyframes));
  // An end tag would close the element.
  return (text + frames.map((piece) => piece.text).join('')).replace(/<\//g, '<\\/');
}

const readPieces = (container: Container): Piece[] => (container.nodes ?? []).flatMap(readPiece);

function readPiece(node: ChildNode): Piece[] {
  if (node.type === 'rule') return [{ needs: node.selectors.map(classesOf), text: node.toString() }];
  if (node.type !== 'atrule') return [];
  const text = node.nodes ? node.toString() : `${node};`;
  if (/keyframes$/.test(node.name)) return [{ needs: [], text, keyframes: node.params }];
  if (!['media', 'supports', 'layer', 'container'].includes(node.name) || !node.nodes) return [{ needs: [], text }];
  return [{ needs: [], text: `@${node.name} ${node.params}`, inner: readPieces(node) }];
}

/** Classes inside `:not(…)` and similar functions need not be in the page. */
const classesOf = (selector: string) =>
  [...selector.replace(/:[\w-]+\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '').matchAll(/\.((?:[\w-]|\\.)+)/g)].map(
    ([, name = '']) => name.replace(/\\/g, ''),
  );

function chosen({ needs, text, keyframes, inner }: Piece, classes: ReadonlySet<string>): string {
  if (inner) {
    const rules = inner.map((piece) => chosen(piece, classes)).join('');
    return rules && `${text}{${rules}}`;
  }
  if (keyframes) return '';
  return needs.length === 0 || needs.some((names) => names.every((name) => classes.has(name))) ? text : '';
}
