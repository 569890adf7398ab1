import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { FieldFrame, type FieldProps } from './field-frame';
import { useFormTexts } from './texts';
import { useField } from './use-field';

export interface SelectFieldProps extends FieldProps {
  options: ReadonlyArray<{ value: string | number; label: string; disabled?: boolean }>;
  placeholder?: string;
  disabled?: boolean;
}

/** A native select. A number in `options` stays a number in the form. */
export function SelectField({ name, label, hint, className, options, placeholder, disabled }: SelectFieldProps) {
  const { t } = useFormTexts();
  const field = useField<string | number | undefined>(name);
  const empty = field.value === '' || field.value === undefined || field.value === null;
  return (
    <FieldFrame {...field} label={label} hint={hint} className={className} disabled={disabled}>
      <select
        {...field.aria}
        id={field.id}
        name={name}
        disabled={disabled}
        value={empty ? '' : String(field.value)}
        className={classNames('ui-field__input', 'ui-field__select', empty && 'is-empty')}
        onChange={(event) => {
          const chosen = options.find((option) => String(option.value) === event.target.value);
          field.setValue(chosen ? chosen.value : '');
        }}
        onBlur={field.touch}
      >
        {!options.some((option) => option.value === '') && (
          <option value="">{placeholder ?? t('select.placeholder')}</option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-right" size={18} className="ui-field__arrow" />
    </FieldFrame>
  );
}
