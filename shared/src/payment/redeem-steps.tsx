import type { ReactNode } from 'react';

/** An address in staff's text, with or without https://, in front of a path. */
const address = /(?:https?:\/\/)?((?:[a-z\d-]+\.)+(?:com|net|org|cn|hk|tw|jp|gg|io|tv|me)\b(?:\/[\w./?=&%-]*[\w/])?)/gi;

/** Renders addresses in the steps as links. Steps are plain text by staff. */
export function RedeemSteps({ steps }: { steps: readonly string[] }): ReactNode {
  return (
    <ol>
      {steps.map((step) => (
        <li key={step}>{withLinks(step)}</li>
      ))}
    </ol>
  );
}

function withLinks(text: string): ReactNode[] {
  return text.split(address).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={`https://${part}`} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ),
  );
}
