import type { ShownState } from '@shop/backoffice/wire';
import { Tag, type Tone } from '@shop/shared/ui';
import { useTexts } from './texts';

const tones: Record<ShownState, Tone> = { shown: 'success', waiting: 'accent', ended: 'neutral', hidden: 'warning' };

export function StateTag({ state }: { state: ShownState }) {
  const { t } = useTexts();
  return <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>;
}
