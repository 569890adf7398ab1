'use strict';
/**
 * What a component may not do while it draws, found in its compiled code: write a text, which is then in one language, and ask the
 * clock or chance, by which what the server drew differs from what the browser draws. Only what is sure is told: a helper that asks
 * the clock when a component calls it is not seen.
 */
const { walk } = require('./read-module.cjs');

const textProps = new Set(['children', 'title', 'alt', 'placeholder', 'label', 'description', 'hint', 'aria-label']);
/** Their content is no text of the page. */
const wordless = new Set(['style', 'script']);
const isText = (text) => /\p{L}/u.test(text);
/** Call what they are given at once. */
const drawnNow = new Set(['useState', 'useMemo', 'useReducer']);
const ofLists = new Set(
  'map flatMap filter some every find findIndex findLast reduce sort toSorted forEach'.split(' '),
);
const isFunction = ({ type }) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
const nameOfCallee = ({ type, name, property }) =>
  type === 'Identifier' ? name : type === 'MemberExpression' ? property.name : '';

/** The first text in what a property is given: { at, text }; null for values that come from elsewhere. */
function textIn(node) {
  if (!node) return null;
  if (node.type === 'Literal')
    return typeof node.value === 'string' && isText(node.value) ? { at: node.start, text: node.value } : null;
  if (node.type === 'TemplateLiteral') {
    const text = node.quasis.map(({ value }) => value.cooked).join('…');
    return isText(text) ? { at: node.start, text } : null;
  }
  if (node.type === 'ArrayExpression') return first(node.elements);
  if (node.type === 'ConditionalExpression') return first([node.consequent, node.alternate]);
  if (node.type === 'LogicalExpression') return first([node.left, node.right]);
  return null;
}
function first(nodes) {
  for (const node of nodes) {
    const found = textIn(node);
    if (found) return found;
  }
  return null;
}

function writtenText({ arguments: [type, props] }) {
  if (props?.type !== 'ObjectExpression' || wordless.has(type.value)) return [];
  return props.properties.flatMap(({ type: kind, key, value }) => {
    const name = kind === 'Property' && (key.name ?? key.value);
    const found = textProps.has(name) ? textIn(value) : null;
    return found ? [found] : [];
  });
}

/** What asks the clock or chance; '' for anything else. */
function askedBy({ type, callee, arguments: given }) {
  if (type === 'NewExpression') return callee.name === 'Date' && given.length === 0 ? 'new Date()' : '';
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return '';
  const name = `${callee.object.name}.${callee.property.name}`;
  return /^(Date\.now|performance\.now|Math\.random|crypto\.randomUUID)$/.test(name) ? `${name}()` : '';
}

/** The name of the component or hook that runs the innermost of these nodes while it draws; null where something else runs it. */
function drawnBy(around) {
  for (let index = around.length - 1; index >= 0; index -= 1) {
    const node = around[index];
    if (!isFunction(node)) continue;
    const parent = around[index - 1];
    const callee = parent?.type === 'CallExpression' ? parent.callee : null;
    const isGiven = callee && parent.arguments.includes(node);
    if (
      callee === node ||
      (isGiven &&
        (drawnNow.has(nameOfCallee(callee)) ||
          (callee.type === 'MemberExpression' && ofLists.has(callee.property.name))))
    )
      continue;
    const declared = [...around.slice(0, index)].reverse().find(({ type }) => type !== 'CallExpression');
    const name = node.id?.name ?? (declared?.type === 'VariableDeclarator' ? declared.id.name : '') ?? '';
    return /^use[A-Z]/.test(name) || (/^[A-Z]/.test(name) && drawsOrAsks(node)) ? name : null;
  }
  return null;
}

/** A function with a capital that makes elements or uses hooks is a component. */
function drawsOrAsks(component) {
  let found = false;
  walk(component.body, ({ type, callee }) => {
    if (type === 'CallExpression' && callee.type === 'Identifier' && /^(_?jsxs?|use[A-Z].*)$/.test(callee.name))
      found = true;
  });
  return found;
}

/** Faults of a compiled module: [{at: offset in the code, what}]. `instead`: {text, clock}, what a product writes instead; a rule without is off. */
function drawingFaults(program, { text, clock }) {
  const faults = [];
  const jsx = new Set();
  for (const { type, source, specifiers } of program.body)
    if (type === 'ImportDeclaration' && source.value === 'react/jsx-runtime')
      for (const { local, imported } of specifiers) if (/^jsxs?$/.test(imported?.name ?? '')) jsx.add(local.name);
  walk(program, (node, around) => {
    if (text && node.type === 'CallExpression' && jsx.has(node.callee.name))
      for (const written of writtenText(node))
        faults.push({
          at: written.at,
          what: `the text "${written.text.trim().slice(0, 40)}" stands in the code, in one language. ${text}`,
        });
    const asked = clock ? askedBy(node) : '';
    const component = asked && drawnBy(around);
    if (component)
      faults.push({
        at: node.start,
        what: `${component} asks ${asked} while it draws, which is another value on the server and in the browser. ${clock}`,
      });
  });
  return faults;
}

module.exports = { drawingFaults };
