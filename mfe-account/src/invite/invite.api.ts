import { visibleText } from '@shop/shared/domain/plain-text';
import { get, post } from '@shop/shared/http';
import { listQueryOptions, queryOptions } from '@shop/shared/query';

const front = '/api/front';
const quiet = { quiet: true };

export const inviteQuery = queryOptions({
  queryKey: ['account', 'invite'],
  queryFn: () => get(`${front}/user/invite`, undefined, quiet),
});

export const invitedPeopleQuery = listQueryOptions(['account', 'invited-people'], (page, cursor) =>
  get(`${front}/user/invite/people`, { page, cursor }, quiet),
);

/** Stores the code in a cookie of the browser, so that it counts on every page where the visitor may register. */
export const invitationQuery = (inviteCode: string) =>
  queryOptions({
    queryKey: ['account', 'invitation', inviteCode],
    queryFn: () => post(`${front}/app/invitation`, { invite_code: visibleText(inviteCode) }, quiet),
  });
