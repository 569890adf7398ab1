import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Checkbox } from '@shop/shared/ui';
import { useShell } from '../shell-context';
import { useTexts } from './texts';

const articles = [
  { path: linkTo('agreement'), text: 'login.agreement' },
  { path: linkTo('privacy'), text: 'login.privacy' },
  { path: linkTo('guide'), text: 'login.guide' },
] as const;

/** The agreements of signing in and registering. During a purchase the articles open in a new tab. */
export const Agreements = observer(function Agreements(props: {
  agreed: boolean;
  onChange: (agreed: boolean) => void;
}) {
  const { t } = useTexts();
  const { overlays } = useShell();
  const link = overlays.isLoginToBuy
    ? { target: '_blank', rel: 'noopener' }
    : { onClick: () => overlays.closeAccount() };
  return (
    <Checkbox checked={props.agreed} onChange={props.onChange}>
      {t('login.agree')}
      {articles.map(({ path, text }, index) => (
        <span key={path}>
          {index > 0 && t(index === articles.length - 1 ? 'login.and' : 'login.comma')}
          <Link to={path} {...link}>
            {t(text)}
          </Link>
        </span>
      ))}
    </Checkbox>
  );
});
