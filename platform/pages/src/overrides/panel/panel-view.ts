import type { PageMap } from '@platform/releases/contract';
import type { PanelRelease, PanelState } from '../panel-state';
import type { TraceStep } from './loading-trace';
import { atOwnMachine } from './own-machine';
import type { TabRelease } from './tab-releases';
import { filled, type textsOf } from './texts';

type Texts = ReturnType<typeof textsOf>;

export interface PanelView {
  texts: Texts;
  map: PageMap;
  /** Null while it has not come, and where it could not be had. */
  state: PanelState | null;
  isLoading: boolean;
  releases: readonly TabRelease[];
  steps: readonly TraceStep[];
  onRetry(): void;
}

const DEV_SERVER = 'http://localhost:8090';

type Child = Node | string | null;

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const button = (label: string, onclick: (() => void) | null, properties: Partial<HTMLButtonElement> = {}) =>
  create('button', { type: 'button', onclick, ...properties }, label);

/** Fills the dialog anew. */
export function drawPanel(dialog: HTMLDialogElement, view: PanelView): void {
  const { texts, state } = view;
  const title = create('h2', { id: 'title' }, texts.title);
  const close = button('✕', () => dialog.close(), { ariaLabel: texts.close });
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.replaceChildren(
    create('div', { className: 'head' }, title, close),
    create(
      'section',
      {},
      state && create('p', { className: 'soft' }, filled(texts.by, { by: state.by, channel: state.channel })),
      overrideMark(view),
      failure(view),
    ),
    ...view.releases.map((release) => releaseSection(release, view)),
    ...(state?.deployed ? [] : [ownMachine(view)]),
    trace(view),
    ...(state?.deployed ? [] : [turnOff(texts)]),
  );
}

const turnOff = (texts: Texts): HTMLElement =>
  create(
    'section',
    {},
    create(
      'form',
      { method: 'post', action: '/overrides' },
      button(texts.off, null, { type: 'submit', name: 'act', value: 'off' }),
    ),
  );

function overrideMark({ texts, map: { preview }, state }: PanelView): Child {
  if (state?.deployed) {
    const { deployed } = state;
    return create(
      'div',
      { className: 'mark' },
      create('p', {}, filled(texts.ofMachine, { deployed })),
      button(texts.leaveMachine, () => location.assign(deployed + location.pathname + location.search), {
        className: 'first',
      }),
    );
  }
  if (!preview) return null;
  const release = `${preview.name}@${preview.version}`;
  return create(
    'div',
    { className: 'mark' },
    create('p', {}, filled(texts.shown, { release })),
    button(texts.reset, () => showRelease('live'), { className: 'first' }),
  );
}

function failure({ texts, state, isLoading, onRetry }: PanelView): Child {
  if (state) return null;
  if (isLoading) return create('p', { role: 'status' }, texts.loading);
  return create(
    'div',
    { role: 'alert', className: 'line' },
    create('p', {}, texts.failed),
    button(texts.again, onRetry),
  );
}

/** The document that comes then is the server's answer to whether this browser may. */
function showRelease(release: string): void {
  const query = new URLSearchParams(location.search);
  query.set('release', release);
  location.assign(`${location.pathname}?${query}`);
}

function releaseSection({ name, version, origin, isLoaded }: TabRelease, view: PanelView): HTMLElement {
  const { texts, state } = view;
  const known = state?.releases.find((one) => one.name === name);
  const bytes = sizeOf(known, version);
  const details = [
    version,
    bytes === null ? '' : filled(texts.size, { size: Math.round(bytes / 1000) }),
    isLoaded ? '' : texts.waiting,
  ];
  const label = create('h3', { id: `of-${name}` }, name);
  const section = create(
    'section',
    {},
    create('div', { className: 'line' }, label, create('span', { className: 'tag' }, texts.origin[origin])),
    create('p', { className: 'soft' }, details.filter(Boolean).join(' · ')),
    known?.published ? otherReleases(known, version, texts) : null,
  );
  section.setAttribute('aria-labelledby', label.id);
  return section;
}

