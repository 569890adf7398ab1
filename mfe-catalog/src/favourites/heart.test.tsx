import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { SessionProvider } from '@shop/shared/session';
import { observable, observer, runInAction } from '@shop/shared/state';
import {
  failWith,
  inTurn,
  pendingAnswer,
  type StubbedAnswers,
  stubNetwork,
  testSession,
  testUser,
} from '@shop/shared/testing';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FavouritesContext, Heart, useFavourites } from './heart';

const Hearts = observer(function Hearts() {
  return (
    <FavouritesContext value={useFavourites()}>
      {[7, 8].map((id) => (
        <Heart key={id} goods={{ id, name: `Goods ${id}` }} />
      ))}
    </FavouritesContext>
  );
});

/** `signsIn` says whether a guest who is asked to sign in does so. */
function open(api: StubbedAnswers, user = testUser as typeof testUser | null, signsIn = true) {
  const signIn = () =>
    void runInAction(() => Object.assign(session, { user: testUser, hasUser: true, hasToken: true }));
  const openLogin = jest.fn(async () => {
    if (signsIn) signIn();
    return signsIn;
  });
  const session = observable(testSession({ user, openLogin }));
  queryClient.clear();
  const requests = stubNetwork({
    'GET /api/front/user/favourite/ids': { goods_ids: [7] },
    'POST /api/front/user/favourite': { goods_id: 8, favourite: true },
    'DELETE /api/front/user/favourite': { goods_id: 7, favourite: false },
    ...api,
  });
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider value={session}>
        <Hearts />
      </SessionProvider>
    </QueryClientProvider>,
  );
  return { requests, openLogin, signIn };
}
const heart = (id: number) => screen.getByRole('button', { name: `收藏：Goods ${id}` });
const sent = (requests: Array<{ method: string; url: string }>) =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url.split('/').at(-1)}`);

it('shows, adds and removes favourites', async () => {
  const ids = [[7], [8, 7], [8]].map((goods_ids) => ({ goods_ids }));
  const { requests } = open({ 'GET /api/front/user/favourite/ids': inTurn(...ids) });
  await waitFor(() => expect(heart(7)).toHaveAttribute('aria-pressed', 'true'));
  expect(heart(8)).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(heart(8));
  expect(heart(8)).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(heart(7));
  await waitFor(() => expect(heart(7)).toHaveAttribute('aria-pressed', 'false'));
  expect(sent(requests)).toEqual(['POST favourite', 'DELETE favourite']);
});

it('asks a guest to sign in, and then adds the favourite', async () => {
  let ids: number[] = [];
  const { requests, openLogin } = open(
    {
      'GET /api/front/user/favourite/ids': () => ({ goods_ids: ids }),
      'POST /api/front/user/favourite': () => {
        ids = [8];
        return { goods_id: 8, favourite: true };
      },
    },
    null,
  );
  await userEvent.click(heart(8));
  expect(openLogin).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(sent(requests)).toEqual(['POST favourite']));
  await waitFor(() => expect(heart(8)).toHaveAttribute('aria-pressed', 'true'));
  expect(heart(7)).toHaveAttribute('aria-pressed', 'false');
});

it('keeps the user’s choice when an older answer arrives during the call', async () => {
  const ids = pendingAnswer();
  const posted = pendingAnswer();
  const { requests } = open({
    'GET /api/front/user/favourite/ids': inTurn(ids.stub, { goods_ids: [8, 7] }),
    'POST /api/front/user/favourite': posted.stub,
  });
  await userEvent.click(heart(8));
  await waitFor(() => expect(sent(requests)).toEqual(['POST favourite']));
  await act(async () => ids.answer({ goods_ids: [7] }));
  expect(heart(8)).toHaveAttribute('aria-pressed', 'true');
  posted.answer({ goods_id: 8, favourite: true });
  await waitFor(() => expect(heart(7)).toHaveAttribute('aria-pressed', 'true'));
  expect(heart(8)).toHaveAttribute('aria-pressed', 'true');
});

it('drops the favourite when the sign-in is closed', async () => {
  const loaded = jest.fn(() => ({ goods_ids: [] }));
  const { requests, openLogin, signIn } = open({ 'GET /api/front/user/favourite/ids': loaded }, null, false);
  await userEvent.click(heart(8));
  expect(openLogin).toHaveBeenCalledTimes(1);
  act(signIn);
  await waitFor(() => expect(loaded).toHaveBeenCalled());
  expect(sent(requests)).toEqual([]);
  expect(heart(8)).toHaveAttribute('aria-pressed', 'false');
});

it('reverts a change that the server refuses', async () => {
  const { requests } = open({ 'POST /api/front/user/favourite': failWith(42223, 'Full') });
  await waitFor(() => expect(heart(7)).toHaveAttribute('aria-pressed', 'true'));
  await userEvent.click(heart(8));
  await waitFor(() => expect(sent(requests)).toEqual(['POST favourite']));
  await waitFor(() => expect(heart(8)).toHaveAttribute('aria-pressed', 'false'));
});

it('sends two clicks one after the other, and ends in the state of the last one', async () => {
  const posted = pendingAnswer();
  const { requests } = open({
    'POST /api/front/user/favourite': posted.stub,
  });
  await waitFor(() => expect(heart(7)).toHaveAttribute('aria-pressed', 'true'));
  await userEvent.dblClick(heart(8));
  expect(sent(requests)).toEqual(['POST favourite']);
  posted.answer({ goods_id: 8, favourite: true });
  await waitFor(() => expect(sent(requests)).toEqual(['POST favourite', 'DELETE favourite']));
  expect(heart(8)).toHaveAttribute('aria-pressed', 'false');
});
