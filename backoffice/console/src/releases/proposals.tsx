import type { OpsProposal } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Button } from '@shop/shared/ui';
import { Section } from '../parts';
import { useRun } from './acts-provider';
import type { Decision } from './releases.api';
import { useTexts } from './texts';

/** Acts that wait for a second person. */
export function Proposals({ proposals }: { proposals: OpsProposal[] }) {
  const { t } = useTexts();
  if (proposals.length === 0) return null;
  return (
    <Section title={t('waiting')}>
      <ul className="list">
        {proposals.map((proposal) => (
          <Proposal key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </Section>
  );
}

function Proposal({ proposal }: { proposal: OpsProposal }) {
  const { t } = useTexts();
  const run = useRun();
  const { id, what, why, by, at, agreed, mayDecide, mayConfirm } = proposal;
  const others = agreed.filter((one) => one !== by);
  const press = (act: Decision['act'], kind: 'primary' | 'secondary') => (
    <Button kind={kind} aria-label={t('decide', { verb: t(act), what })} onClick={() => run({ act, id, what })}>
      {t(act)}
    </Button>
  );
  return (
    <li className="card">
      <strong>{what}</strong>
      <p className="hint">
        {t('proposed', { at: formatDate(at), by })}
        {why && `: ${why}`}
      </p>
      {others.length > 0 && <p className="hint">{t('confirmedBy', { names: others.join(', ') })}</p>}
      {mayDecide && !mayConfirm && <p className="hint">{t('somebodyElse')}</p>}
      {mayDecide && (
        <div className="row">
          {mayConfirm && press('confirm', 'primary')}
          {press('decline', 'secondary')}
        </div>
      )}
    </li>
  );
}
