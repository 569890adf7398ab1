/** Finds style rules of a remote that can apply outside its pages, which the shell wraps in an element with `data-remote="<remote>"`. */
import postcss, { type AtRule, type Container, CssSyntaxError, type Rule } from 'postcss';
import selectorParser from 'postcss-selector-parser';
import type { Finding } from './finding';

/** Where the elements that a selector matches are. Siblings of the wrapping element are outside, siblings of an element within it are within. */
const OUTSIDE = 0;
const WRAPPER = 1;
const WITHIN = 2;

/** At-rules that hold rules or declarations and name nothing. */
const plainAtRules = new Set(['media', 'supports', 'container', 'layer', 'scope', 'starting-style', 'charset']);
/** At-rules whose name is valid in the whole document. */
const namingAtRules = new Set(['keyframes', 'property', 'counter-style', 'font-palette-values', 'position-try']);

export function findGlobalStyles(css: string, remote: string): Finding[] {
  const findings: Finding[] = [];
  const add = (node: Rule | AtRule, what: string) => {
    const { line = 1, column = 1 } = node.source?.start ?? {};
    findings.push({ line, column, what });
  };

  const visitAtRule = (rule: AtRule, parent: number) => {
    const name = rule.name.toLowerCase().replace(/^-\w+-/, '');
    if (namingAtRules.has(name)) {
      const isOwn = rule.params.replace(/^["']|^--/, '').startsWith(`${remote}-`);
      if (!isOwn) add(rule, `@${rule.name} ${rule.params}: the name must start with "${remote}-"`);
    } else if (name === 'font-face') {
      const family = rule.nodes?.find((node) => node.type === 'decl' && node.prop.toLowerCase() === 'font-family');
      const value = family?.type === 'decl' ? family.value.replace(/^["']/, '') : '';
      if (!value.startsWith(`${remote}-`)) add(rule, `@font-face: its font-family must start with "${remote}-"`);
    } else if (!plainAtRules.has(name)) {
      add(rule, `@${rule.name} applies to the whole document`);
    } else {
      visit(rule, name === 'scope' ? Math.max(parent, reachOfScope(rule.params, remote, parent)) : parent);
    }
  };

  const visit = (container: Container, parent: number) => {
    container.each((node) => {
      if (node.type === 'atrule') visitAtRule(node as AtRule, parent);
      if (node.type !== 'rule') return;
      const reach = reachOf((node as Rule).selector, remote, parent);
      // In a rule that is reported, nested rules would be reported for the same reason.
      if (reach === OUTSIDE)
        add(node as Rule, `the selector ${shorten((node as Rule).selector)} matches outside its pages`);
      else visit(node as Rule, reach);
    });
  };

  try {
    visit(postcss.parse(css), OUTSIDE);
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    findings.push({ line: error.line ?? 1, column: error.column ?? 1, what: `cannot be read: ${error.reason}` });
  }
  return findings;
}

/** The farthest that one of the selectors of a list reaches; `parent` is what `&` stands for. */
function reachOf(selectors: string, remote: string, parent: number): number {
  let reach = WITHIN;
  selectorParser((list) => {
    for (const selector of list.nodes) reach = Math.min(reach, reachOfSelector(selector, remote, parent));
  }).processSync(selectors);
  return reach;
}

function reachOfSelector(selector: selectorParser.Selector, remote: string, parent: number): number {
  let hasNesting = false;
  selector.walkNesting(() => {
    hasNesting = true;
  });
  // A nested selector without `&` starts below its parent.
  let reach = hasNesting || parent === OUTSIDE ? OUTSIDE : parent;
  let isStart = true;
  const descend = (combinator: string) => {
    if (combinator === '+' || combinator === '~') {
      if (reach === WRAPPER) reach = OUTSIDE;
    } else if (reach !== OUTSIDE) reach = WITHIN;
  };
  for (const node of selector.nodes) {
    if (node.type === 'combinator') {
      descend(node.value.trim());
      isStart = false;
      continue;
    }
    if (isStart && !hasNesting) descend('');
    isStart = false;
    reach = Math.max(reach, reachOfPart(node, remote, parent));
  }
  return reach;
}

function reachOfPart(node: selectorParser.Node, remote: string, parent: number): number {
  if (node.type === 'nesting') return parent;
  if (node.type === 'attribute') {
    return node.attribute === 'data-remote' && node.operator === '=' && node.value === remote ? WRAPPER : OUTSIDE;
  }
  if (node.type !== 'pseudo' || !/^:(is|where)$/i.test(node.value) || node.nodes.length === 0) return OUTSIDE;
  let reach = WITHIN;
  for (const selector of node.nodes) reach = Math.min(reach, reachOfSelector(selector, remote, OUTSIDE));
  return reach;
}

/** `@scope (<root>) to (<limit>)` applies to the root and below. */
function reachOfScope(params: string, remote: string, parent: number): number {
  const root = /^\((.*?)\)(?:\s+to\s*\(.*\))?$/s.exec(params.trim())?.[1];
  return root ? reachOf(root, remote, parent) : OUTSIDE;
}

const shorten = (selector: string): string => {
  const line = selector.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
};
