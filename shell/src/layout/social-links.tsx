import './social-links.css';
import type { AppConfig } from '@shop/shared/session';
import type { ReactNode } from 'react';

/** Simple icons on a grid of 24, by the config's key; not the owners' logos. */
const marks: Record<string, string> = {
  weibo:
    'M10.5 8.5C6.5 8.5 3 11.8 3 15c0 2.9 3.3 4.5 7.2 4.5 4.6 0 7.8-2.3 7.8-5 0-1.7-1.3-2.5-2.6-2.9.6-1.7-.6-3-4-1.5zM10 17a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15 5.2a5 5 0 0 1 5.6 5.6M15.6 8.3a2 2 0 0 1 2 2',
  wechat:
    'M9.5 4C5.4 4 2.5 6.6 2.5 9.8c0 1.9 1 3.5 2.6 4.6L4.5 17l2.8-1.4c.7.2 1.4.2 2.2.2M9 9.5h.01M12.5 9.5h.01M15.8 10c3.3 0 5.7 2.1 5.7 4.7 0 1.6-.9 2.9-2.2 3.8l.5 2-2.3-1.1c-.5.1-1.1.2-1.7.2-3.3 0-5.7-2.2-5.7-4.9s2.4-4.7 5.7-4.7zM14 14.2h.01M17.6 14.2h.01',
  bilibili:
    'M5 7.5h14A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18V9A1.5 1.5 0 0 1 5 7.5zM8 3.5l3 4M16 3.5l-3 4M8.5 12v2.5M15.5 12v2.5',
  discord:
    'M8.5 5.5C6.5 6 5 7 5 7c-1.6 3-2.4 6.3-2.2 10 1.5 1.3 3.1 2 4.7 2.2l1-2M15.5 5.5C17.5 6 19 7 19 7c1.6 3 2.4 6.3 2.2 10-1.5 1.3-3.1 2-4.7 2.2l-1-2M7.5 16.5c3 1.3 6 1.3 9 0M9 6.5c2-.5 4-.5 6 0M9 12.5v.8M15 12.5v.8',
};

/** `icon` is a key of `marks` or an image URL; otherwise the first letter of `name` is shown. */
function SocialIcon({ icon, name }: { icon: string; name: string }): ReactNode {
  const mark = marks[icon];
  if (mark) {
    return (
      <svg viewBox="0 0 24 24" width={22} height={22} className="ui-icon" aria-hidden="true">
        <path d={mark} />
      </svg>
    );
  }
  if (/^(\/|https:)/.test(icon)) return <img src={icon} alt="" width={24} height={24} />;
  return <span aria-hidden="true">{[...name][0]}</span>;
}

export function SocialLinks({ networks, label }: { networks: AppConfig['social']; label?: string }): ReactNode {
  return (
    <ul aria-label={label} className="shell-social ui-row ui-gap-2 ui-wrap">
      {networks.map(({ name, icon, url }) => (
        <li key={name}>
          <a href={url} className="ui-icon-button" target="_blank" rel="noopener noreferrer" aria-label={name}>
            <SocialIcon icon={icon} name={name} />
          </a>
        </li>
      ))}
    </ul>
  );
}
