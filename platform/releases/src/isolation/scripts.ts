/**
 * Finds what a script of a remote changes for all others in the document: globals, built-in objects and prototypes, the document's
 * own elements, storage under keys that are not the remote's. It follows names for globals (`const w = window`) within a file, not
 * through calls: it catches mistakes and libraries, no code that hides what it does.
 */
import { type AnyNode, type CallExpression, type Identifier, type MemberExpression, type Program, parse } from 'acorn';
import { analyze, type Scope, type Variable } from 'eslint-scope';
import type { Finding } from './finding';

export interface ScriptOwner {
  /** The remote's name. */
  remote: string;
  /** The global that its entry defines. */
  container: string;
}

/** Names of the global object. */
const windows = new Set(['window', 'self', 'globalThis', 'top', 'parent', 'frames', 'global']);
/**
 * Writes that every page may do: a navigation; the title of the page on screen, which the shell sets again at the next; and the
 * platform's own attribute that keeps the shell from reloading (`data-holds`, which remotes may set).
 */
const allowedWrites =
  /^(location(\.(href|hash|search|pathname))?|document\.title|document\.documentElement\.dataset\.holds)$/;

/**
 * Written by libraries that the platform has too, which a build of the official plugin carries with it: the plugin's own runtime
 * keeps its registry in globals, and react-router its version and the transitions of the tab.
 */
const libraryWrites = /^(__FEDERATION__|__VMOK__|__GLOBAL_LOADING_REMOTE_ENTRY__|__reactRouterVersion)(\.|$)/;
const libraryKeys = ['remix-router-transitions'];
/** The runtime's loader for Node names a global after the remote that it loads. */
const federationGlobal = '__FEDERATION_';

/** Functions that change the object in their first argument. */
const changers = new Set(
  [
    [
      'Object',
      ['assign', 'defineProperty', 'defineProperties', 'setPrototypeOf', 'freeze', 'seal', 'preventExtensions'],
    ],
    ['Reflect', ['set', 'defineProperty', 'deleteProperty', 'setPrototypeOf', 'preventExtensions']],
  ].flatMap(([object, names]) => (names as string[]).map((name) => `${object}.${name}`)),
);
/** Methods that change an element or its attributes, on the elements that all pages share. */
const sharedElement =
  /^document\.(documentElement|body)\.((append|appendChild|prepend|insertBefore|replaceChildren|replaceWith|remove|insertAdjacent\w+|setAttribute|removeAttribute|toggleAttribute)|classList\.\w+|style\.\w+)$/;
/** Calls whose effect is on the whole document or origin. */
const documentCalls = /^(document\.(write|writeln|open)|navigator\.serviceWorker\..+)$/;
const sheets = /^document\.adoptedStyleSheets\b/;
const elementFactories = new Set(['createElement', 'jsx', 'jsxs', 'jsxDEV']);
/** First argument is a name that the whole origin shares. */
const namedStores = /^(indexedDB\.(open|deleteDatabase)|caches\.(open|delete))$/;
const webStorage = /^(localStorage|sessionStorage)$/;
const storageReads = new Set(['getItem', 'key', 'length']);
/** What a prototype is called whose owner is not known. */
const somePrototype = '(prototype)';

export function findGlobalChanges(code: string, owner: ScriptOwner): Finding[] {
  let program: Program;
  try {
    program = parse(code, { ecmaVersion: 'latest', sourceType: 'script', locations: true, ranges: true });
  } catch (error) {
    const { loc, message } = error as SyntaxError & { loc?: { line: number; column: number } };
    return [{ line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1, what: `cannot be read: ${message}` }];
  }
  return new ScriptCheck(program, owner).findings;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as AnyNode).type === 'string';

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flat().filter(isNode);
}

class ScriptCheck {
  readonly findings: Finding[] = [];
  private readonly parents = new Map<AnyNode, AnyNode>();
  /** Of each identifier that is used as a value. Null: no declaration in this file, so a global of the browser. */
  private readonly variables = new Map<AnyNode, Variable | null>();
  private readonly resolving = new Set<unknown>();

  constructor(
    program: Program,
    private readonly owner: ScriptOwner,
  ) {
    const scopes = analyze(program as never, { ecmaVersion: 2022, sourceType: 'script', ignoreEval: true });
    const declared = scopes.globalScope as Scope;
    for (const scope of scopes.scopes) {
      for (const reference of scope.references) {
        const { identifier } = reference;
        const variable = reference.resolved ?? declared.set.get(identifier.name) ?? null;
        this.variables.set(identifier as unknown as AnyNode, variable);
      }
    }
    for (const variable of declared.variables) {
      const [definition] = variable.defs;
      if (definition && variable.name !== owner.container) {
        this.add(definition.name as unknown as AnyNode, `declares the global "${variable.name}"`);
      }
    }
    this.linkParents(program);
    this.visit(program);
  }

