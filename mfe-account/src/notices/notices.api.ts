import type { NoticeSettings, NoticeSettingsBody, PushSubscriptionBody } from '@shop/server/wire';
import { del, get, post } from '@shop/shared/http';
import { queryClient, queryOptions } from '@shop/shared/query';

const notices = '/api/front/user/notices';

export const noticesQuery = queryOptions({
  queryKey: ['account', 'notices'],
  queryFn: () => get(notices, undefined, { quiet: true }),
});

export const showNotices = (settings: NoticeSettings) => queryClient.setQueryData(noticesQuery.queryKey, settings);

export const saveNotices = (body: NoticeSettingsBody) => post(notices, body);
export const confirmEmail = () => post(`${notices}/email`);
export const addBrowser = (body: PushSubscriptionBody) => post(`${notices}/push`, body);
export const removeBrowser = () => del(`${notices}/push`);
