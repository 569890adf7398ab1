import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { useContext, useEffect, useState } from 'react';
import { useTexts } from '../texts';
import { FavouritesContext, setFavourite, toggleFavourite } from './favourites';
import './heart.css';

interface HeartProps {
  goods: { id: number; name: string };
  className?: string;
}

/** Only the hearts whose state changes render again. */
export function Heart(props: HeartProps) {
  return <HeartButton {...props} isOn={useContext(FavouritesContext).has(props.goods.id)} />;
}

/** A guest signs in first; the favourite is added afterwards. */
const HeartButton = observer(function HeartButton({ goods, isOn, className = '' }: HeartProps & { isOn: boolean }) {
  const { t } = useTexts();
  const session = useSession();
  const [isPending, setIsPending] = useState(false);
  const isDue = isPending && session.hasUser;
  useEffect(() => {
    if (!isDue) return;
    setIsPending(false);
    void setFavourite(goods.id, true);
  }, [isDue, goods.id]);

  const toggle = () => {
    if (session.hasToken) return void toggleFavourite(goods.id);
    setIsPending(true);
    // An older shell returns undefined.
    void Promise.resolve(session.openLogin()).then((isSignedIn) => isSignedIn === false && setIsPending(false));
  };
  return (
    <button
      type="button"
      className={`ui-icon-button catalog-heart ${className}`}
      aria-label={t('favourite.of', { name: goods.name })}
      aria-pressed={isOn}
      onClick={toggle}
    >
      <svg className="ui-icon" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M12 20.3 4.7 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.8 0l.5.5.5-.5a4.8 4.8 0 0 1 6.8 0 4.9 4.9 0 0 1 0 6.9z" />
      </svg>
    </button>
  );
});
