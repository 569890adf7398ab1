import type { FailingWebhook, RecordedEvent, WatcherKind } from '../../health/release-events';
import { element } from './dom';
import { moment, versionCode } from './format';

const WORDS: Record<WatcherKind, string> = {
  rollback: 'rolled back and froze',
  'canary-back': 'took the canary back and froze',
  'canary-step': 'raised the canary',
  alert: 'saw a fault of',
};

/** What the watcher saw and did, newest first. */
export function eventsList(events: RecordedEvent<WatcherKind>[] | null): HTMLElement {
  if (events === null) {
    return element(
      'p',
      { class: 'muted' },
      'The database does not answer: health is not known, and the watcher waits.',
    );
  }
  if (events.length === 0) return element('p', { class: 'muted' }, 'Nothing yet.');
  return element(
    'ul',
    { class: 'events' },
    ...events.map(({ at, kind, name, version, why, evidence }) =>
      element(
        'li',
        { class: `event event--${kind}` },
        element('span', { class: 'muted' }, `${moment(at)} `),
        element('span', {}, `The watcher ${WORDS[kind]} ${name} `),
        versionCode(version),
        element('p', {}, why),
        evidenceDetails(`${kind} ${name} ${at}`, evidence),
      ),
    ),
  );
}

/** One sentence for each receiver that takes nothing; '' when all do. */
export const webhookFaults = (failing: FailingWebhook[]): string =>
  failing
    .map(
      ({ place, messages, since, error }) =>
        `Webhook ${place} of RELEASE_WEBHOOK_URL has not taken ${messages === 1 ? '1 message' : `${messages} messages`} since ${moment(since)}: ${error}.`,
    )
    .join(' ');

function evidenceDetails(key: string, evidence: object): HTMLElement | null {
  const entries = Object.entries(evidence);
  if (entries.length === 0) return null;
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return element(
    'details',
    { data: { key } },
    element('summary', {}, 'Evidence'),
    element(
      'dl',
      {},
      ...entries.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, shown(value))]),
    ),
  );
}
