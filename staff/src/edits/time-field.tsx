import { Field } from '../parts';
import { useTexts } from './texts';

/** "2026-11-22T20:00" of this browser's clock, as inputs of times have it. */
function localText(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface TimeFieldProps {
  label: string;
  hint?: string;
  required?: boolean;
  /** ISO 8601 in UTC; null: empty. */
  value: string | null;
  onValue(value: string | null): void;
}

/** A time to the minute, in the clock of whoever sits here. */
export function TimeField({ value, onValue, ...field }: TimeFieldProps) {
  const set = (text: string) => {
    const at = new Date(text);
    onValue(Number.isNaN(at.getTime()) ? null : at.toISOString());
  };
  return <Field type="datetime-local" value={value ? localText(value) : ''} onValue={set} {...field} />;
}

interface PeriodProps {
  value: { starts_at: string | null; ends_at: string | null };
  set(change: { starts_at?: string | null; ends_at?: string | null }): void;
}

/** From when and until when the shop shows it. */
export function Period({ value, set }: PeriodProps) {
  const { t } = useTexts();
  return (
    <fieldset className="card part">
      <legend>{t('period.title')}</legend>
      <div className="pair">
        <TimeField
          label={t('period.from')}
          hint={t('period.fromHint')}
          value={value.starts_at}
          onValue={(starts_at) => set({ starts_at })}
        />
        <TimeField
          label={t('period.until')}
          hint={t('period.untilHint')}
          value={value.ends_at}
          onValue={(ends_at) => set({ ends_at })}
        />
      </div>
    </fieldset>
  );
}
