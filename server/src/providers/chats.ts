import { createHmac } from 'node:crypto';
import { type Static, Type } from 'typebox';
import Value from 'typebox/value';
import { LocaleSchema } from '../platform/http/schemas';
import type { Settings } from '../platform/settings/settings';
import { isSafeAddress } from '../platform/settings/variable-kinds';
import { parseObject } from './parse';

const events = ['order', 'to-deliver', 'order-on-hold', 'low-stock', 'cost-above-price', 'refund', 'release'] as const;
export type ChatEvent = (typeof events)[number];

const ChatSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    form: Type.Enum(['slack', 'dingtalk', 'feishu', 'telegram']),
    /** The service's address of the chat. It holds a secret. */
    url: Type.String(),
    language: LocaleSchema,
    events: Type.Array(Type.Enum(events), { minItems: 1 }),
    /** Signs messages for DingTalk and Feishu; absent if the robot asks for no signature. */
    secret: Type.Optional(Type.String({ minLength: 1 })),
    /** Telegram's chat_id. */
    chat: Type.Optional(Type.String({ pattern: '^(-?\\d+|@\\w+)$' })),
  },
  { additionalProperties: false },
);
/** A group chat that gets notices. */
export type Chat = Static<typeof ChatSchema>;

const ChatsSchema = Type.Array(ChatSchema);

/** Parses STAFF_CHATS, a JSON list of chats. A problem names the place, without the value. */
export function readChats(settings: Settings): Chat[] {
  const text = settings.get('STAFF_CHATS');
  if (!text) return [];
  const refuse = (fault: string): Chat[] => {
    settings.problem(`STAFF_CHATS cannot be used: ${fault}.`);
    return [];
  };
  const chats = parseObject(text);
  if (!Array.isArray(chats)) return refuse('it is not a JSON list');
  if (!Value.Check(ChatsSchema, chats)) {
    const [fault] = Value.Errors(ChatsSchema, chats);
    return refuse(`${fault?.instancePath} ${fault?.message}`);
  }
  if (new Set(chats.map(({ name }) => name)).size < chats.length) return refuse('two chats have the same name');
  for (const { name, form, url, chat } of chats) {
    if (!isSafeAddress(url)) return refuse(`url of ${name} must be an https address`);
    if (form === 'telegram' && !chat) return refuse(`${name} needs chat, the chat_id`);
  }
  return chats;
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64');

/** Only DingTalk gets its signature in the address; `now` in milliseconds. */
const addressOf = ({ form, url, secret }: Chat, now: number) =>
  form === 'dingtalk' && secret
    ? `${url}&timestamp=${now}&sign=${encodeURIComponent(hmac(secret, `${now}\n${secret}`))}`
    : url;

/** The documented bodies of a message of plain text; `now` in milliseconds. */
const bodies: Record<Chat['form'], (text: string, chat: Chat, now: number) => object> = {
  slack: (text) => ({ text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') }),
  dingtalk: (text) => ({ msgtype: 'text', text: { content: text } }),
  feishu: (text, { secret }, now) => {
    const timestamp = String(Math.floor(now / 1000));
    // The time and the secret are the key, and the signed message is empty.
    const signature = secret ? { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') } : {};
    // A tag such as <at user_id="all"> would call everyone.
    return { ...signature, msg_type: 'text', content: { text: text.replaceAll('<', '＜') } };
  },
  telegram: (text, { chat }) => ({ chat_id: chat, text, link_preview_options: { is_disabled: true } }),
};

type ServiceAnswer = Record<string, unknown> & { parameters?: { retry_after?: unknown } };
/** Services except Slack answer 200 to a message that they refuse. */
const accepts: Record<Chat['form'], (answer: ServiceAnswer) => boolean> = {
  slack: () => true,
  dingtalk: ({ errcode }) => errcode === 0,
  feishu: ({ code, StatusCode }) => (code ?? StatusCode) === 0,
  telegram: ({ ok }) => ok === true,
};

const TIMEOUT_MS = 5_000;
/** Characters of an answer. Telegram repeats the message. */
const MAX_ANSWER = 64_000;
const MAX_WORDS = 200;
const MAX_WAIT_SECONDS = 3_600;

/**
 * Sends a message of plain text, without following redirects. Never throws. `answer` is what the service answered, or the network error,
 * without secrets; `retryAfter` the seconds that it asks to wait, 0 if it names none.
 */
export async function postChat(chat: Chat, text: string, timeoutMs = TIMEOUT_MS) {
  const now = Date.now();
  const url = addressOf(chat, now);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(bodies[chat.form](text, chat, now)),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    });
    const content = (await response.text()).slice(0, MAX_ANSWER);
    const parsed = parseObject(content) as ServiceAnswer;
    const { errcode, errmsg, code, msg, description, parameters } = parsed;
    const number = errcode ?? code;
    const words = [
      ...(response.ok ? [] : [`HTTP ${response.status}`]),
      ...(number ? [`code ${number}`] : []),
      errmsg ?? msg ?? description ?? (content.startsWith('{') ? '' : content.replace(/<[^<>]*>/g, ' ')),
    ];
    const wait = Number(parameters?.retry_after ?? response.headers.get('retry-after'));
    return {
      accepted: response.ok && accepts[chat.form](parsed),
      answer: withoutSecrets(words.join(' ').replace(/\s+/g, ' ').trim(), url, chat).slice(0, MAX_WORDS),
      retryAfter: wait > 0 ? Math.min(wait, MAX_WAIT_SECONDS) : 0,
    };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return { accepted: false, answer: cause?.code ?? name, retryAfter: 0 };
  }
}

/** A proxy's page of an error may repeat the address. */
function withoutSecrets(text: string, sentTo: string, { url, secret = '' }: Chat): string {
  const { pathname, search, searchParams } = new URL(sentTo);
  const parts = `${pathname}${search}`.split(/\/(?:bot)?|[?&=]/);
  const secrets = [url, sentTo, secret, ...parts, ...searchParams.values()]
    .filter((part) => part.length >= 8)
    .sort((left, right) => right.length - left.length);
  return secrets.reduce((shown, part) => shown.replaceAll(part, '***'), text);
}
