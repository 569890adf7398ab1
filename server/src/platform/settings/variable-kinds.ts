import { Type } from 'typebox';
import { isWeakSecret, tooEasy } from '../crypto/secret-strength';

interface Options {
  initial?: string;
  example?: string;
}
interface Range {
  minimum: number;
  maximum?: number;
  initial: number;
}

const documented = (description: string, { initial = '', example }: Options = {}) => ({
  default: initial,
  description,
  ...(example === undefined ? {} : { examples: [example] }),
});

export const text = (description: string, options?: Options) => Type.String(documented(description, options));
export const shaped = (description: string, pattern: RegExp, must: string, options?: Options) =>
  Type.String({ pattern: pattern.source, must, ...documented(description, options) });
export const choice = <Known extends string>(description: string, choices: Known[], initial: NoInfer<Known> | '') =>
  Type.Unsafe<Known>({ enum: choices, ...documented(description, { initial }) });
const rulesOf = (description: string, kind: string, { minimum, maximum, initial }: Range) => {
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const most = maximum ?? Number.MAX_SAFE_INTEGER;
  return { minimum, maximum: most, default: initial, must: `must be a ${kind} ${range}`, description };
};
export const number = (description: string, range: Range) => Type.Number(rulesOf(description, 'number', range));
export const whole = (description: string, range: Range) => Type.Integer(rulesOf(description, 'whole number', range));
export const checked = (description: string, isGood: (value: string) => boolean, must: string, options?: Options) =>
  Type.Refine(Type.String({ must, ...documented(description, options) }), (value) => isGood(String(value)));

export const onOff = (description: string, initial: 'on' | '') => choice(description, ['on', 'off'], initial);
export const address = (description: string, production: boolean, options?: Options) =>
  checked(description, (value) => isUrl(value, webProtocols(production)), 'must be an https address', options);
export const addresses = (description: string, production: boolean) =>
  checked(
    description,
    (value) => listOf(value).every((item) => isUrl(item, webProtocols(production))),
    'must be https addresses, separated by commas',
  );
export const secret = (description: string, production: boolean) =>
  production ? checked(description, (value) => !isWeakSecret(value), tooEasy) : text(description);

const webProtocols = (production: boolean) => (production ? ['https:'] : ['https:', 'http:']);

export const listOf = (value: string) => value.split(/[\s,]+/).filter(Boolean);
export const isUrl = (value: string, protocols: readonly string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);
export const isThisMachine = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
/** Requires https, except on this machine, where no one can read the traffic. */
export const isSafeAddress = (value: string) =>
  isUrl(value, ['https:']) || (isUrl(value, ['http:']) && isThisMachine(new URL(value).hostname));
/** Refuses an address with credentials: MAIL_SMTP_USER and MAIL_SMTP_PASSWORD hold these. */
export const isMailServer = (value: string) =>
  /^smtps?:\/\/([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?\/?$/i.test(value) && URL.canParse(value);

export const LONG = /^\S{32,}$/;
export const LONG_ENOUGH = 'must be at least 32 characters long';