  private add(node: AnyNode, what: string): void {
    const { line = 1, column = 0 } = node.loc?.start ?? {};
    this.findings.push({ line, column: column + 1, what });
  }

  private linkParents(node: AnyNode): void {
    for (const child of childrenOf(node)) {
      this.parents.set(child, node);
      this.linkParents(child);
    }
  }

  private visit(node: AnyNode): void {
    this.check(node);
    for (const child of childrenOf(node)) this.visit(child);
  }

  private check(node: AnyNode): void {
    switch (node.type) {
      case 'AssignmentExpression':
      case 'ForInStatement':
      case 'ForOfStatement':
        this.checkTarget(node.left);
        break;
      case 'UpdateExpression':
        this.checkTarget(node.argument);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.checkTarget(node.argument);
        break;
      case 'NewExpression':
        if (this.pathOf(node.callee) === 'CSSStyleSheet') this.add(node, 'makes a style sheet for the whole document');
        break;
      case 'CallExpression':
        this.checkCall(node);
        break;
      case 'Identifier':
      case 'MemberExpression':
        this.checkStorageUse(node);
    }
  }

  /** What is written: a name, a member, or each of a destructuring pattern. */
  private checkTarget(target: AnyNode): void {
    switch (target.type) {
      case 'ArrayPattern':
      case 'ObjectPattern':
      case 'RestElement':
        for (const part of childrenOf(target)) this.checkTarget(part);
        break;
      case 'Property':
        this.checkTarget(target.value);
        break;
      case 'AssignmentPattern':
        this.checkTarget(target.left);
        break;
      case 'Identifier':
        if (this.variables.get(target) === null) this.checkWrite(target, target.name);
        break;
      case 'MemberExpression': {
        const object = this.pathOf(target.object);
        if (object === undefined) break;
        if (this.isFederationGlobal(target)) break;
        if (!webStorage.test(object)) this.checkWrite(target, join(object, keyOf(target)));
        else this.checkKey(target, object, target.computed ? target.property : null, keyOf(target));
      }
    }
  }

  /** `globalThis[name || "__FEDERATION_…"]` */
  private isFederationGlobal({ property, computed }: MemberExpression): boolean {
    if (!computed || property.type !== 'Identifier') return false;
    const definition = this.variables.get(property)?.defs[0]?.node as unknown as AnyNode | undefined;
    const init = definition?.type === 'VariableDeclarator' ? definition.init : undefined;
    if (init?.type !== 'LogicalExpression') return false;
    return this.textsOf(init.right)?.every((text) => text.startsWith(federationGlobal)) ?? false;
  }

  private checkWrite(node: AnyNode, path: string): void {
    const { container } = this.owner;
    const chunks = new RegExp(`^(rspack|webpack)(Chunk|HotUpdate)_?${container}(\\.push)?$`);
    const isOwn = path === container || chunks.test(path);
    if (isOwn || allowedWrites.test(path) || libraryWrites.test(path)) return;
    this.add(node, `writes ${path.startsWith('*') ? 'a global whose name is computed' : path}`);
  }

  private checkCall(call: CallExpression): void {
    const { callee } = call;
    const [first] = call.arguments;
    const path = callee.type === 'Super' ? undefined : this.pathOf(callee);
    if (path !== undefined && changers.has(path) && first) {
      const object = this.pathOf(first);
      if (object !== undefined) {
        const keyed = /^(Object\.defineProperty|Reflect\.(set|defineProperty|deleteProperty))$/.test(path);
        const [key] = keyed && call.arguments[1] ? (this.textsOf(call.arguments[1]) ?? ['*']) : [''];
        if (webStorage.test(object)) this.add(call, `changes ${object} by ${path}`);
        else this.checkWrite(call, key ? join(object, key) : object || 'the global object');
      }
    }
    if (path !== undefined && sharedElement.test(path)) this.add(call, `changes elements outside its pages: ${path}()`);
    if (path !== undefined && sheets.test(path)) this.add(call, 'changes the style sheets of the document');
    if (path !== undefined && documentCalls.test(path)) this.add(call, `calls ${path}()`);
    if (path !== undefined && namedStores.test(path))
      this.checkKey(call, path.split('.')[0] ?? '', first ?? null, null);
    this.checkStorageCall(call);
    const method = calledName(callee);
    if (method === 'insertRule') this.add(call, 'adds a style rule to the document');
    if (elementFactories.has(method) && first?.type === 'Literal' && first.value === 'style') {
      this.add(call, 'makes a <style> element, whose rules apply to the whole document');
    }
  }

