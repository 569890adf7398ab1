import type { PreviewNode, StaffArticle } from '@shop/backoffice/wire';
import { type Language, languages } from '@shop/shared/domain';
import { Button } from '@shop/shared/ui';
import { createElement, type ReactNode, useState } from 'react';
import { api } from '../api';
import { Fault, useFormAct } from '../parts';
import { useTexts } from './texts';

/** The text as the shop shows it: the server takes out what the shop takes out, and elements are made of what is left. */
export function Preview({ title, content }: Pick<StaffArticle, 'title' | 'content'>) {
  const { t } = useTexts();
  const { busy, fault, act } = useFormAct();
  const [shown, setShown] = useState<{ language: Language; title: string; nodes: PreviewNode[] } | null>(null);
  const show = (language: Language) =>
    act(async () => {
      const { nodes } = await api('POST articles/preview', { content: content[language] });
      setShown({ language, title: title[language], nodes });
    });
  return (
    <>
      <div className="row">
        {languages.map((language) => (
          <Button key={language} kind="secondary" loading={busy} onClick={() => void show(language)}>
            {t(language === 'en' ? 'preview.en' : 'preview.zh')}
          </Button>
        ))}
      </div>
      {fault && <Fault>{fault}</Fault>}
      {shown && (
        <section className="card preview" lang={shown.language} aria-label={t('preview.title')} aria-live="polite">
          <h2>{shown.title}</h2>
          {shown.nodes.length === 0 && <p className="hint">{t('preview.empty')}</p>}
          <div className="ui-html">{shown.nodes.map(toElement)}</div>
        </section>
      )}
    </>
  );
}

const properties: Record<string, string> = { colspan: 'colSpan', rowspan: 'rowSpan' };
/** React warns of white space between the parts of a table. */
const holdsNoText = ['table', 'thead', 'tbody', 'tr'];

function toElement(node: PreviewNode, index: number): ReactNode {
  if (typeof node === 'string') return node;
  const attributes = Object.entries(node.attributes).map(([name, value]) => [properties[name] ?? name, value]);
  const link = node.tag === 'a' && { target: '_blank', rel: 'noopener noreferrer' };
  const children = holdsNoText.includes(node.tag)
    ? node.children.filter((one) => typeof one !== 'string')
    : node.children;
  return createElement(
    node.tag,
    { ...Object.fromEntries(attributes), ...link, key: index },
    ...(children.length > 0 ? [children.map(toElement)] : []),
  );
}
