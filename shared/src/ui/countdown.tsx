import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useServerTimeOffset } from '../http';
import { useHydrating } from '../routing';
import { useTexts } from './texts';

interface CountdownProps {
  /** ISO time of the end, on the server's clock. */
  until: string;
  /** Called once for each `until`. */
  onEnd?: () => void;
}

const pad = (value: number) => String(value).padStart(2, '0');

export function Countdown({ until, onEnd }: CountdownProps) {
  const { t } = useTexts();
  const reportEnd = useEffectEvent(() => onEnd?.());
  const reported = useRef('');
  const offset = useServerTimeOffset();
  // biome-ignore lint/plugin: dashes stand for it until the page is hydrated.
  const [left, setLeft] = useState(() => secondsLeft(until, Date.now() + (offset ?? 0)));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = Date.now() + (offset ?? 0);
      const seconds = secondsLeft(until, now);
      setLeft(seconds);
      if (seconds > 0) {
        reported.current = '';
        timer = setTimeout(tick, (Date.parse(until) - now) % 1000 || 1000);
      }
      // The device's own clock may be ahead.
      else if (offset !== undefined && reported.current !== until) {
        reported.current = until;
        reportEnd();
      }
    };
    tick();
    return () => clearTimeout(timer);
  }, [until, offset]);
  // A rendered document may be older than a second.
  const hydrating = useHydrating();
  const days = Math.floor(left / 86400);
  const clock = [Math.floor(left / 3600) % 24, Math.floor(left / 60) % 60, left % 60].map(pad);
  const text = (clock[0] === '00' && days === 0 ? clock.slice(1) : clock).join(':');
  return (
    <span role="timer" translate="no" className="ui-digits ui-nowrap">
      {hydrating ? '--:--:--' : days > 0 ? `${t('days', { count: days })} ${text}` : text}
    </span>
  );
}

const secondsLeft = (until: string, now: number) => Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)) || 0;