  private checkStorageCall({ callee, arguments: [key] }: CallExpression): void {
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return;
    const object = this.pathOf(callee.object);
    if (object === undefined || !webStorage.test(object)) return;
    const method = keyOf(callee);
    if (method === 'setItem' || method === 'removeItem') this.checkKey(callee, object, key ?? null, null);
    else if (!storageReads.has(method)) this.add(callee, `calls ${object}.${method}(), which concerns keys of others`);
  }

  /** `text` is the key where it is written out, else it is what `key` evaluates to. */
  private checkKey(node: AnyNode, store: string, key: AnyNode | null, text: string | null): void {
    const texts = key ? this.textsOf(key) : [text ?? ''];
    const prefixes = [`${this.owner.remote}.`, `${this.owner.remote}:`];
    const isAllowed = (text: string) =>
      libraryKeys.includes(text) || prefixes.some((prefix) => text.startsWith(prefix));
    const foreign = texts?.find((text) => !isAllowed(text));
    if (texts && foreign === undefined) return;
    const found = texts ? `"${foreign}"` : 'a key that is computed';
    this.add(node, `writes ${found} in ${store}: keys must start with "${this.owner.remote}."`);
  }

  /** Storage that is handed on is out of sight. */
  private checkStorageUse(node: Identifier | MemberExpression): void {
    const path = node.type === 'Identifier' && !this.variables.has(node) ? undefined : this.pathOf(node);
    if (path === undefined) return;
    if (path === 'Storage.prototype') this.add(node, `uses ${path}: call the method of localStorage or sessionStorage`);
    if (!webStorage.test(path)) return;
    const parent = this.parents.get(node);
    const isUsedHere =
      (parent?.type === 'MemberExpression' && parent.object === node) ||
      (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') ||
      (parent?.type === 'MemberExpression' && parent.property === node) ||
      (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') ||
      parent?.type === 'ConditionalExpression' ||
      parent?.type === 'LogicalExpression' ||
      parent?.type === 'AssignmentExpression';
    if (!isUsedHere) this.add(node, `hands ${path} on: call its methods where its keys can be seen`);
  }

  /**
   * The browser's object that an expression stands for, from the global object on: 'document.body', '' for the global object itself.
   * Undefined for all else.
   */
  private pathOf(node: AnyNode): string | undefined {
    switch (node.type) {
      case 'Identifier': {
        const variable = this.variables.get(node);
        if (variable === undefined) return undefined;
        if (node.name === 'undefined') return undefined;
        if (variable === null) return windows.has(node.name) ? '' : node.name;
        return this.pathOfVariable(variable);
      }
      case 'ThisExpression':
        return this.isTopLevel(node) ? '' : undefined;
      case 'MemberExpression': {
        const key = keyOf(node);
        const object = node.object.type === 'Super' ? undefined : this.pathOf(node.object);
        if (object !== undefined) return join(object, key);
        const isConstructor = node.object.type === 'MemberExpression' && keyOf(node.object) === 'constructor';
        return key === '__proto__' || (key === 'prototype' && isConstructor) ? somePrototype : undefined;
      }
      case 'ConditionalExpression':
        return this.pathOf(node.consequent) ?? this.pathOf(node.alternate);
      case 'LogicalExpression':
        return this.pathOf(node.left) ?? this.pathOf(node.right);
      case 'AssignmentExpression':
        return node.operator === '=' ? this.pathOf(node.right) : undefined;
      case 'SequenceExpression':
        return node.expressions.length > 0 ? this.pathOf(node.expressions.at(-1) as AnyNode) : undefined;
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.pathOf(node.expression);
      case 'CallExpression':
        return this.pathOfCall(node);
    }
    return undefined;
  }

  private pathOfCall({ callee, arguments: [first] }: CallExpression): string | undefined {
    // `Function("return this")()`
    const source =
      callee.type === 'CallExpression' || callee.type === 'NewExpression'
        ? this.pathOf(callee.callee as AnyNode)
        : undefined;
    if (source === 'Function') return '';
    const path = callee.type === 'Super' ? undefined : this.pathOf(callee);
    if (path !== 'Object.getPrototypeOf' && path !== 'Reflect.getPrototypeOf') return undefined;
    return first ? somePrototype : undefined;
  }

  private pathOfVariable(variable: Variable): string | undefined {
    if (this.resolving.has(variable)) return undefined;
    this.resolving.add(variable);
    try {
      for (const definition of variable.defs) {
        const path = this.pathOfDefinition(
          variable.name,
          definition as unknown as { type: string; name: AnyNode; node: AnyNode },
        );
        if (path !== undefined) return path;
      }
      for (const { writeExpr, identifier } of variable.references) {
        const path =
          writeExpr && this.isPlainWrite(identifier) ? this.pathOf(writeExpr as unknown as AnyNode) : undefined;
        if (path !== undefined) return path;
      }
      return undefined;
    } finally {
      this.resolving.delete(variable);
    }
  }

  private pathOfDefinition(
    name: string,
    { type, name: identifier, node }: { type: string; name: AnyNode; node: AnyNode },
  ): string | undefined {
    if (type === 'Variable' && node.type === 'VariableDeclarator' && node.init) {
      if (node.id === identifier) return this.pathOf(node.init);
      if (node.id.type !== 'ObjectPattern') return undefined;
      const object = this.pathOf(node.init);
      const property = node.id.properties.find((one) => one.type === 'Property' && nameOf(one.value) === name);
      return object !== undefined && property?.type === 'Property'
        ? join(object, nameOf(property.key) ?? '*')
        : undefined;
    }
    // A function that is called where it stands: (function (w) { … })(window)
    if (type === 'Parameter' && (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression')) {
      const call = this.parents.get(node);
      if (call?.type !== 'CallExpression' || call.callee !== node) return undefined;
      const value = call.arguments[node.params.findIndex((parameter) => nameOf(parameter) === name)];
      return value ? this.pathOf(value) : undefined;
    }
    return undefined;
  }

  private isTopLevel(node: AnyNode): boolean {
    for (let one = this.parents.get(node); one; one = this.parents.get(one)) {
      if (/^(Function|Class|PropertyDefinition|StaticBlock)/.test(one.type)) return false;
    }
    return true;
  }

  /** How the texts start that an expression may evaluate to; undefined when that is not known. */
  private textsOf(node: AnyNode): string[] | undefined {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : undefined;
      case 'TemplateLiteral': {
        const start = node.quasis[0]?.value.cooked ?? '';
        return start || !node.expressions[0] ? [start] : this.textsOf(node.expressions[0]);
      }
      case 'BinaryExpression':
        return node.operator === '+' && node.left.type !== 'PrivateIdentifier' ? this.textsOf(node.left) : undefined;
      case 'CallExpression': {
        // "a".concat(b), into which compilers turn templates
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || keyOf(callee) !== 'concat' || callee.object.type === 'Super')
          return undefined;
        return this.textsOf(callee.object);
      }
      case 'ConditionalExpression': {
        const [left, right] = [this.textsOf(node.consequent), this.textsOf(node.alternate)];
        return left && right && [...left, ...right];
      }
      case 'Identifier':
        return this.textsOfVariable(this.variables.get(node) ?? null);
    }
    return undefined;
  }

  /** Known when each of its values is. */
  private textsOfVariable(variable: Variable | null): string[] | undefined {
    if (!variable || this.resolving.has(variable) || variable.defs.some(({ type }) => type !== 'Variable'))
      return undefined;
    this.resolving.add(variable);
    const texts = variable.references
      .filter((reference) => reference.isWrite())
      .map(({ writeExpr, identifier }) =>
        writeExpr && this.isPlainWrite(identifier) ? this.textsOf(writeExpr as unknown as AnyNode) : undefined,
      );
    this.resolving.delete(variable);
    return texts.length > 0 && texts.every((each) => each !== undefined) ? texts.flat() : undefined;
  }

  /** `name = …`, also where it is declared; no pattern and no `+=`. */
  private isPlainWrite(identifier: unknown): boolean {
    const parent = this.parents.get(identifier as AnyNode);
    if (parent?.type === 'VariableDeclarator') return parent.id === identifier;
    return parent?.type === 'AssignmentExpression' && parent.operator === '=' && parent.left === identifier;
  }
}

const nameOf = (node: AnyNode): string | undefined =>
  node.type === 'Identifier' ? node.name : node.type === 'AssignmentPattern' ? nameOf(node.left) : undefined;

/** `(0, runtime.jsx)(…)` calls `jsx`. */
function calledName(callee: AnyNode): string {
  if (callee.type === 'SequenceExpression') return calledName(callee.expressions.at(-1) as AnyNode);
  return callee.type === 'MemberExpression' ? keyOf(callee) : (nameOf(callee) ?? '');
}

/** The name of a member; '*' when it is computed. */
function keyOf({ property, computed }: MemberExpression): string {
  if (!computed) return property.type === 'Identifier' || property.type === 'PrivateIdentifier' ? property.name : '*';
  return property.type === 'Literal' ? String(property.value) : '*';
}

/** `window.document.defaultView.x` is `x`. */
function join(object: string, key: string): string {
  if ((object === '' && windows.has(key)) || (object === 'document' && key === 'defaultView')) return '';
  return object === '' ? key : `${object}.${key}`;
}
