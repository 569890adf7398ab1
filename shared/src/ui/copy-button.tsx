import { useEffect, useState } from 'react';
import { Button } from './button';
import { useTexts } from './texts';
import { toast } from './toast';

interface CopyButtonProps {
  text: string;
  label: string;
  kind?: 'primary' | 'secondary' | 'ghost';
  size?: 's' | 'm' | 'l';
}

/** The clipboard API needs a secure context; some in-app browsers only have execCommand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.readOnly = true;
    area.className = 'ui-visually-hidden';
    const before = document.activeElement as HTMLElement | null;
    // Beside the button, not in the body, where a focus trap or inert would prevent the selection.
    (before?.parentElement ?? document.body).append(area);
    area.select();
    const done = document.execCommand?.('copy') ?? false;
    area.remove();
    before?.focus({ preventScroll: true });
    return done;
  }
}

/** The confirmation replaces the label, so that nothing covers the copied text. */
export function CopyButton({ text, label, kind = 'secondary', size = 's' }: CopyButtonProps) {
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <Button
        kind={kind}
        size={size}
        icon={copied ? 'check' : 'copy'}
        onClick={async () => {
          const done = await copyText(text);
          setCopied(done);
          if (!done) toast.error(t('copyFailed'));
        }}
      >
        <span className="ui-copy">
          <span aria-hidden={copied}>{label}</span>
          <span aria-hidden={!copied}>{t('copied')}</span>
        </span>
      </Button>
      <span className="ui-visually-hidden" role="status">
        {copied ? t('copied') : ''}
      </span>
    </>
  );
}
