import { linkTo } from '@shop/shared/links';
import './top-bar.css';
import type { ContractRoute } from '@platform/host/releases.store';
import type { RouteFlags } from '@platform/releases/contract';
import { retryImport } from '@shop/shared/http';
import { Link, useLocation, useNavigate, usePageTitleOf } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Button, classNames, Icon, IconButton } from '@shop/shared/ui';
import { type FormEvent, lazy, type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import { useShell } from '../shell-context';
import { useTexts } from '../texts';
import { PartBoundary } from './boundary';
import { bringsOwnHeading, titleOf } from './route-title';
import { TabBar } from './tab-bar';

const Suggestions = lazy(async () => {
  const { Suggestions } = await retryImport(() => import('@shop/shared/suggestions'));
  return { default: Suggestions };
});

/** A transparent bar becomes opaque at this scroll position (docs/product.md#layout). */
const opaqueFromPx = 40;
/** In characters; a longer title does not fit two lines of the normal size on a 320 px phone. */
const longTitleLength = 32;
const preferencesId = 'shell-preferences';

/** One element for both widths; `top-bar.css` hides the parts of the other width. */
export const TopBar = observer(function TopBar({ route, flags }: { route: ContractRoute | null; flags: RouteFlags }) {
  const { t, language } = useTexts();
  const { session, overlays, preferences } = useShell();
  const isScrolled = useScrolled();
  const back = useBack();
  const pageTitle = usePageTitleOf(useLocation().pathname);
  const title = flags.showTitle && (pageTitle ?? (route && titleOf(route, language)));
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(preferencesId)?.hidePopover?.();
    overlays.openDrawer();
  };

  return (
    <header
      className={classNames(
        'shell-top-bar',
        flags.fixed && 'shell-top-bar--fixed',
        flags.transparent && !isScrolled && 'shell-top-bar--transparent',
      )}
    >
      <div className="shell-top-bar__inner ui-row ui-gap-2">
        <span className="shell-phone">
          {flags.back ? (
            <IconButton icon="back" label={t('back')} onClick={back} />
          ) : (
            <IconButton
              icon="menu"
              label={t('openMenu')}
              aria-haspopup="dialog"
              popoverTarget={preferencesId}
              onClick={openMenu}
            />
          )}
        </span>
        {title && (
          // The heading itself is in the page.
          <span
            aria-hidden="true"
            className={classNames(
              'shell-phone shell-top-bar__title',
              title.length > longTitleLength && 'shell-top-bar__title--long',
            )}
          >
            <span className="ui-two-lines">{title}</span>
          </span>
        )}
        <Link to={linkTo('home')} className={classNames('shell-top-bar__brand', title && 'shell-desktop')}>
          <span className="shell-top-bar__mark">
            <Icon name="star" size={18} />
          </span>
          {t('brand')}
        </Link>
        <TabBar onPhone={flags.tabBar === true} />
        <SearchField isOfPage={route?.path === '/search'} />
        <div className="shell-top-bar__actions">
          {flags.search && (
            <Link to={linkTo('search')} className="shell-phone shell-top-bar__search" aria-label={t('search')}>
              <Icon name="search" />
            </Link>
          )}
          <span className="shell-top-bar__person">
            <button
              type="submit"
              form={preferencesId}
              name="lang"
              value={preferences.language === 'en' ? 'zh-CN' : 'en'}
              className={classNames('ui-button ui-button--ghost ui-button--s', flags.back && 'shell-desktop')}
              aria-label={`${t('languageShort')} ${t('languageSwitch')}`}
              onClick={preferences.toggleLanguage}
            >
              {t('languageShort')}
            </button>
            <PreferencesForm route={route} />
            <span className="shell-desktop shell-account-place">
              {session.hasToken ? (
                <Link to={linkTo('user')} className="ui-icon-button shell-top-bar__account" aria-label={t('account')}>
                  {session.user?.avatar ? (
                    <img src={session.user.avatar} alt="" width={36} height={36} />
                  ) : (
                    <Icon name="user" />
                  )}
                </Link>
              ) : (
                <Button size="s" onClick={() => overlays.openLogin()}>
                  {t('login.title')}
                </Button>
              )}
            </span>
          </span>
        </div>
      </div>
    </header>
  );
});

