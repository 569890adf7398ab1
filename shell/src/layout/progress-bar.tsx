import './progress-bar.css';
import { observer } from '@shop/shared/state';
import { useShell } from '../shell-context';

/** A separate observer, so that a navigation does not render the whole layout again. Timings are in the CSS. */
export const ProgressBar = observer(function ProgressBar() {
  const { navigation } = useShell();
  return (
    <div className={`shell-progress${navigation.progressVisible ? ' shell-progress--on' : ''}`} aria-hidden="true" />
  );
});
