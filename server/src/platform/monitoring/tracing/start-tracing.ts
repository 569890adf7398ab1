import type { Tracing } from './tracing';
import type { TracingSettings } from './tracing-settings';

/** Undefined while it is off: then nothing of OpenTelemetry is loaded. */
export function startTracing(settings: TracingSettings | null): Tracing | undefined {
  if (!settings) return undefined;
  const { openTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  return openTelemetry(settings);
}
