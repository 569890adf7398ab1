import type { OpsRelease } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useState } from 'react';
import { Select } from '../kit/parts';
import { RunButton } from './actions-provider';
import { useTexts } from './texts';

/** Shares of the visitors in the select, in per cent. */
export const SHARES = [1, 5, 10, 25, 50, 100];

/** Promotes any published release, for all visitors or as a canary; freezes the name, and turns server rendering off. */
export function OtherRelease({ release, shop }: { release: OpsRelease; shop: string }) {
  const { t } = useTexts();
  const { name, published, version, waiting, may } = release;
  /** The user's choice; until then the newest release is selected, also if a newer one arrives. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [share, setShare] = useState('10');
  const picked = published.some((release) => release.version === chosen) ? chosen : (waiting ?? published[0]?.version);
  const versions = published.map((release) => ({
    value: release.version,
    label: [release.version, formatDate(release.at), ...(release.version === version ? [t('isLive')] : [])].join(' · '),
  }));
  const shares = SHARES.map((percent) => ({
    value: String(percent),
    label: percent === 100 ? t('everybody') : t('shareOf', { share: percent }),
  }));
  return (
    <details>
      <summary>{t('other')}</summary>
      <div className="list">
        <Select label={t('versions', { name })} value={picked ?? ''} options={versions} onValue={setChosen} />
        <Select label={t('share', { name })} value={share} options={shares} onValue={setShare} />
        <div className="row">
          {picked && (
            <>
              <RunButton call={{ action: 'promote', name, version: picked, traffic: Number(share) }}>
                {t('promote')}
              </RunButton>
              <a
                className="ui-button ui-button--secondary ui-button--m"
                href={`${shop}/home?release=${name}@${picked}`}
                target="_blank"
                rel="noreferrer"
              >
                {t('preview')}
              </a>
            </>
          )}
          {may.includes('freeze') && (
            <RunButton call={{ action: 'freeze', name, why: 'frozen at /ops' }}>{t('freeze')}</RunButton>
          )}
          {may.includes('render-off') && version && !release.renderingOff && (
            <RunButton call={{ action: 'render-off', name, why: 'stopped at /ops' }}>{t('renderOff')}</RunButton>
          )}
        </div>
      </div>
    </details>
  );
}
