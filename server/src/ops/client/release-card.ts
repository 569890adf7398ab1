import type { OpsRelease } from '../ops-state';
import { type Act, finishCanary, promoteRelease, rollBack, type Undoable } from './actions';
import { button, element } from './dom';
import { moment } from './format';
import { healthSection, stateOf, watchNote } from './release-health';
import { renderingRow } from './release-rendering';

/** Offered shares of the visitors in per cent. */
const SHARES = [1, 5, 10, 25, 50, 100];

/** One release name with its health and all that can be done to it. */
export function releaseCard(release: OpsRelease, bound: number, act: Act): HTMLElement {
  const { name, canary, target } = release;
  const run = ({ wanted, undo }: Undoable) => act(wanted, undo);
  const [text, kind] = stateOf(release, bound);
  return element(
    'article',
    { class: 'card', 'aria-label': name, data: { name } },
    element(
      'div',
      { class: 'card__head' },
      element('h3', {}, name),
      element('span', { class: `pill pill--${kind}` }, text),
    ),
    element(
      'p',
      { class: 'muted' },
      release.version
        ? `since ${moment(release.since)}, by ${release.by}`
        : canary
          ? 'new: the other visitors do not have it yet'
          : 'published, not promoted yet',
    ),
    release.attestation ? element('p', { class: 'muted card__signer' }, attestationLine(release.attestation)) : null,
    ...release.frozen.map((freeze) => frozenRow(release, freeze, act)),
    renderingRow(release, act),
    watchNote(release),
    healthSection('live', name, release.version, release.health, bound),
    ...(canary
      ? [
          healthSection(`canary ${canary.traffic} %`, name, canary.version, release.healthCanary, bound),
          release.may.includes('promote') && canaryControls(release, canary, run),
        ]
      : [
          healthSection('before', name, release.previous, release.healthBefore, bound),
          release.may.includes('rollback') &&
            button(
              'rollback',
              target ? `Roll back to ${target}` : 'Nothing to roll back to',
              () => run(rollBack(release)),
              'danger',
              { disabled: !target },
            ),
        ]),
    release.may.includes('promote') && otherRelease(release, act, run),
  );
}

function attestationLine({ signedBy, commit, packages }: NonNullable<OpsRelease['attestation']>): string {
  const parts = [signedBy ? `signed by ${signedBy}` : 'no valid signature'];
  if (commit) parts.push(`commit ${commit.slice(0, 12)}`);
  if (packages !== null) parts.push(packages === 1 ? '1 package' : `${packages} packages`);
  return parts.join(', ');
}

function frozenRow(
  { name, may }: OpsRelease,
  { version, by, why }: OpsRelease['frozen'][number],
  act: Act,
): HTMLElement {
  return element(
    'div',
    { class: 'frozen' },
    element('span', {}, `Frozen ${version ?? 'altogether'} by ${by}: ${why}`),
    may.includes('unfreeze') &&
      button(`unfreeze-${version}`, 'Unfreeze', () => act({ action: 'unfreeze', name, version: version ?? undefined })),
  );
}

function canaryControls(
  release: OpsRelease,
  canary: NonNullable<OpsRelease['canary']>,
  run: (change: Undoable) => void,
): HTMLElement {
  const { name } = release;
  const steps = SHARES.slice(0, -1).map((share) =>
    button(`share-${share}`, `${share} %`, () => run(promoteRelease(release, canary.version, share)), 'step', {
      'aria-pressed': String(share === canary.traffic),
      'aria-label': `Give the canary of ${name} ${share} % of the visitors`,
    }),
  );
  return element(
    'div',
    { class: 'canary', role: 'group', 'aria-label': `Canary of ${name}` },
    element('div', { class: 'steps' }, ...steps),
    element(
      'div',
      { class: 'row' },
      button('finish', 'Finish for everybody', () => run(finishCanary(release))),
      button('rollback', 'Abandon it', () => run(rollBack(release)), 'danger'),
    ),
  );
}

/** Any published release, for everybody or as a canary; and the freeze. */
function otherRelease(release: OpsRelease, act: Act, run: (change: Undoable) => void): HTMLElement {
  const { name, published, version, waiting, may } = release;
  const releases = element(
    'select',
    { 'aria-label': `Published releases of ${name}`, data: { key: 'pick' } },
    ...published.map((one) =>
      element(
        'option',
        { value: one.version },
        `${one.version} · ${moment(one.at)}${one.version === version ? ' · live' : ''}`,
      ),
    ),
  );
  if (waiting) releases.value = waiting;
  const shares = element(
    'select',
    { 'aria-label': `Share of the visitors for ${name}`, data: { key: 'share' } },
    ...SHARES.map((share) =>
      element('option', { value: share }, share === 100 ? 'everybody' : `${share} % of the visitors`),
    ),
  );
  shares.value = '10';
  return element(
    'details',
    { data: { key: 'other' } },
    element('summary', {}, 'Another release, or a canary'),
    element('div', { class: 'row' }, releases, shares),
    element(
      'div',
      { class: 'row' },
      button('give', 'Give it to them', () => run(promoteRelease(release, releases.value, Number(shares.value)))),
      may.includes('freeze') &&
        button('freeze', 'Freeze promotes', () =>
          act({ action: 'freeze', name, why: 'frozen at /ops' }, { action: 'unfreeze', name }),
        ),
      release.renderingOff || !release.version
        ? null
        : button('render-off', 'Stop rendering', () =>
            act({ action: 'render-off', name, why: 'stopped at /ops' }, { action: 'render-on', name }),
          ),
    ),
  );
}
