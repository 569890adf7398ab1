import { createHmac } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse, json } from './double';

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64');
const isFresh = (time: unknown, unit: number) => Math.abs(Date.now() - Number(time) * unit) < 3_600_000;

/**
 * Slack (Mattermost, Discord's /slack), DingTalk's custom robot, Feishu's custom bot and Telegram's Bot API, as their documentation
 * describes payload, signature, limits and errors.
 */
export class ChatServices extends Double {
  readonly secrets = {
    slack: 'T00000000/B00000000/XXXXXXXXXXXXXXXX',
    dingtalk: 'dingtalk-access-token-0123',
    dingtalkSign: 'SEC-dingtalk-sign-0123',
    feishu: 'feishu-hook-0123-4567',
    feishuSign: 'feishu-sign-0123',
    telegram: '123456:telegram-bot-token',
  };
  readonly accepted: Array<{ form: string; text: string }> = [];
  /** Replaces the answers of these services; a function never answers. */
  readonly faults = new Map<string, DoubleResponse | (() => void)>();

  readonly chats = () => {
    const { slack, dingtalk, dingtalkSign, feishu, feishuSign, telegram } = this.secrets;
    const base = this.endpoint;
    return [
      { form: 'slack', url: `${base}/services/${slack}` },
      { form: 'dingtalk', url: `${base}/robot/send?access_token=${dingtalk}`, secret: dingtalkSign },
      { form: 'feishu', url: `${base}/open-apis/bot/v2/hook/${feishu}`, secret: feishuSign },
      { form: 'telegram', url: `${base}/bot${telegram}/sendMessage`, chat: '-1001234' },
    ] as const;
  };
  env(): NodeJS.ProcessEnv {
    const events = ['order', 'to-deliver', 'order-on-hold', 'low-stock', 'cost-above-price', 'refund', 'release'];
    const chats = this.chats().flatMap((chat) =>
      ['zh-CN', 'en'].map((language) => ({ name: `${chat.form}-${language.slice(0, 2)}`, language, events, ...chat })),
    );
    return { STAFF_CHATS: JSON.stringify(chats) };
  }
  reset(): void {
    this.accepted.length = 0;
    this.faults.clear();
    this.requests = 0;
    this.unreachable = false;
  }

  protected answer({ url, headers, body, bytes }: DoubleRequest): DoubleResponse | Promise<undefined> {
    const { pathname, searchParams } = new URL(url, this.endpoint);
    const { slack, dingtalk, dingtalkSign, feishu, feishuSign, telegram } = this.secrets;
    const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
    const content = isJson ? JSON.parse(body) : {};
    const accept = (form: string, text: string, answer: DoubleResponse) => {
      const fault = this.faults.get(form);
      if (typeof fault === 'function') return new Promise<undefined>(() => {});
      if (fault) return fault;
      this.accepted.push({ form, text });
      return answer;
    };
    const refuse = (answer: DoubleResponse) => {
      this.refusals.push(body);
      return answer;
    };
    switch (pathname) {
      case `/services/${slack}`:
        return typeof content.text === 'string' &&
          Object.keys(content).length === 1 &&
          !/[<>]|&(?!amp;|lt;|gt;)/.test(content.text)
          ? accept('slack', content.text, { status: 200, body: 'ok' })
          : refuse({ status: 400, body: 'invalid_payload' });
      case '/robot/send': {
        const [timestamp, sign] = [searchParams.get('timestamp'), searchParams.get('sign')];
        const isSigned = isFresh(timestamp, 1) && sign === hmac(dingtalkSign, `${timestamp}\n${dingtalkSign}`);
        if (searchParams.get('access_token') !== dingtalk)
          return refuse(json(200, { errcode: 300001, errmsg: 'token is not exist' }));
        if (!isSigned) return refuse(json(200, { errcode: 310000, errmsg: 'sign not match' }));
        return content.msgtype === 'text' && typeof content.text?.content === 'string' && bytes.length <= 20_000
          ? accept('dingtalk', content.text.content, json(200, { errcode: 0, errmsg: 'ok' }))
          : refuse(json(200, { errcode: 40035, errmsg: 'missing parameter json' }));
      }
      case `/open-apis/bot/v2/hook/${feishu}`: {
        const { timestamp, sign, msg_type, content: message } = content;
        if (
          !isFresh(timestamp, 1000) ||
          typeof timestamp !== 'string' ||
          sign !== hmac(`${timestamp}\n${feishuSign}`, '')
        )
          return refuse(
            json(200, { code: 19021, msg: 'sign match fail or timestamp is not within one hour from current time' }),
          );
        return msg_type === 'text' && typeof message?.text === 'string' && bytes.length <= 20_000
          ? accept('feishu', message.text, json(200, { code: 0, msg: 'success', data: {} }))
          : refuse(json(200, { code: 9499, msg: 'Bad Request', data: {} }));
      }
      case `/bot${telegram}/sendMessage`:
        if (content.chat_id !== '-1001234')
          return refuse(json(400, { ok: false, error_code: 400, description: 'Bad Request: chat not found' }));
        return typeof content.text === 'string' &&
          content.text.length > 0 &&
          content.text.length <= 4096 &&
          !('parse_mode' in content)
          ? accept('telegram', content.text, json(200, { ok: true, result: { message_id: 1, text: content.text } }))
          : refuse(json(400, { ok: false, error_code: 400, description: 'Bad Request: message is too long' }));
      default:
        return refuse({ status: 404, headers: { 'content-type': 'text/html' }, body: `<pre>Cannot POST ${url}</pre>` });
    }
  }
}