/**
 * Before hydration this form requests the same page in the other theme or language. On a phone the menu button opens it until the
 * menu is ready.
 */
const PreferencesForm = observer(function PreferencesForm({ route }: { route: ContractRoute | null }) {
  const { t } = useTexts();
  const { preferences } = useShell();
  const query = new URLSearchParams(useLocation().search);
  const isDark = preferences.theme === 'dark';
  return (
    <form
      id={preferencesId}
      popover="auto"
      className="shell-top-bar__preferences"
      onSubmit={(event) => event.preventDefault()}
    >
      {route?.query?.map((name) => {
        const value = query.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
      <IconButton
        type="submit"
        name="theme"
        value={isDark ? 'light' : 'dark'}
        icon={isDark ? 'sun' : 'moon'}
        label={t(isDark ? 'theme.toLight' : 'theme.toDark')}
        onClick={preferences.toggleTheme}
      />
    </form>
  );
});

/** Desktop only. A plain form, so that it works before hydration; its suggestions are loaded with the first focus. */
function SearchField({ isOfPage }: { isOfPage: boolean }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const parameter = new URLSearchParams(useLocation().search).get('keyword');
  const keyword = (isOfPage && parameter) || '';
  const [input, setInput] = useState<HTMLInputElement>();
  const suggest = (event: SyntheticEvent<HTMLInputElement>) => setInput(event.currentTarget);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const word = String(new FormData(event.currentTarget).get('keyword')).trim();
    navigate(word ? linkTo('search', {}, { keyword: word }) : linkTo('search'));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <form
      role="search"
      aria-label={t('search')}
      action={linkTo('search')}
      className="shell-desktop shell-search"
      onSubmit={search}
    >
      <Icon name="search" size={20} />
      {/* The keyword of another page replaces the input. */}
      <input
        key={keyword}
        type="search"
        role="combobox"
        name="keyword"
        defaultValue={keyword}
        aria-autocomplete="list"
        aria-expanded="false"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={60}
        autoComplete="off"
        enterKeyHint="search"
        onFocus={suggest}
        onInput={suggest}
      />
      {input && (
        <PartBoundary>
          {/* The field is empty again once a product was chosen. */}
          <Suggestions input={input} onChoose={() => input.form?.reset()} />
        </PartBoundary>
      )}
    </form>
  );
}

/** The page's heading; on a desktop with a back link, on a phone for screen readers, since the bar shows the title. */
export function PageHead({ route, flags }: { route: ContractRoute | null; flags: RouteFlags }): ReactNode {
  const { t, language } = useTexts();
  const back = useBack();
  const title = route && !bringsOwnHeading(flags) ? titleOf(route, language) : '';
  if (!flags.back && !title) return null;
  return (
    <div className={classNames('shell-page-head ui-row ui-gap-2', flags.narrow && 'shell-page-head--narrow')}>
      {flags.back && (
        <span className="shell-desktop">
          {title ? (
            <IconButton icon="back" label={t('back')} onClick={back} />
          ) : (
            <Button kind="ghost" size="s" icon="back" onClick={back}>
              {t('back')}
            </Button>
          )}
        </span>
      )}
      {title && <h1 className="shell-page-head__title">{title}</h1>}
    </div>
  );
}

/** Opens the home page when the history has no earlier entry of this tab. */
function useBack(): () => void {
  const navigate = useNavigate();
  return () => {
    if (window.history.state?.idx > 0) void navigate(-1);
    else void navigate(linkTo('home'), { replace: true });
  };
}

function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const check = () => setScrolled(window.scrollY >= opaqueFromPx);
    check();
    window.addEventListener('scroll', check, { passive: true });
    return () => window.removeEventListener('scroll', check);
  }, []);
  return isScrolled;
}
