import { observer } from '@shop/shared/state';
import { useShell } from '../shell-context';

/**
 * Speed 500 ms, trickle 200 ms, no spinner (specification, section 9): both stand in shell.css. It looks at the store
 * itself: every navigation turns it on and off, and the layout around it must not be drawn again for that.
 */
export const ProgressBar = observer(function ProgressBar() {
  const { navigation } = useShell();
  return (
    <div className={`shell-progress${navigation.progressVisible ? ' shell-progress--on' : ''}`} aria-hidden="true" />
  );
});
