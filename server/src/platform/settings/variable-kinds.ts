import { Type } from 'typebox';
import { isWeakSecret, tooEasy } from '../crypto/secret-strength';

interface Documented {
  description: string;
  example?: string;
}
interface Text extends Documented {
  initial?: string;
}
interface Range extends Documented {
  minimum: number;
  maximum?: number;
  initial: number;
}

const documented = ({ description, example }: Documented) => ({
  description,
  ...(example === undefined ? {} : { examples: [example] }),
});

export const text = ({ initial = '', ...about }: Text) => Type.String({ default: initial, ...documented(about) });
export const shaped = (pattern: RegExp, must: string, about: Documented) =>
  Type.String({ default: '', pattern: pattern.source, must, ...documented(about) });
export const choice = <Known extends string>(choices: Known[], initial: NoInfer<Known> | '', about: Documented) =>
  Type.Unsafe<Known>({ enum: choices, default: initial, ...documented(about) });
const rulesOf = (kind: string, { minimum, maximum = Number.MAX_SAFE_INTEGER, initial, ...about }: Range) => {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return { minimum, maximum, default: initial, must: `must be a ${kind} ${range}`, ...documented(about) };
};
export const number = (range: Range) => Type.Number(rulesOf('number', range));
export const whole = (range: Range) => Type.Integer(rulesOf('whole number', range));
export const checked = (isGood: (value: string) => boolean, must: string, { initial = '', ...about }: Text) =>
  Type.Refine(Type.String({ default: initial, must, ...documented(about) }), (value) => isGood(String(value)));

export const onOff = (initial: 'on' | '', about: Documented) => choice(['on', 'off'], initial, about);
export const address = (production: boolean, about: Text) =>
  checked((value) => isUrl(value, webProtocols(production)), 'must be an https address', about);
export const addresses = (production: boolean, about: Documented) =>
  checked(
    (value) => listOf(value).every((item) => isUrl(item, webProtocols(production))),
    'must be https addresses, separated by commas',
    about,
  );
export const secret = (production: boolean, about: Documented) =>
  production ? checked((value) => !isWeakSecret(value), tooEasy, about) : text(about);

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
