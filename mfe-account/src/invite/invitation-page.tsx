import '../account.css';
import { ErrorCode } from '@shop/shared/domain';
import { visibleText } from '@shop/shared/domain/plain-text';
import { isApiError, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { queryOptions, useQuery } from '@shop/shared/query';
import { useSearchParams } from '@shop/shared/router';
import { useHydrating } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { useTexts } from '../texts';

/** Stores the code in a cookie of the browser, so that it counts on every page where the visitor may register. */
const invitationQuery = (inviteCode: string) =>
  queryOptions({
    queryKey: ['account', 'invitation', inviteCode],
    queryFn: () => post('/api/front/app/invitation', { invite_code: visibleText(inviteCode) }, { quiet: true }),
  });

export const Component = observer(function InvitationPage() {
  const { t } = useTexts();
  const session = useSession();
  const [search] = useSearchParams();
  const inviteCode = search.get('invite_code')?.trim().slice(0, 32) ?? '';
  const isGuest = !session.hasToken;
  // The rendered document knows neither the code nor the visitor, so this part is rendered in the browser only.
  const isOpen = !useHydrating();
  const { data, error, refetch } = useQuery({ ...invitationQuery(inviteCode), enabled: isGuest && inviteCode !== '' });
  const browse = (
    <Button to={linkTo('home')} kind={isGuest && data ? 'secondary' : 'primary'} block>
      {t('invitation.browse')}
    </Button>
  );
  const isGone =
    inviteCode === '' || isApiError(error, ErrorCode.NotFound) || isApiError(error, ErrorCode.UnknownInviteCode);
  const end = isGuest ? isGone && 'none' : 'known';
  return (
    <PageBody>
      {isOpen && end ? (
        <Empty title={t(`invitation.${end}`)} description={t(`invitation.${end}Hint`)} action={browse} />
      ) : isOpen && data ? (
        <Card className="ui-stack ui-gap-4">
          <h2 className="account-strong">{t('invitation.title')}</h2>
          <p>{t('invitation.text')}</p>
          <p className="ui-muted">{t('invitation.terms')}</p>
          <Button block size="l" onClick={() => session.openRegister()}>
            {t('invitation.register')}
          </Button>
          {browse}
        </Card>
      ) : (
        <Waiting query={{ error: isOpen && error, refetch }} heights={[300]} />
      )}
    </PageBody>
  );
});
