import type { SendCodeBody } from '@shop/server/wire';
import { isApiError } from '@shop/shared/http';
import { useFormikContext } from 'formik';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { plainText } from '../domain/plain-text';
import { useSingleFlight } from '../payment/use-single-flight';
import { Button } from '../ui/button';
import { VisuallyHidden } from '../ui/layout';
import { type FieldProps, TextField } from './fields';
import { type FormStatus, showFailure, withoutServerErrors } from './server-errors';
import { useFormTexts } from './texts';

/*
 * The end of the wait, by phone and purpose. It is kept in memory and in sessionStorage, so that a closed dialog or a reload does
 * not restart the wait (docs/product.md#verification-codes).
 */
const ends = new Map<string, number>();

const keyOf = (phone: string, purpose: string) => `resend:${purpose}:${phone}`;

function endOf(key: string): number {
  const end = ends.get(key);
  if (end !== undefined) return end;
  let stored = 0;
  try {
    stored = Number(sessionStorage.getItem(key)) || 0;
  } catch {
    // Without storage the end is kept in memory until a reload.
  }
  ends.set(key, stored);
  return stored;
}

export function startResendWait(phone: string, purpose: string, seconds: number): void {
  const key = keyOf(phone, purpose);
  const end = Date.now() + seconds * 1000;
  ends.set(key, end);
  try {
    sessionStorage.setItem(key, String(end));
  } catch {
    // Without storage the end is kept in memory.
  }
}

function everyTick(look: () => void): () => void {
  const timer = setInterval(look, 250);
  return () => clearInterval(timer);
}

/** Whole seconds until a code may be sent again to this phone; 0 if it may be sent now. */
function useResendWait(phone: string, purpose: string): number {
  return useSyncExternalStore(
    everyTick,
    () => Math.max(0, Math.ceil((endOf(keyOf(phone, purpose)) - Date.now()) / 1000)),
    () => 0,
  );
}

export interface CodeFieldProps extends FieldProps {
  /** Name of the field that holds the phone number or email address. Without it `phone` is the number or address itself. */
  phoneName?: string;
  phone?: string;
  /** Each purpose has its own wait. */
  purpose: CodePurpose;
  /** Sends a code; resolves with the seconds until another may be requested. */
  sendCode: (phone: string) => Promise<{ resend_after: number }>;
  placeholder?: string;
  /** Submits the form with the last digit; the `hint` must say so. */
  submits?: boolean;
}

export type CodePurpose = Exclude<SendCodeBody['scene'], 'register' | undefined>;

/** Seconds, if the server names no wait (docs/product.md#verification-codes). */
const defaultWait = 60;
/** Digits of a code. */
const length = 6;

export function CodeField(props: CodeFieldProps) {
  const { phoneName, phone, purpose, sendCode, placeholder, submits = false, ...rest } = props;
  const { t } = useFormTexts();
  const form = useFormikContext<Record<string, unknown>>();
  const typed = phoneName ? form.getFieldProps(phoneName).value : phone;
  const number = String(typed ?? '').trim();
  const wait = useResendWait(number, purpose);
  const [sent, setSent] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isComplete = String(form.getFieldProps(rest.name).value ?? '').length === length;
  const submit = useEffectEvent(() => {
    if (submits) void form.submitForm();
  });
  useEffect(() => {
    if (isComplete) submit();
  }, [isComplete]);

  const focusOn = (name: string) => {
    const input = button.current?.form?.elements.namedItem(name);
    if (input instanceof HTMLElement) input.focus();
  };

  /** Validates the field of the phone or address; on failure focuses it and shows its message. */
  const phoneIsGood = async () => {
    if (!phoneName) return number !== '';
    const errors = await form.validateForm();
    if (!form.getFieldMeta(phoneName).touched) void form.setFieldTouched(phoneName, true, false);
    if (!errors[phoneName] && number !== '') return true;
    focusOn(phoneName);
    return false;
  };

  // Read when the answer arrives, because the status may have changed since the click.
  const status = useRef<FormStatus>(undefined);
  useEffect(() => {
    status.current = form.status;
  });
  /** Drops the message of an earlier click; messages at other fields stay. */
  const otherMessages = () =>
    withoutServerErrors({ serverErrors: status.current?.serverErrors }, rest.name, phoneName ?? rest.name);
  const showUnsent = ({ formError }: FormStatus) => form.setStatus({ ...otherMessages(), formError });
  /** A refusal is shown at the button, unless it is about a number that can be changed in this form. */
  const showRefusal = ({ formError, serverErrors }: FormStatus) => {
    const text = formError ?? (phoneName ? undefined : Object.values(serverErrors ?? {})[0]);
    form.setStatus({
      serverErrors: { ...otherMessages().serverErrors, ...(text ? { [rest.name]: text } : serverErrors) },
    });
  };
  const sending = useSingleFlight(async () => {
    try {
      setSent(false);
      const answer = await sendCode(number);
      startResendWait(number, purpose, answer?.resend_after ?? defaultWait);
      setSent(true);
      form.setStatus(otherMessages());
      focusOn(rest.name);
    } catch (error) {
      const isRefused = isApiError(error) && error.code !== 0;
      showFailure(error, { setStatus: isRefused ? showRefusal : showUnsent }, 'code.failed');
    }
  });
  const send = async () => {
    if (!sending.isPending && wait === 0 && (await phoneIsGood())) await sending.run();
  };

  return (
    <TextField
      {...rest}
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder={placeholder ?? t('code.placeholder')}
      maxLength={length}
      filter={(text) => plainText(text).replace(/\D/g, '')}
      trailing={
        <>
          <Button
            ref={button}
            kind="ghost"
            size="s"
            className="ui-field__send ui-digits"
            loading={sending.isPending}
            disabled={wait > 0}
            onClick={() => void send()}
          >
            {wait > 0 ? t('code.wait', { seconds: wait }) : t(sent ? 'code.resend' : 'code.send')}
          </Button>
          <VisuallyHidden>
            <span role="status">{sent && wait > 0 ? t('code.sent') : ''}</span>
          </VisuallyHidden>
        </>
      }
    />
  );
}
