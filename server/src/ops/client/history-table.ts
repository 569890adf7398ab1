import type { Revision } from '@platform/releases';
import type { Act } from './actions';
import { button, element } from './dom';
import { moment, versionCode } from './format';

const VERBS: Record<string, string> = {
  promote: 'promoted',
  canary: 'canary',
  rollback: 'rolled back',
  abandon: 'canary ended',
  restore: 'restored',
  freeze: 'frozen',
  unfreeze: 'unfrozen',
  'render-off': 'not rendered',
  'render-on': 'rendered again',
  settings: 'set',
};
const COLUMNS = ['Revision', 'When', 'Who', 'What', 'Name', 'From', 'To', 'Why', 'Whole map'] as const;
const EMPTY = '–';

/** The changes of the map, for whom `act` is given each with a way back to it; `rev` is the present revision. */
export function historyTable(rows: Revision[], rev: number, act: Act | null): HTMLElement {
  const titles = COLUMNS.map((title) => element('th', { scope: 'col' }, title));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...titles)),
    element('tbody', {}, ...rows.map((row) => historyRow(row, rev, act))),
  );
}

function historyRow(row: Revision, rev: number, act: Act | null): HTMLElement {
  const restore = () => act?.({ action: 'restore', rev: row.rev }, { action: 'restore', rev });
  const cells: Record<(typeof COLUMNS)[number], string | HTMLElement> = {
    Revision: String(row.rev),
    When: moment(row.at),
    Who: row.by,
    What: element('span', { class: `what what--${row.action}` }, VERBS[row.action] ?? row.action),
    Name: row.name === '*' ? 'everything' : row.name,
    From: row.from ? versionCode(row.from) : EMPTY,
    To: row.to ? versionCode(row.to) : EMPTY,
    Why: row.why || EMPTY,
    'Whole map':
      row.rev === rev
        ? 'as it is now'
        : !act
          ? EMPTY
          : button(`restore-${row.rev}`, 'Back to this', restore, 'quiet small', {
              'aria-label': `Put the whole map back to revision ${row.rev}`,
            }),
  };
  return element(
    'tr',
    {},
    // The style sheet shows the title in front of each cell on a phone, and hides empty ones.
    ...COLUMNS.map((title) =>
      element('td', { data: cells[title] === EMPTY ? { title, empty: '' } : { title } }, cells[title]),
    ),
  );
}
