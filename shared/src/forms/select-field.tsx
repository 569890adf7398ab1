import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { FieldFrame, type FieldProps } from './field-frame';
import { useFormTexts } from './texts';
import { useField } from './use-field';

interface SelectFieldProps extends FieldProps {
  options: ReadonlyArray<{ value: string; label: string }>;
  placeholder?: string;
}

/** A native select; '' while nothing is chosen. */
export function SelectField({ name, label, hint, options, placeholder }: SelectFieldProps) {
  const { t } = useFormTexts();
  const field = useField<string | undefined>(name);
  const value = field.value ?? '';
  return (
    <FieldFrame {...field} label={label} hint={hint}>
      <select
        {...field.aria}
        id={field.id}
        name={name}
        value={value}
        className={classNames('ui-field__input', 'ui-field__select', !value && 'is-empty')}
        onChange={(event) => field.setValue(event.target.value)}
        onBlur={field.touch}
      >
        <option value="">{placeholder ?? t('select.placeholder')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-right" size={18} className="ui-field__arrow" />
    </FieldFrame>
  );
}
