/// <reference types="@testing-library/jest-dom" />
/** Failure modes that every form must handle: timeout, offline, invalid JSON, expired session, double click, leaving the page. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { configureHttp } from '../http';
import {
  neverAnswers,
  noConnection,
  notJson,
  pendingAnswer,
  type StubbedAnswers,
  type StubbedRequest,
  sessionEnded,
} from './index';

interface Opened {
  requests: StubbedRequest[];
  router: { navigate: (to: string) => Promise<void>; state: { location: { pathname: string } } };
}

export interface FormFailureModes {
  name: string;
  /** The call that the form makes, for example 'POST /api/front/user/info'. */
  call: string;
  answer: unknown;
  /** Opens the page with these answers and fills in the form. */
  open: (answers: StubbedAnswers) => Promise<Opened>;
  button: () => HTMLElement;
  /** Expects that the input is still there. */
  expectInput: () => void;
  /** Messages for no answer in 30 s, no connection, and an answer that is not JSON. */
  messages: { timeout: RegExp; offline: RegExp; notJson: RegExp };
  /** Path after an answer that arrived when the user had left the page; by default the user stays there. */
  leadsOn?: string;
  /** Further expectations after the page was left. */
  afterLeaving?: () => void;
}

const requestTimeoutMs = 30_000;

/** Call it inside `describe` or at the top of a test file. */
export function testFormFailureModes(form: FormFailureModes): void {
  const notices: string[] = [];
  const onUnauthorized = jest.fn();
  const sent = (requests: StubbedRequest[]) =>
    requests.filter((request) => `${request.method} ${request.url}` === form.call);
  const said = (words: RegExp) =>
    waitFor(() => expect(`${document.body.textContent} ${notices.join(' ')}`).toMatch(words), { timeout: 5_000 });
  /** Clicks without waiting for the form to render its state. */
  const submit = async () => {
    await act(async () => void fireEvent.click(form.button()));
  };

  describe(form.name, () => {
    beforeEach(() => {
      notices.length = 0;
      onUnauthorized.mockClear();
      configureHttp({
        token: () => 'Bearer test',
        language: () => 'zh-CN',
        currency: () => 'CNY',
        onUnauthorized,
        onForbidden: () => {},
        onNotice: (message) => void notices.push(message),
      });
    });
    afterEach(() => {
      jest.useRealTimers();
      // Toasts are plain DOM outside the page.
      for (const region of document.querySelectorAll('[data-ui-live]')) region.replaceChildren();
    });

    it('fails after 30 seconds without a response with a message, keeps the input and can be sent again', async () => {
      const { requests } = await form.open({ [form.call]: neverAnswers() });
      jest.useFakeTimers();
      fireEvent.click(form.button());
      await act(() => jest.advanceTimersByTimeAsync(requestTimeoutMs - 1_000));
      expect(sent(requests)).toHaveLength(1);
      expect(document.body.textContent).not.toMatch(form.messages.timeout);
      await act(() => jest.advanceTimersByTimeAsync(1_500));
      jest.useRealTimers();
      await said(form.messages.timeout);
      form.expectInput();
      await waitFor(() => expect(form.button()).toBeEnabled());
    });

    it.each([
      ['a missing connection', noConnection(), form.messages.offline],
      ['an answer that is not JSON', notJson(), form.messages.notJson],
    ])('reports %s and keeps the input', async (_, answer, words) => {
      await form.open({ [form.call]: answer });
      await submit();
      await said(words);
      form.expectInput();
      await waitFor(() => expect(form.button()).toBeEnabled());
    });

    it('leaves an expired session to the shell and keeps the input', async () => {
      await form.open({ [form.call]: sessionEnded() });
      await submit();
      await waitFor(() => expect(onUnauthorized).toHaveBeenCalledTimes(1));
      await waitFor(() => expect(form.button()).toBeEnabled());
      form.expectInput();
      expect(notices).toEqual([]);
      expect(screen.queryByRole('alert')?.textContent ?? '').toBe('');
    });

    it('sends once for several clicks', async () => {
      const call = pendingAnswer();
      const { requests } = await form.open({ [form.call]: call.stub });
      const button = form.button();
      fireEvent.click(button);
      fireEvent.click(button);
      await waitFor(() => expect(sent(requests)).toHaveLength(1));
      fireEvent.click(button);
      await act(async () => call.answer(form.answer));
      expect(sent(requests)).toHaveLength(1);
    });

    it('does not redirect a user who left the page during the call', async () => {
      const call = pendingAnswer();
      const { requests, router } = await form.open({ [form.call]: call.stub });
      await submit();
      await waitFor(() => expect(sent(requests)).toHaveLength(1));
      await act(() => router.navigate('/left'));
      await act(async () => call.answer(form.answer));
      await waitFor(() => expect(router.state.location.pathname).toBe(form.leadsOn ?? '/left'));
      form.afterLeaving?.();
    });
  });
}
