import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';

/** Reads environment variables and collects what is wrong with them, a line each; no line holds a value of a secret. */
export class EnvReader {
  constructor(
    private readonly env: NodeJS.ProcessEnv,
    readonly production: boolean,
    readonly problems: string[],
  ) {}

  /** The variable, or the content of the file that NAME_FILE names; '' for neither. */
  text(name: string): string {
    const file = this.env[`${name}_FILE`]?.trim();
    if (!file) return this.env[name]?.trim() ?? '';
    try {
      return fs.readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.problems.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}.`);
      return '';
    }
  }
  need(name: string, because: string, shape: RegExp = /^.+$/s, form = ''): string {
    const value = this.text(name);
    if (!value) this.problems.push(`${name} must be set: ${because}.`);
    else if (!shape.test(value)) this.problems.push(`${name} ${form}.`);
    return value;
  }
  address(name: string, fallback: string): string {
    const value = this.text(name) || fallback;
    if (!value) return '';
    try {
      const url = new URL(value);
      if (url.protocol !== 'https:' && (this.production || url.protocol !== 'http:')) throw new Error('scheme');
      return value.replace(/\/+$/, '');
    } catch {
      this.problems.push(`${name} must be an https address.`);
      return '';
    }
  }
  one<T extends string>(name: string, known: readonly T[], fallback: T): T {
    const value = (this.text(name) || fallback) as T;
    if (!known.includes(value)) {
      this.problems.push(`${name}=${value} is none of ${known.join(', ')}.`);
      return fallback;
    }
    return value;
  }
  noSandbox(name: string): void {
    if (this.production) this.problems.push(`${name} names a sandbox, which does not start with NODE_ENV=production.`);
  }
  /** A PEM key, with real line ends or "\n", or the bare base64 that Alipay's tool writes; as PEM. '' when it is none. */
  key(name: string, kind: 'private' | 'public', because: string): string {
    const value = this.need(name, because);
    if (!value) return '';
    const pem = pemOf(value, kind);
    if (!pem) this.problems.push(`${name} is not a ${kind} key in PEM form.`);
    return pem ?? '';
  }
}

function pemOf(value: string, kind: 'private' | 'public'): string | undefined {
  const text = value.replaceAll('\\n', '\n');
  const bare = text.replace(/\s/g, '');
  const wrap = (label: string) =>
    `-----BEGIN ${label}-----\n${bare.replace(/(.{64})/g, '$1\n').trim()}\n-----END ${label}-----`;
  const forms = text.startsWith('-----BEGIN')
    ? [text]
    : kind === 'private'
      ? [wrap('PRIVATE KEY'), wrap('RSA PRIVATE KEY')]
      : [wrap('PUBLIC KEY')];
  for (const form of forms) {
    try {
      const key: KeyObject =
        kind === 'private'
          ? createPrivateKey(form)
          : form.includes('BEGIN CERTIFICATE')
            ? new X509Certificate(form).publicKey
            : createPublicKey(form);
      if (key.asymmetricKeyType !== 'rsa') continue;
      return key.export({ type: kind === 'private' ? 'pkcs8' : 'spki', format: 'pem' }) as string;
    } catch {
      // the next form
    }
  }
  return undefined;
}
