import './phone.css';
import { TextField, useFormikContext } from '@shop/shared/forms';
import { Icon } from '@shop/shared/ui';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTexts } from '../texts';
import { countryName } from './country';
import { loadCountries, readPhone } from './phone';

const CountrySheet = lazy(async () => ({ default: (await loadCountries()).CountrySheet }));

/** A mobile number and its country: the values `phone` and `country` of the form. */
export function PhoneField({ autoComplete }: { autoComplete: 'tel' | 'username' }): ReactNode {
  const { t, language } = useTexts();
  const { values, setFieldValue } = useFormikContext<{ phone: string; country: string }>();
  const { phone, country } = values;
  const [isOpen, setOpen] = useState(false);
  const code = useCallingCode(country);
  const choose = (code: string) => {
    setOpen(false);
    void setFieldValue('country', code);
  };
  /** Shows the country of a number that was typed with its own code. */
  const showCountry = async () => {
    const read = await readPhone({ text: phone, country }).catch(() => undefined);
    if (read && read.country !== country) choose(read.country);
  };
  return (
    <>
      <TextField
        name="phone"
        label={t('login.phone')}
        placeholder={t('login.phonePlaceholder')}
        type="tel"
        inputMode="tel"
        autoComplete={autoComplete}
        maxLength={24}
        onBlur={() => void showCountry()}
        leading={
          <button
            type="button"
            className="shell-phone-country"
            aria-haspopup="dialog"
            aria-label={t('phone.chosen', { country: countryName(country, language), code: code || country })}
            onClick={() => setOpen(true)}
          >
            <span>{code || country}</span>
            <Icon name="chevron-down" size={14} />
          </button>
        }
      />
      {isOpen && (
        <Suspense fallback={null}>
          <CountrySheet country={country} onChoose={choose} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Empty until it is loaded. */
function useCallingCode(country: string): string {
  const [loaded, setLoaded] = useState({ country: 'CN', code: '+86' });
  useEffect(() => {
    let isCurrent = true;
    if (country === 'CN') setLoaded({ country, code: '+86' });
    else
      loadCountries().then(
        ({ callingCode }) => isCurrent && setLoaded({ country, code: callingCode(country) }),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [country]);
  return loaded.country === country ? loaded.code : '';
}
