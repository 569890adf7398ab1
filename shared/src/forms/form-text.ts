import { createContext, useContext } from 'react';
import { i18nInstance } from '../i18n';
import { useFormTexts } from './texts';

/** The namespace of the page that owns the form, searched before `forms`. */
export const FormNamespace = createContext<string | undefined>(undefined);

/**
 * Translates a schema's message: a key, with values after a question mark (`text.tooLong?max=${max}`, filled in by yup). Other
 * text, such as a server's message, is shown unchanged.
 */
export function useMessage(): (message: string) => string {
  const namespace = useContext(FormNamespace);
  useFormTexts(); // renders the message again in another language
  return (message) => {
    const [key = '', query] = message.split('?', 2);
    const ns = namespace ? [namespace, 'forms'] : ['forms'];
    if (!i18nInstance.exists(key, { ns })) return message;
    return i18nInstance.t(key, { ns, ...Object.fromEntries(new URLSearchParams(query)) });
  };
}
