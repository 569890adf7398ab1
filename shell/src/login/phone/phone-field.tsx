import './phone.css';
import { TextField, useFormikContext } from '@shop/shared/forms';
import { queryOptions, useQuery } from '@shop/shared/query';
import { Icon } from '@shop/shared/ui';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTexts } from '../texts';
import { countryName } from './country';
import { loadCountries, readPhone } from './phone';

const CountrySheet = lazy(async () => ({ default: (await loadCountries()).CountrySheet }));

/** The codes of other countries are in the chunk of the list. */
const callingCodeQuery = (country: string) =>
  queryOptions({
    queryKey: ['shell', 'calling-code', country],
    queryFn: async () => (await loadCountries()).callingCode(country),
    enabled: country !== 'CN',
  });

/** A mobile number and its country: the values `phone` and `country` of the form. */
export function PhoneField({ autoComplete }: { autoComplete: 'tel' | 'username' }): ReactNode {
  const { t, language } = useTexts();
  const { values, setFieldValue } = useFormikContext<{ phone: string; country: string }>();
  const { phone, country } = values;
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(callingCodeQuery(country));
  const code = country === 'CN' ? '+86' : data;
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
            className="shell-phone-country ui-digits"
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
