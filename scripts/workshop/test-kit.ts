/** Stands before @shop/shared/testing in the workshop: pages are drawn in the language, theme and state that is looked at. */
import * as kit from '@shop/shared/testing';
import { current } from './shown';

export * from '@shop/shared/testing';

const unanswered = () => new Promise(() => {});

function answersOf(api: kit.StubbedAnswers = {}): kit.StubbedAnswers {
  const { answers } = current.view;
  const given = { none: unanswered, failures: kit.failWithStatus(500) };
  return new Proxy(api, {
    has(_, call) {
      current.calls += 1;
      return answers !== 'given' || call in api;
    },
    get: (_, call) => (answers === 'given' ? api[call as keyof kit.StubbedAnswers] : given[answers]),
  });
}

export const renderPage: typeof kit.renderPage = (page, { session, api, ...options }) => {
  const { language, theme } = current.view;
  current.isPage = true;
  return kit.renderPage(page, { ...options, session: { ...session, language, theme }, api: answersOf(api) });
};
