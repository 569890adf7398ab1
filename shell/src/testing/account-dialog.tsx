/** Helpers for tests of the account dialogs. */
import type { StubbedRequest } from '@shop/shared/testing';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type RenderShellOptions, renderShell } from './render-shell';

export const token = { token_type: 'Bearer', access_token: 'abc', expires_in: 3600 };
export const login = 'POST /api/front/app/login';
export const sendCode = 'POST /api/front/app/send_code';
export const codeSent = { expires_in: 300, resend_after: 60 };

export const bodies = (requests: StubbedRequest[], path: string) =>
  requests.filter(({ url }) => url.endsWith(path)).map(({ body }) => body);
export const posts = (requests: StubbedRequest[]) => requests.filter(({ method }) => method === 'POST');

export async function openLogin(
  api: RenderShellOptions['api'] = {},
  language?: RenderShellOptions['language'],
  purpose?: 'buy',
) {
  const rendered = await renderShell('/home', { api, language });
  act(() => void rendered.shell.overlays.openLogin('', purpose));
  await screen.findByRole('dialog');
  return { ...rendered, user: userEvent.setup() };
}
