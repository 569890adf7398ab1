import type { ModuleAccess, OpsModules, OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Empty, ErrorState, Tag } from '@shop/shared/ui';
import { type ReactNode, useId } from 'react';
import { Facts, Loading, Rows } from '../parts';
import { percent, stateOf } from '../releases/release-health';
import { modulesKey, modulesOfChannel, releasesKey, releasesState } from '../releases/releases.api';
import { useTexts as useReleaseTexts } from '../releases/texts';
import { useTexts } from './texts';

type ModuleView = OpsModules['modules'][number];
type ModuleLink = ModuleView['linkedFrom'][number];

/** A tenth, where a rule names none. */
const DEFAULT_BOUND = 0.1;

/** What the channel consists of: whose each module is, its pages, what it takes, and what is tried and asked of it. */
export function ModulesPage() {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({ queryKey: modulesKey, queryFn: modulesOfChannel });
  // Health needs the database, the rest does not: a card goes without its state while that has not come.
  const { data: state } = useQuery({ queryKey: releasesKey, queryFn: releasesState });
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading lines={8} />;
  const { channel, rev, you, modules, access } = data;
  const forAll = (access ?? []).filter(({ role }) => role === 'ops' || role === 'platform');
  return (
    <>
      <div className="line">
        <h1>{t('title')}</h1>
        <p className="hint">{t('revision', { channel, rev })}</p>
      </div>
      <div className="hint">
        <p>{t('you', { you })}</p>
        {forAll.length > 0 && <p>{t('everything', { keys: forAll.map(({ name }) => name).join(', ') })}</p>}
      </div>
      {modules.length === 0 && <Empty title={t('none')} />}
      <div className="releases">
        {modules.map((module) => (
          <ModuleCard key={module.name} module={module} access={access} state={state} />
        ))}
      </div>
    </>
  );
}

interface CardProps {
  module: ModuleView;
  access: ModuleAccess[] | null;
  state: OpsState | undefined;
}

function ModuleCard({ module, access, state }: CardProps) {
  const { t } = useTexts();
  const { name, version, owner, size } = module;
  const page = size.page ? t('largest', { page: size.page }) : '';
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  const numbers = { size: kilobytes(size.bytes), budget: Math.round(size.budget / 1000), page };
  return (
    <article className="card" aria-label={name}>
      <div className="line">
        <h2>{name}</h2>
        <Health name={name} state={state} />
      </div>
      <Facts
        of={[
          [t('owner'), owner ?? t('noOwner')],
          [t('version'), <code key="version">{version}</code>],
          [t('size'), t('sizeOf', numbers)],
          access
            ? [t('keys'), <Keys key="keys" of={access.filter(({ remotes }) => remotes.includes(name))} />]
            : undefined,
        ]}
      />
      <Routes module={module} />
      <Links module={module} />
      <EntryPoints module={module} />
      <Flows module={module} />
      <Owed module={module} />
      <Packages module={module} />
    </article>
  );
}

/** As the page of releases says it. */
function Health({ name, state }: { name: string; state: OpsState | undefined }) {
  useReleaseTexts();
  const release = state?.releases.find((one) => one.name === name);
  if (!state || !release) return null;
  const { text, tone } = stateOf(release, state.bound);
  return <Tag tone={tone}>{text}</Tag>;
}

function Keys({ of }: { of: ModuleAccess[] }) {
  const { t } = useTexts();
  if (of.length === 0) return t('noKeys');
  return of.map(({ name, channels, expiresAt }) => (
    <p key={name}>{t('keyUntil', { name, channels: channels.join(', '), until: formatDate(expiresAt) })}</p>
  ));
}

/** Nothing where there is nothing to unfold. */
function Part({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function NamedRows({ title, head, rows }: { title: string; head: string[]; rows: string[][] }) {
  const id = useId();
  return (
    <>
      <span id={id} hidden>
        {title}
      </span>
      <Rows labelledBy={id} head={head} rows={rows} />
    </>
  );
}

function Routes({ module: { name, routes } }: { module: ModuleView }) {
  const { t, language } = useTexts();
  const rows = routes.map(({ path, title, requiresLogin }) => [
    path,
    typeof title === 'string' ? title : title[language],
    requiresLogin ? t('signedIn') : t('open'),
  ]);
  return (
    <Part title={t('routes', { count: routes.length })} count={routes.length}>
      <NamedRows title={t('routesOf', { name })} head={[t('path'), t('pageTitle'), t('access')]} rows={rows} />
    </Part>
  );
}

function Links({ module: { name, linksTo, linkedFrom } }: { module: ModuleView }) {
  const { t } = useTexts();
  const rowsOf = (links: ModuleLink[]) => links.map(({ path, module }) => [path, module ?? t('nobodys')]);
  const head = [t('path'), t('module')];
  return (
    <>
      {!linksTo && <p className="hint">{t('linksUnknown')}</p>}
      <Part title={t('linksTo', { count: linksTo?.length ?? 0 })} count={linksTo?.length ?? 0}>
        <NamedRows title={t('linksToOf', { name })} head={head} rows={rowsOf(linksTo ?? [])} />
      </Part>
      <Part title={t('linkedFrom', { count: linkedFrom.length })} count={linkedFrom.length}>
        <NamedRows title={t('linkedFromOf', { name })} head={head} rows={rowsOf(linkedFrom)} />
      </Part>
    </>
  );
}

function EntryPoints({ module: { name, needs, offers } }: { module: ModuleView }) {
  const { t } = useTexts();
  return (
    <>
      <Part title={t('needs', { count: needs.length })} count={needs.length}>
        <NamedRows
          title={t('needsOf', { name })}
          head={[t('entry'), t('range'), t('offered')]}
          rows={needs.map((one) => [one.name, one.range, one.offered ?? ''])}
        />
      </Part>
      <Part title={t('offers', { count: offers.length })} count={offers.length}>
        <NamedRows
          title={t('offersOf', { name })}
          head={[t('entry'), t('offered')]}
          rows={offers.map((one) => [one.name, one.version])}
        />
      </Part>
    </>
  );
}

function Flows({ module: { flows } }: { module: ModuleView }) {
  const { t } = useTexts();
  return (
    <Part title={t('flows', { count: flows.length })} count={flows.length}>
      <ul className="list">
        {flows.map((flow) => (
          <li key={flow.name}>{t('flow', flow)}</li>
        ))}
      </ul>
    </Part>
  );
}

function Owed({ module: { owes } }: { module: ModuleView }) {
  const { t } = useTexts();
  return (
    <Part title={t('owes', { count: owes.length })} count={owes.length}>
      <ul className="list">
        {owes.map(({ from, to, bound = DEFAULT_BOUND, dryRun }) => (
          <li key={`${from} ${to}`}>
            {t('owed', { from, to, bound: percent(bound) })}
            {dryRun && t('dryRun')}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Packages({ module: { packages } }: { module: ModuleView }) {
  const { t } = useTexts();
  if (!packages) return <p className="hint">{t('noSbom')}</p>;
  return (
    <Part title={t('packages', { count: packages.length })} count={packages.length}>
      <p>{packages.join(', ')}</p>
    </Part>
  );
}
