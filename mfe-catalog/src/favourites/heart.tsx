import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { useEffect, useState } from 'react';
import { useTexts } from '../texts';
import { favourites } from './favourites.store';
import './heart.css';

interface HeartProps {
  goods: { id: number; name: string };
  className?: string;
}

/** Marks goods as a favourite. A guest signs in first, and the favourite goes on. */
export const Heart = observer(function Heart({ goods, className = '' }: HeartProps) {
  const { t } = useTexts();
  const session = useSession();
  const [wanted, setWanted] = useState(false);
  const isOn = favourites.has(goods.id);
  const goesOn = wanted && session.hasUser;
  useEffect(() => {
    if (!goesOn) return;
    setWanted(false);
    void favourites.set(goods.id, true);
  }, [goesOn, goods.id]);

  const press = () => {
    if (session.hasToken) return void favourites.set(goods.id, !isOn);
    setWanted(true);
    // An older shell answers nothing.
    void Promise.resolve(session.openLogin()).then((isSignedIn) => isSignedIn === false && setWanted(false));
  };
  return (
    <button
      type="button"
      className={`ui-icon-button catalog-heart ${className}`}
      aria-label={t('favourite.of', { name: goods.name })}
      aria-pressed={isOn}
      onClick={press}
    >
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M12 20.3 4.7 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.8 0l.5.5.5-.5a4.8 4.8 0 0 1 6.8 0 4.9 4.9 0 0 1 0 6.9z" />
      </svg>
    </button>
  );
});
