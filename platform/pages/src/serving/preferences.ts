/** Language and theme of a document. Both are public: everybody with the same choice gets the same document. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, setCookie, YEAR_SECONDS } from '../http/cookies';
import { askedLanguage, DEFAULT_LANGUAGE, type DocumentLanguage, LANGUAGES } from '../metadata/languages';

type Theme = 'light' | 'dark';

/** What the address asks for, else what the cookies say. */
export function preferencesOf(request: FastifyRequest): { language: DocumentLanguage; theme: Theme } {
  const { url } = request;
  const chosen = cookieOf(request, 'language');
  return {
    language: askedLanguage(url) ?? LANGUAGES.find((language) => language === chosen) ?? DEFAULT_LANGUAGE,
    theme: askedTheme(url) ?? (cookieOf(request, 'theme') === 'dark' ? 'dark' : 'light'),
  };
}

/** Keeps what the address asks for, as the document's script does where one runs (platform/pages/src/boot/asked-preferences.ts). */
export function rememberAsked(request: FastifyRequest, reply: FastifyReply): void {
  const { url } = request;
  const asked = { language: askedLanguage(url), theme: askedTheme(url) };
  for (const [name, value] of Object.entries(asked)) {
    if (value && value !== cookieOf(request, name))
      setCookie(request, reply, name, value, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' });
  }
}

function askedTheme(url: string): Theme | null {
  const asked = new URLSearchParams(url.split('?')[1] ?? '').get('theme');
  return asked === 'dark' || asked === 'light' ? asked : null;
}
