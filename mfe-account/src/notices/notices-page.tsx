import '../account.css';
import type { NoticeSettings } from '@shop/server/wire';
import { del, getQuery, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useSingleFlight } from '@shop/shared/payment';
import { prefetch, queryClient, useQuery } from '@shop/shared/query';
import { useHydrating } from '@shop/shared/routing';
import { Button, Card, Empty, PageBody, Section, Segmented, Switch, Tag, toast, Waiting } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';
import { pushSupport, subscribeBrowser, unsubscribeBrowser } from './browser-push';

const api = '/api/front/user/notices';

const noticesQuery = getQuery(api, ['account', 'notices']);

const showNotices = (settings: NoticeSettings) => queryClient.setQueryData(noticesQuery.queryKey, settings);

export const loader = () => prefetch(noticesQuery);

export function Component() {
  const { t } = useTexts();
  const notices = useQuery(noticesQuery);
  const { data } = notices;
  return (
    <PageBody narrow>
      {data ? (
        data.mail || data.push ? (
          <div className="ui-stack ui-gap-4">
            {data.mail && <Email mail={data.mail} />}
            {data.push && <Push push={data.push} />}
            <Kinds settings={data} />
            <Language language={data.language} />
          </div>
        ) : (
          <Empty title={t('notices.none')} description={t('notices.noneHint')} />
        )
      ) : (
        <Waiting query={notices} heights={[150, 330, 120]} />
      )}
    </PageBody>
  );
}

function Email({ mail }: { mail: NonNullable<NoticeSettings['mail']> }) {
  const { t } = useTexts();
  const [sentTo, setSentTo] = useState('');
  const sending = useSingleFlight(async () => setSentTo((await post(`${api}/email`)).address));
  return (
    <Section title={t('setting.email')}>
      <Card className="ui-stack">
        <div className="ui-row ui-spread ui-wrap ui-gap-2">
          <span className="account-address">{mail.address || t('notices.noAddress')}</span>
          {mail.address && (
            <Tag tone={mail.confirmed ? 'success' : 'warning'}>
              {t(mail.confirmed ? 'notices.confirmed' : 'notices.notConfirmed')}
            </Tag>
          )}
        </div>
        {!mail.confirmed && (
          <p className="ui-muted" role="status">
            {sentTo ? t('notices.confirmationSent', { address: sentTo }) : t('notices.mailHint')}
          </p>
        )}
        {!mail.address ? (
          <Button to={linkTo('setting')} kind="secondary">
            {t('notices.setAddress')}
          </Button>
        ) : (
          !mail.confirmed && (
            <Button kind="secondary" loading={sending.isPending} onClick={() => void sending.run()}>
              {t(sentTo ? 'notices.confirmAgain' : 'notices.confirm')}
            </Button>
          )
        )}
      </Card>
    </Section>
  );
}

function Push({ push }: { push: NonNullable<NoticeSettings['push']> }) {
  const { t } = useTexts();
  const support = useHydrating() ? 'ready' : pushSupport();
  const changing = useSingleFlight(async (isOn: boolean) => {
    try {
      if (isOn) {
        const subscription = await subscribeBrowser(push.key);
        if (subscription) showNotices(await post(`${api}/push`, subscription));
      } else {
        showNotices(await del(`${api}/push`));
        await unsubscribeBrowser();
      }
    } catch {
      toast.error(t('notices.pushFailed'));
    }
  });
  return (
    <Section title={t('notices.push')}>
      <Card className="ui-stack ui-gap-2">
        <div className="ui-row ui-spread">
          <span>{t('notices.pushHere')}</span>
          <Switch
            label={t('notices.pushHere')}
            checked={push.here}
            disabled={changing.isPending || (support !== 'ready' && !push.here)}
            onChange={(isOn) => void changing.run(isOn)}
          />
        </div>
        <p className="ui-muted" role="status">
          {t(`notices.pushSupport.${support}`)}
        </p>
      </Card>
    </Section>
  );
}

function Kinds({ settings }: { settings: NoticeSettings }) {
  const { t } = useTexts();
  const channels = (['mail', 'push'] as const).filter((channel) => settings[channel]);
  const saving = useSingleFlight(async (kind: string, channel: 'mail' | 'push', on: boolean) => {
    const kinds = settings.kinds.map((each) => (each.kind === kind ? { ...each, [channel]: on } : each));
    showNotices({ ...settings, kinds });
    try {
      showNotices(await post(api, { choices: [{ kind, channel, on }] }));
    } catch (error) {
      showNotices(settings);
      throw error;
    }
  });
  return (
    <Section title={t('notices.kinds')}>
      <Card>
        <table className="account-kinds">
          <thead className="ui-muted">
            <tr>
              <th scope="col">{t('notices.kind')}</th>
              {channels.map((channel) => (
                <th key={channel} scope="col">
                  {t(channel === 'mail' ? 'notices.mail' : 'notices.push')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {settings.kinds.map((each) => (
              <tr key={each.kind}>
                <th scope="row">{each.title}</th>
                {channels.map((channel) => (
                  <td key={channel}>
                    <Switch
                      label={t(channel === 'mail' ? 'notices.byMail' : 'notices.byPush', { kind: each.title })}
                      checked={each[channel]}
                      disabled={saving.isPending}
                      onChange={(on) => void saving.run(each.kind, channel, on)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p className="ui-muted">{t('notices.limit')}</p>
      </Card>
    </Section>
  );
}

function Language({ language }: { language: NoticeSettings['language'] }) {
  const { t } = useTexts();
  const saving = useSingleFlight(async (chosen: NoticeSettings['language']) => {
    showNotices(await post(api, { language: chosen }));
    toast.success(t('setting.saved'));
  });
  return (
    <Section title={t('notices.language')}>
      <Card>
        <Segmented
          label={t('notices.language')}
          value={language}
          onChange={(chosen) => void saving.run(chosen)}
          options={[
            { value: 'zh-CN', label: '简体中文' },
            { value: 'en', label: 'English' },
          ]}
        />
      </Card>
    </Section>
  );
}
