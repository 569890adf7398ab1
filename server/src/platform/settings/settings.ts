import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { StartError } from '../db/database';
import { supplierVariables, variablesOf } from './variables';

type Variables = ReturnType<typeof variablesOf>['properties'];
type TextVariable = {
  [Name in keyof Variables]: Static<Variables[Name]> extends string ? Name : never;
}[keyof Variables];

/** Reads environment variables by their schema and collects their problems, one line each; no line contains the value of a secret. */
export class Settings {
  readonly production: boolean;
  private readonly variables: Variables;
  private readonly faults = new Set<string>();

  constructor(private readonly env: NodeJS.ProcessEnv) {
    this.production = env.NODE_ENV === 'production';
    this.variables = variablesOf(this.production).properties;
  }

  get problems(): string[] {
    return [...this.faults];
  }
  problem(line: string): void {
    this.faults.add(line);
  }
  /** Throws a StartError with every problem, one per line. */
  stopAtProblems(): void {
    if (this.faults.size > 0) throw new StartError(this.problems.join('\n'));
  }

  has(name: keyof Variables): boolean {
    return this.text(name) !== '';
  }
  get<Name extends keyof Variables>(name: Name): Static<Variables[Name]> {
    return this.checked(name, this.variables[name]) as Static<Variables[Name]>;
  }
  need(name: TextVariable, because: string): string {
    if (!this.has(name)) this.problem(`${name} must be set: ${because}.`);
    return this.get(name);
  }
  address(name: TextVariable): string {
    return this.get(name).replace(/\/+$/, '');
  }
  supplier(name: string): { url: string; key: string } {
    const schemas = supplierVariables(this.production);
    const of = (variable: keyof typeof schemas) => {
      const own = variable.replace('<NAME>', name.toUpperCase());
      if (!this.text(own)) this.problem(`${own} must be set: SUPPLIERS names ${name}.`);
      return this.checked(own, schemas[variable]) as string;
    };
    return { url: of('SUPPLIER_<NAME>_URL').replace(/\/+$/, ''), key: of('SUPPLIER_<NAME>_KEY') };
  }
  noSandbox(name: string): void {
    if (this.production) this.problem(`${name} names a sandbox, which does not start with NODE_ENV=production.`);
  }
  /**
   * Returns a PEM key. The input is PEM with real line ends or "\n", or the plain base64 that Alipay's tool writes. '' for an invalid key.
   */
  key(name: TextVariable, kind: 'private' | 'public', because: string): string {
    const value = this.need(name, because);
    const pem = value && pemOf(value, kind);
    if (value && !pem) this.problem(`${name} is not a ${kind} key in PEM form.`);
    return pem ?? '';
  }

  /** The variable, or the content of the file that NAME_FILE names; '' for neither. */
  private text(name: string): string {
    const file = this.env[`${name}_FILE`]?.trim();
    if (!file) return this.env[name]?.trim() ?? '';
    try {
      return fs.readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.problem(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}.`);
      return '';
    }
  }
  /** A malformed value is returned unchanged, because its problem stops the start. */
  private checked(name: string, schema: TSchema & { must?: string; default?: unknown; enum?: string[] }): unknown {
    const text = this.text(name);
    if (!text) return schema.default;
    const value = typeof schema.default === 'number' ? Number(text) : text;
    if (!Value.Check(schema, value))
      this.problem(schema.enum ? `${name}=${text} is none of ${schema.enum.join(', ')}.` : `${name} ${schema.must}.`);
    return value;
  }
}

function pemOf(value: string, kind: 'private' | 'public'): string | undefined {
  const text = value.replaceAll('\\n', '\n');
  const der = { key: Buffer.from(text, 'base64'), format: 'der' } as const;
  const forms: Array<() => KeyObject> =
    kind === 'private'
      ? [
          () => createPrivateKey(text),
          () => createPrivateKey({ ...der, type: 'pkcs8' }),
          () => createPrivateKey({ ...der, type: 'pkcs1' }),
        ]
      : [
          () => new X509Certificate(text).publicKey,
          () => createPublicKey(text),
          () => createPublicKey({ ...der, type: 'spki' }),
        ];
  for (const read of forms) {
    try {
      const key = read();
      if (key.asymmetricKeyType === 'rsa')
        return key.export({ type: kind === 'private' ? 'pkcs8' : 'spki', format: 'pem' }) as string;
    } catch {
      // The key may have the next form.
    }
  }
  return undefined;
}
