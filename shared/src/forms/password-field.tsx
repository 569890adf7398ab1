import { useState } from 'react';
import { IconButton } from '../ui/button';
import type { FieldProps } from './field-frame';
import { TextField } from './text-field';
import { useFormTexts } from './texts';

interface PasswordFieldProps extends FieldProps {
  autoComplete?: 'current-password' | 'new-password';
  placeholder?: string;
  maxLength?: number;
}

export function PasswordField({ autoComplete = 'current-password', ...rest }: PasswordFieldProps) {
  const { t } = useFormTexts();
  const [visible, setVisible] = useState(false);
  return (
    <TextField
      {...rest}
      type={visible ? 'text' : 'password'}
      autoComplete={autoComplete}
      trailing={
        <IconButton
          icon={visible ? 'eye-off' : 'eye'}
          size={20}
          label={t(visible ? 'password.hide' : 'password.show')}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  );
}
