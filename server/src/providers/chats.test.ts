import { ChatServices } from '../../test/support/doubles/chat-services';
import { json } from '../../test/support/doubles/double';
import { Settings } from '../platform/settings/settings';
import { type Chat, postChat, readChats } from './chats';

const services = new ChatServices();
beforeAll(() => services.start());
afterAll(() => services.close());
beforeEach(() => services.reset());

const chatOf = (form: Chat['form']): Chat => {
  const chat = services.chats().find((candidate) => candidate.form === form);
  return { name: 'ops', language: 'en', events: ['order'], ...chat } as Chat;
};
const post = (form: Chat['form'], change: Partial<Chat> = {}) =>
  postChat({ ...chatOf(form), ...change }, '<b>Nike & Co</b> 100 元');

it.each([
  ['slack', '&lt;b&gt;Nike &amp; Co&lt;/b&gt; 100 元', 'ok'],
  ['dingtalk', '<b>Nike & Co</b> 100 元', 'ok'],
  ['feishu', '＜b>Nike & Co＜/b> 100 元', 'success'],
  ['telegram', '<b>Nike & Co</b> 100 元', ''],
] as const)(
  'a message for %s has the documented payload and signature, and its text calls no one',
  async (form, text, answer) => {
    expect(await post(form)).toEqual({ accepted: true, answer, retryAfter: 0 });
    expect(services.accepted).toEqual([{ form, text }]);
  },
);

const tooMany = { ok: false, description: 'Too Many Requests: retry after 35', parameters: { retry_after: 35 } };
it.each([
  ['slack', { status: 400, body: 'invalid_payload' }, 'HTTP 400 invalid_payload', 0],
  ['slack', { status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' }, 'HTTP 429 rate_limited', 30],
  ['slack', { status: 302, headers: { location: 'https://elsewhere.example' } }, 'HTTP 302', 0],
  ['dingtalk', json(200, { errcode: 130101, errmsg: 'send too fast' }), 'code 130101 send too fast', 0],
  ['dingtalk', { status: 200, body: '<html>\n<p>busy</p></html>' }, 'busy', 0],
  ['feishu', json(200, { code: 11232, msg: 'frequency limited' }), 'code 11232 frequency limited', 0],
  ['telegram', json(429, tooMany), 'HTTP 429 Too Many Requests: retry after 35', 35],
  ['telegram', json(429, { ...tooMany, parameters: { retry_after: 1e9 } }), 'HTTP 429', 3_600],
  ['telegram', { status: 200, body: '<'.repeat(5_000_000) }, '<'.repeat(200), 0],
] as const)('%s refuses a message with %j', async (form, fault, answer, retryAfter) => {
  services.faults.set(form, fault);
  expect(await post(form)).toEqual({ accepted: false, answer: expect.stringContaining(answer), retryAfter });
});

it.each<[Chat['form'], Partial<Chat>, string]>([
  ['dingtalk', { secret: undefined }, 'code 310000 sign not match'],
  ['feishu', { secret: 'wrong' }, 'code 19021 sign match fail'],
  ['telegram', { chat: '@nowhere' }, 'HTTP 400 Bad Request: chat not found'],
])('%s with %j is refused with its reason', async (form, change, answer) => {
  expect(await post(form, change)).toMatchObject({ accepted: false, answer: expect.stringContaining(answer) });
});

it('an unreachable service is an error without its address', async () => {
  services.unreachable = true;
  expect((await post('slack')).answer).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
  services.unreachable = false;
});

it.each(['slack', 'dingtalk', 'feishu', 'telegram'] as const)(
  'the answer of a proxy that repeats the address of %s is shown without secrets',
  async (form) => {
    const chat = chatOf(form);
    const { answer } = await post(form, { url: chat.url.replace(services.endpoint, `${services.endpoint}/gone`) });
    expect(answer).toMatch(/^HTTP 404 Cannot POST \/gone\//);
    for (const secret of Object.values(services.secrets)
      .flatMap((text) => text.split(/[/:]/))
      .filter((part) => part.length > 8))
      expect(answer).not.toContain(secret);
    expect(answer).not.toMatch(/sign=[^*]/);
  },
);

const slack = { name: 'ops', form: 'slack', url: 'https://hooks.example/secret', language: 'en', events: ['order'] };
it.each([
  ['[]', ''],
  [JSON.stringify([slack]), ''],
  ['[{"url": "https://hooks.example/secret",}]', 'it is not a JSON list'],
  ['{"url": "https://hooks.example/secret"}', 'it is not a JSON list'],
  [JSON.stringify([{ ...slack, form: 'secret' }]), '/0/form must be equal to one of the allowed values'],
  [JSON.stringify([{ ...slack, name: undefined }]), '/0 must have required properties name'],
  [JSON.stringify([{ ...slack, events: [] }]), '/0/events must not have fewer than 1 items'],
  [JSON.stringify([slack, slack]), 'two chats have the same name'],
  [JSON.stringify([{ ...slack, url: 'http://hooks.example/secret' }]), 'url of ops must be an https address'],
  [JSON.stringify([{ ...slack, form: 'telegram' }]), 'ops needs chat, the chat_id'],
])('STAFF_CHATS=%s has the problem "%s"', (text, fault) => {
  const settings = new Settings({ STAFF_CHATS: text });
  readChats(settings);
  expect(settings.problems).toEqual(fault ? [`STAFF_CHATS cannot be used: ${fault}.`] : []);
});
