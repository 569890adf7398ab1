import type { DomainOptions } from '@shop/server/context';
import { chatStates, testChat } from '@shop/server/notices/chats.service';
import { chatsOf } from '@shop/server/notices/collect-notices.service';
import { ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { record } from '../people/record';

const ChatBodySchema = Type.Object({ name: Type.String({ minLength: 1, maxLength: 40 }) });
const call = callFor('notices');

/** Chats of STAFF_CHATS and webhooks of STAFF_WEBHOOK_URL. No answer contains an address, a token or a signing secret. */
export const chatCalls = ({ context, reads }: DomainOptions) => ({
  'GET chats': call({}, async () => {
    const states = await chatStates(reads);
    return chatsOf(context).map(({ name, form, url, language, events }) => {
      const { waiting = 0, sent_at = null, fault = '' } = states.find((state) => state.name === name) ?? {};
      return { name, form, host: new URL(url).host, language, events, waiting, sent_at, fault };
    });
  }),
  'POST chats/test': call({ body: ChatBodySchema }, async ({ body: { name } }) => {
    const chat = chatsOf(context).find((candidate) => candidate.name === name);
    if (!chat) throw new ShopError(ErrorCode.NotFound);
    const { accepted, answer } = await testChat(context, chat);
    await record(context.db, { action: 'chat.test', subject: name, detail: { accepted, answer } });
    return { accepted, answer };
  }),
});
