import type { AppContext, Job } from '../context';
import type { Sql } from '../platform/db/sql';
import { type Chat, postChat } from '../providers/chats';
import type { chatsOf } from './collect-notices.service';
import { callStaffWebhook, endNotice, putOff } from './send-notices.service';
import { chatText, type StaffNotice } from './staff-texts';

/** A message holds as many notices, so that it stays below the 2,000 characters that Discord accepts. */
const NOTICES_PER_MESSAGE = 5;
/** Seconds. DingTalk accepts 20 messages a minute. */
const EVERY = 6;
/** Another server takes the notices after this time if this one stops. */
const CLAIMED_FOR = '1 minute';

/** A job for each chat, so that a slow service delays no other. */
export const chatJobs = ({ staffNotices }: AppContext['config']): Job[] =>
  staffNotices.chats.map((chat) => ({
    name: `send-to-chat-${chat.name}`,
    every: EVERY,
    run: (context) => sendToChat(context, chat),
  }));

/**
 * Sends the chat's oldest due notices as one message, at least once. Returns their number. Throws what the service answered if it
 * does not accept the message; the notices are due again by the rules of all notices, but not before the time that it names.
 */
export async function sendToChat({ db, config }: AppContext, chat: Chat, timeoutMs?: number): Promise<number> {
  // With an array the selection runs once. The planner may run that of an IN for each row, and each run would claim others.
  const due = await db.rows<StaffNotice & { tries: number }>(
    `update notices set tries = tries + 1, due_at = clock_timestamp() + interval '${CLAIMED_FOR}' where id = any(array(
       select id from notices where state = 'waiting' and channel = 'chat' and data ->> 'to' = $1 and due_at <= clock_timestamp()
        order by id limit ${NOTICES_PER_MESSAGE} for update skip locked))
     returning id, kind, data, tries`,
    [chat.name],
  );
  if (due.length === 0) return 0;
  due.sort((left, right) => left.id - right.id);
  const text = due.map((notice) => chatText(notice, chat.language, config.staffUrl)).join('\n\n');
  const { accepted, answer, retryAfter } = await postChat(chat, text, timeoutMs);
  for (const notice of due)
    if (accepted) await endNotice(db, notice, 'sent');
    else await putOff(db, notice, answer, retryAfter);
  if (!accepted) throw new Error(`chat ${chat.name}: ${answer}`);
  return due.length;
}

const testTexts = {
  'zh-CN': '测试消息：商城的通知会发到这里。',
  en: 'Test message: notices of the shop arrive here.',
};
/** Sends a test message at once. */
export async function testChat(context: AppContext, chat: ReturnType<typeof chatsOf>[number]) {
  const { staffUrl } = context.config;
  if (chat.form !== 'webhook')
    return postChat(chat, [testTexts[chat.language], staffUrl && `${staffUrl}/staff`].filter(Boolean).join('\n'));
  const data = { to: chat.name, at: new Date().toISOString() };
  const answer = await callStaffWebhook(context, { id: 0, kind: 'test', data });
  return { accepted: answer === null, answer: answer ?? '' };
}

/** `fault` is what the service answered to the last message that it did not accept, if notices wait for their repetition. */
export const chatStates = (reads: Pick<Sql, 'rows'>) =>
  reads.rows<{ name: string; waiting: number; sent_at: Date | null; fault: string }>(
    `select data ->> 'to' as name, count(*) filter (where state = 'waiting') as waiting,
            max(ended_at) filter (where state = 'sent') as sent_at,
            coalesce((array_agg(detail order by id desc) filter (where state = 'waiting' and tries > 0 and detail <> ''))[1], '') as fault
       from notices where user_id is null and channel in ('chat', 'webhook') group by 1`,
  );
