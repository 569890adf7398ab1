interface Metric {
  name: string;
  help?: string;
  type?: 'gauge' | 'counter';
}
interface Sample {
  labels: Readonly<Record<string, string | number>>;
  value: number;
}

export function labelText(labels: Sample['labels']): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return parts.length > 0 ? `{${parts.join()}}` : '';
}

export const metricLines = ({ name, help, type = 'gauge' }: Metric, samples: readonly Sample[]): string[] => [
  ...(help ? [`# HELP ${name} ${help}`] : []),
  `# TYPE ${name} ${type}`,
  ...samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
];
