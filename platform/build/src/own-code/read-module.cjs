'use strict';
/**
 * Reads a compiled module: its links to pages, its calls, and every name by which it could read a field of an answer. Links are written
 * out on the way, so that a browser gets the address and no table of routes.
 */
const { parse } = require('acorn');

const skipped = new Set(['type', 'start', 'end', 'loc', 'range']);
const isName = (text) => /^[A-Za-z_$][\w$]*$/.test(text);

/** Calls `visit` with each node and those around it. */
function walk(node, visit, around = []) {
  visit(node, around);
  const inside = [...around, node];
  for (const key of Object.keys(node)) {
    if (skipped.has(key)) continue;
    const value = node[key];
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child.type === 'string') walk(child, visit, inside);
  }
}

/** The text of an expression of literals and constants of the module; null when it is not known before the code runs. */
function textOf(node, constants) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'Identifier') return constants.get(node.name) ?? null;
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)];
    return left === null || right === null ? null : left + right;
  }
  if (node?.type !== 'TemplateLiteral') return null;
  const parts = node.quasis.flatMap(({ value }, index) => [
    value.cooked,
    ...(index < node.expressions.length ? [textOf(node.expressions[index], constants)] : []),
  ]);
  return parts.includes(null) ? null : parts.join('');
}

function constantsOf(program) {
  const constants = new Map();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) {
      const text = id.type === 'Identifier' && init ? textOf(init, constants) : null;
      if (text !== null) constants.set(id.name, text);
    }
  }
  return constants;
}

/** Local name to imported name, of what comes from a module that `isFrom` knows. */
function importedFrom(program, isFrom) {
  const names = new Map();
  for (const { type, source, specifiers } of program.body) {
    if (type !== 'ImportDeclaration' || !isFrom(source.value)) continue;
    for (const { local, imported } of specifiers) names.set(local.name, imported ? imported.name : '*');
  }
  return names;
}

/** Whether a name stands for its value there, and is not called, imported or the name of a property. */
const isValue = (node, parent) =>
  !(parent?.type === 'CallExpression' && parent.callee === node) &&
  !/^Import/.test(parent?.type ?? '') &&
  !(parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) &&
  !(parent?.type === 'Property' && parent.key === node && !parent.shorthand && !parent.computed);

/** The address in `to` of an element, or that a call leads to, where it is written by hand: neither types nor the gate know where it leads. */
function writtenAddress({ callee, arguments: given }, jsx, constants) {
  const isElement = jsx.has(callee.name) && given[1]?.type === 'ObjectExpression';
  const to = isElement
    ? propertiesOf(given[1], true).get('to')
    : /^(navigate|redirect)$/.test(callee.name)
      ? given[0]
      : undefined;
  const text = to?.type === 'TemplateLiteral' ? to.quasis[0].value.cooked : textOf(to, constants);
  return text?.startsWith('/') ? { at: to.start, text } : null;
}

/** The properties of an object that is written out; null for anything else. `some`: those of its properties that are. */
function propertiesOf(node, some = false) {
  if (node === undefined) return new Map();
  if (node.type !== 'ObjectExpression') return null;
  const properties = new Map();
  for (const { type, computed, key, value } of node.properties) {
    if (type !== 'Property' || computed) {
      if (some) continue;
      return null;
    }
    properties.set(key.name ?? String(key.value), value);
  }
  return properties;
}

/** The address as an expression of the module: a text, or a template with its values. */
function addressOf(code, path, parameters, query) {
  const written = (node) => `\${encodeURIComponent(${code.slice(node.start, node.end)})}`;
  const text = path.replace(/:(\w+)/g, (_, name) => written(parameters.get(name)));
  const search = [...query].map(([name, node]) => `${name}=${written(node)}`).join('&');
  return `\`${text}${search && `?${search}`}\``;
}

/**
 * `links`: {isFrom, function, routes: by page name {path, query, remote}, ofShell: addresses of
 * the shell's own pages}; `calls`: {isFrom, methods: by name of the function}.
 * Returns {code, program, names, links, calls, faults: [{at: offset in the code, what}]}.
 */
