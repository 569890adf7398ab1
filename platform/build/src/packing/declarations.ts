/** The declarations of what squads import, and what of them an entry point exposes. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import ts from 'typescript';

/** Writes `<output>/<workspace>/…/<file>.d.ts`, each with its map. Throws what the compiler finds wrong. `project`: a tsconfig, from the root. */
export function emitDeclarations({ root, project, output }: { root: string; project: string; output: string }): void {
  const tsc = path.join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  try {
    const args = [tsc, '-p', project, '--outDir', output];
    execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`the declarations do not compile:\n${(error as { stdout?: string }).stdout ?? error}`);
  }
}

export interface Surface {
  /** What the entry point exports. */
  names: string[];
  /** The exported declarations and those that they name, without comments, sorted. */
  declarations: string[];
  /** Absolute paths of the files that these are in. */
  files: string[];
}

/** What each of these declaration files exports. Only relative imports are followed: a package is named by what is imported of it. */
export function surfacesOf(entries: readonly string[]): Surface[] {
  const options: ts.CompilerOptions = { noLib: true, types: [], noEmit: true, skipLibCheck: true };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const base = path.resolve(path.dirname(from), text);
      const found =
        text.startsWith('.') && [`${base}.d.ts`, `${base}/index.d.ts`].find((file) => ts.sys.fileExists(file));
      return { resolvedModule: found ? { resolvedFileName: found, extension: ts.Extension.Dts } : undefined };
    });
  const program = ts.createProgram([...entries], options, host);
  return entries.map((entry) => surfaceOf(program, entry));
}

function surfaceOf(program: ts.Program, entry: string): Surface {
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${entry} exports nothing`);
  const seen = new Set<ts.Node>();
  const declarations = new Set<string>();
  const files = new Set([entry]);

  const visit = (symbol: ts.Symbol): void => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    const places = target.declarations ?? [];
    // An alias whose target is not known is of another package.
    if (places.length === 0 && isAlias) for (const each of symbol.declarations ?? []) declarations.add(imported(each));
    for (const statement of places.map(topLevelOf)) {
      if (!statement || seen.has(statement)) continue;
      seen.add(statement);
      const source = statement.getSourceFile();
      files.add(source.fileName);
      declarations.add(printer.printNode(ts.EmitHint.Unspecified, statement, source));
      visitNames(statement);
    }
  };
  const visitNames = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol) visit(symbol);
    }
    ts.forEachChild(node, visitNames);
  };

  const exported = checker.getExportsOfModule(module);
  for (const symbol of exported) visit(symbol);
  return {
    names: exported.map(({ name }) => name).sort(),
    declarations: [...declarations].sort(),
    files: [...files].sort(),
  };
}

/** The statement of a file or of a `declare module` that a declaration is in; none for a type parameter or a member. */
function topLevelOf(declaration: ts.Node): ts.Statement | undefined {
  let node = declaration;
  if (ts.isVariableDeclaration(node)) node = node.parent.parent;
  return ts.isStatement(node) && ts.isSourceFile(node.parent) ? node : undefined;
}

/** 'import { useFormik } of "formik"' */
function imported(declaration: ts.Node): string {
  let from: ts.Node = declaration;
  while (from.parent && !ts.isImportDeclaration(from) && !ts.isExportDeclaration(from)) from = from.parent;
  const specifier = ts.isImportDeclaration(from) || ts.isExportDeclaration(from) ? from.moduleSpecifier?.getText() : '';
  if (/^['"]\./.test(specifier ?? '')) throw new Error(`${declaration.getSourceFile().fileName} lacks ${specifier}`);
  return `import { ${declaration.getText()} } from ${specifier};`;
}
