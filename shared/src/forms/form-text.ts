import { createContext, useContext } from 'react';
import { i18nInstance, useTranslation } from '../i18n';

/** The namespace of the page that owns the form, searched before `forms`. */
export const FormNamespace = createContext<string | undefined>(undefined);

/** The kit's own words. */
export const useFormText = () => useTranslation('forms').t;

/**
 * Turns a schema's message into words. A message is a key, with values behind a question mark where the rule has them
 * (`text.tooLong?max=${max}`, filled in by yup); what is no key, such as a server's message, is shown as it is.
 */
export function useMessage(): (message: string) => string {
  const namespace = useContext(FormNamespace);
  const { t } = useTranslation('forms');
  return (message) => {
    const [key = '', query] = message.split('?', 2);
    const ns = namespace ? [namespace, 'forms'] : ['forms'];
    if (!i18nInstance.exists(key, { ns })) return message;
    return t(key, { ns, ...Object.fromEntries(new URLSearchParams(query)) }) as string;
  };
}
