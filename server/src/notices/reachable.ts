import { type NoticeKindName, noticeKinds } from './notice-kinds';

/**
 * SQL condition on `s` (notice_settings), `u` (users) and `c.channel`: the person has a confirmed address or a browser, and wants this
 * kind there. `kind` and `byDefault` are SQL.
 */
export const wants = (kind: string, byDefault: string): string =>
  `u.is_usable = 1 and coalesce((s.choices ->> (c.channel || ':' || ${kind}))::boolean, ${byDefault})
   and case c.channel when 'mail' then s.confirmed_email <> '' and s.confirmed_email = u.email
       else exists (select 1 from push_subscriptions p where p.user_id = u.id) end`;

/** Of one kind. */
export const wantsKind = (kind: NoticeKindName): string => wants(`'${kind}'`, String(noticeKinds[kind].byDefault));