function readModule(code, { links, calls }) {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const constants = constantsOf(program);
  const linkNames = links ? importedFrom(program, links.isFrom) : new Map();
  const jsx = importedFrom(program, (source) => source === 'react/jsx-runtime');
  const callNames = calls ? importedFrom(program, calls.isFrom) : new Map();
  const found = { names: new Set(), links: [], calls: [], faults: [] };
  const edits = [];

  const readLink = (node) => {
    const fault = (what) => found.faults.push({ at: node.start, what });
    const [name, parameters, query] = node.arguments;
    if (name?.type !== 'Literal') return fault(`${links.function}() needs the name of the page written out`);
    const route = links.routes[name.value];
    if (!route)
      return fault(
        `no page is called "${name.value}": pages are named in the remote.json of their remote, and those of remotes elsewhere under "links" in that of this one`,
      );
    const needed = [...route.path.matchAll(/:(\w+)/g)].map(([, one]) => one).sort();
    const [given, search] = [propertiesOf(parameters), propertiesOf(query)];
    if (!given || !search)
      return fault(`${links.function}('${name.value}') needs its values written out as { name: value }`);
    if ([...given.keys()].sort().join() !== needed.join())
      return fault(`${route.path} takes ${needed.length > 0 ? needed.join(', ') : 'no parameters'}`);
    const unknown = [...search.keys()].find((one) => !route.query.includes(one));
    if (unknown !== undefined)
      return fault(`the page ${name.value} does not read "${unknown}": name it under "query" of its route`);
    found.links.push({ path: route.path, query: [...search.keys()], remote: route.remote });
    edits.push({ from: node.start, to: node.end, text: addressOf(code, route.path, given, search) });
  };

  // Every call of it is written out, and nothing else may stand in a module.
  for (const node of program.body)
    if (links && node.type === 'ImportDeclaration' && links.isFrom(node.source.value))
      if (node.specifiers.every(({ local }) => linkNames.get(local.name) === links.function))
        edits.push({ from: node.start, to: node.end, text: '' });

  walk(program, (node, around) => {
    const parent = around.at(-1);
    if (
      node.type === 'Identifier' &&
      linkNames.has(node.name) &&
      linkNames.get(node.name) === links.function &&
      isValue(node, parent)
    )
      found.faults.push({
        at: node.start,
        what: `${links.function} is called where its page is named, and not handed on`,
      });
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') found.names.add(node.name);
    if (node.type === 'Literal' && typeof node.value === 'string' && isName(node.value)) found.names.add(node.value);
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    if (around.some((one) => one.type === 'ImportDeclaration')) return;
    if (linkNames.has(node.callee.name) && linkNames.get(node.callee.name) === links.function) readLink(node);
    const written = links && writtenAddress(node, jsx, constants);
    if (written && !links.ofShell?.includes(written.text)) {
      const [page = 'name of the page'] = Object.keys(links.routes).filter(
        (one) => links.routes[one].path === written.text,
      );
      found.faults.push({
        at: written.at,
        what: `the address ${written.text} is written by hand, so that nothing tells when its page has gone: ${links.function}('${page}')`,
      });
    }
    const method = calls?.methods[callNames.get(node.callee.name)];
    if (!method) return;
    const path = textOf(node.arguments[0], constants);
    if (path === null)
      found.faults.push({
        at: node.start,
        what: `the address of a call must be written out, so that the release can say what it calls`,
      });
    else found.calls.push(`${method} ${path}`);
  });
  return { ...found, program, code: edited(code, edits) };
}

/** Values of a link may hold links: the inner ones are part of the outer text, so only outer ones are written. */
function edited(code, edits) {
  let text = '';
  let end = 0;
  for (const edit of edits.sort((left, right) => left.from - right.from)) {
    if (edit.from < end) continue;
    text += code.slice(end, edit.from) + edit.text;
    end = edit.to;
  }
  return text + code.slice(end);
}

module.exports = { readModule, walk };
