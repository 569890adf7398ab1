import { Sex } from '@shop/shared/domain';
import { maskIdentifier } from '@shop/shared/domain/mask-phone';
import { linkTo } from '@shop/shared/links';
import { useSingleFlight } from '@shop/shared/payment';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Card, Cell, CellGroup, PageBody, Section, Segmented, Skeleton, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { updateUser } from '../account.api';
import { SignOutButton } from '../common/sign-out-button';
import { PrivacySection } from '../privacy/privacy-section';
import { useTexts } from '../texts';
import { AvatarCell } from './avatar-cell';
import { type ProfileField, ProfileSheet } from './profile-sheet';
import '../account.css';

export const Component = observer(function SettingPage() {
  const { t } = useTexts();
  const session = useSession();
  return (
    <PageBody className="account-columns ui-stack ui-gap-4">
      <Section title={t('setting.profile')}>
        <Profile />
      </Section>
      <div className="ui-stack ui-gap-4">
        <Section title={t('setting.preferences')}>
          <Card className="ui-stack ui-gap-4">
            <p className="ui-muted">{t('setting.language')}</p>
            <Segmented
              label={t('setting.language')}
              value={session.language}
              onChange={(language) => session.setLanguage(language)}
              options={[
                // Each language has its name in that language, so that its speakers find it.
                { value: 'zh-CN', label: '简体中文' },
                { value: 'en', label: 'English' },
              ]}
            />
            <p className="ui-muted">{t('setting.theme')}</p>
            <Segmented
              label={t('setting.theme')}
              value={session.themeChoice}
              onChange={(choice) => session.setTheme(choice)}
              options={[
                { value: 'light', label: t('setting.themeLight') },
                { value: 'dark', label: t('setting.themeDark') },
                { value: 'system', label: t('setting.themeSystem') },
              ]}
            />
          </Card>
        </Section>
        <CellGroup>
          <Cell
            icon="lock"
            title={t('centre.security')}
            value={session.user?.hasPassword === false ? t('setting.securitySet') : undefined}
            to={linkTo('password')}
          />
          <Cell icon="phone" title={t('sessions.title')} to={linkTo('sessions')} />
          <Cell icon="alert" title={t('notices.title')} to={linkTo('notice-settings')} />
        </CellGroup>
        <PrivacySection />
        <SignOutButton />
      </div>
    </PageBody>
  );
});

const Profile = observer(function Profile() {
  const { t } = useTexts();
  const session = useSession();
  const [editing, setEditing] = useState<ProfileField | null>(null);
  const saving = useSingleFlight(async (sex: Sex) => {
    await updateUser({ sex }, { quiet: false });
    toast.success(t('setting.saved'));
    await session.refreshUser();
  });
  const { user } = session;
  if (!user) return <Skeleton shape="card" height={524} />;

  const verified = user.isReal === 1;
  return (
    <div className="ui-stack ui-gap-4">
      <Card>
        <AvatarCell />
      </Card>
      <CellGroup>
        <Cell
          title={t(user.signInEmail ? 'setting.signInEmail' : 'setting.phone')}
          value={<span translate="no">{maskIdentifier(user.signInEmail || user.phone)}</span>}
        />
        {(['nickname', 'birthday', 'email'] as const).map((field) => (
          <Cell
            key={field}
            title={t(`setting.${field}`)}
            value={user[field] || t('setting.notSet')}
            onClick={() => setEditing(field)}
          />
        ))}
        <Cell
          title={t('setting.realName')}
          value={verified ? t('centre.verified') : t('setting.notVerified')}
          description={verified ? `${user.name} ${user.idCardCode}` : undefined}
          onClick={verified ? undefined : () => setEditing('realName')}
        />
      </CellGroup>
      <Card className="ui-stack ui-gap-4">
        <p className="ui-muted">{t('setting.sex')}</p>
        <Segmented<Sex>
          className="account-sex"
          label={t('setting.sex')}
          value={user.sex as Sex}
          onChange={(sex) => void saving.run(sex)}
          options={[
            { value: Sex.Male, label: t('setting.sexMale') },
            { value: Sex.Female, label: t('setting.sexFemale') },
            { value: Sex.Unknown, label: t('setting.sexUnknown') },
          ]}
        />
      </Card>
      <ProfileSheet key={editing} field={editing} onClose={() => setEditing(null)} />
    </div>
  );
});