const sizeOf = (known: PanelRelease | undefined, version: string): number | null =>
  [known?.live, known?.canary, ...(known?.published ?? [])].find((one) => one?.version === version)?.bytes ?? null;

function otherReleases({ name, published }: PanelRelease, shown: string, texts: Texts): HTMLElement {
  const others = (published ?? []).filter(({ version }) => version !== shown);
  if (others.length === 0) return create('p', { className: 'soft' }, texts.none);
  const options = others.map(({ version, at, by, bytes, refusal }) => {
    const parts = [
      version,
      bytes === null ? '' : `${Math.round(bytes / 1000)} kB`,
      at.slice(0, 16).replace('T', ' '),
      by,
      refusal ? texts.refusal[refusal] : '',
    ];
    return create('option', { value: version }, parts.filter(Boolean).join(' · '));
  });
  const select = create('select', {}, ...options);
  const label = create('label', { className: 'grow' }, filled(texts.choose, { name }), select);
  const show = button(texts.show, () => showRelease(`${name}@${select.value}`));
  return create('div', { className: 'line' }, label, show);
}

function ownMachine({ texts }: PanelView): HTMLElement {
  const input = create('input', { value: DEV_SERVER, inputMode: 'url', spellcheck: false, autocomplete: 'off' });
  const fault = create('p', { role: 'alert' });
  const open = create('button', { type: 'submit' }, texts.machineOpen);
  const form = create(
    'form',
    { className: 'line' },
    create('label', { className: 'grow' }, texts.machineAddress, input),
    open,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const address = atOwnMachine(input.value, location);
    fault.textContent = address ? '' : texts.machineWrong;
    if (address) location.assign(address);
    else input.focus();
  });
  return create(
    'section',
    {},
    create('h3', {}, texts.machine),
    create('p', { className: 'soft' }, filled(texts.machineText, { origin: location.origin })),
    form,
    fault,
  );
}

function trace({ texts, releases, steps }: PanelView): HTMLElement {
  const head = create('tr', {}, ...texts.traceHead.map((name) => create('th', { scope: 'col' }, name)));
  const rows = steps.map((step) => {
    const cells = [String(Math.round(step.at)), texts.step[step.step], whatOf(step, texts), tookOf(step, texts)];
    return create('tr', {}, ...cells.map((cell) => create('td', {}, cell)));
  });
  const title = create('h3', { id: 'trace' }, texts.trace);
  const table = create('table', {}, create('thead', {}, head), create('tbody', {}, ...rows));
  table.setAttribute('aria-labelledby', 'trace');
  // Focus makes it scroll by keys where it is wider than the panel.
  const frame = create('div', { className: 'steps', tabIndex: 0 }, table);
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-labelledby', 'trace');
  return create(
    'section',
    {},
    title,
    frame,
    button(texts.traceSave, () => save({ releases, steps })),
  );
}

function whatOf({ name, version, file, status, attempt, reason }: TraceStep, texts: Texts): string {
  const parts = [
    name && (version ? `${name}@${version}` : name),
    file,
    status && status !== 200 ? String(status) : '',
    attempt ? filled(texts.retry, { count: attempt }) : '',
    reason,
  ];
  return parts.filter(Boolean).join(' ');
}

function tookOf({ took, bytes }: TraceStep, texts: Texts): string {
  if (took === undefined) return '';
  const size = bytes === undefined ? '' : bytes === 0 ? `, ${texts.cached}` : `, ${(bytes / 1000).toFixed(1)} kB`;
  return `${Math.round(took)} ms${size}`;
}

/** Without the query, which may say what somebody has searched for. */
function save({ releases, steps }: Pick<PanelView, 'releases' | 'steps'>): void {
  const { pathname: page } = location;
  const content = { page, saved: new Date().toISOString(), browser: navigator.userAgent, releases, steps };
  const href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  create('a', { href, download: 'loading-trace.json' }).click();
  URL.revokeObjectURL(href);
}
