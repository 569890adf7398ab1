/** Language and theme of a document. Both are public: everybody with the same choice gets the same document. */
import { askedLanguage } from '@platform/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Theme = 'light' | 'dark';

/** What the address asks for, else what the cookies say. */
export function preferencesOf({ url, headers }: FastifyRequest): { language: 'zh-CN' | 'en'; theme: Theme } {
  const { cookie } = headers;
  return {
    language: askedLanguage(url) ?? (cookieOf(cookie, 'language') === 'en' ? 'en' : 'zh-CN'),
    theme: askedTheme(url) ?? (cookieOf(cookie, 'theme') === 'dark' ? 'dark' : 'light'),
  };
}

/** Keeps what the address asks for, as the document's script does where one runs (platform/pages/src/boot/asked-preferences.ts). */
export function rememberAsked({ url, headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = { language: askedLanguage(url), theme: askedTheme(url) };
  for (const [name, value] of Object.entries(asked)) {
    if (value && value !== cookieOf(headers.cookie, name))
      reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax`);
  }
}

function askedTheme(url: string): Theme | null {
  const asked = new URLSearchParams(url.split('?')[1] ?? '').get('theme');
  return asked === 'dark' || asked === 'light' ? asked : null;
}

const cookieOf = (cookie = '', name: string) =>
  cookie
    .split(/;\s*/)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
