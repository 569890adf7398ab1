interface BarChartProps {
  title: string;
  names: string[];
  values: number[];
  format(value: number): string;
}

const HEIGHT = 100;
const GAP = 0.2;

/** One bar per name. Screen readers read the table that the chart belongs to. */
export function BarChart({ title, names, values, format }: BarChartProps) {
  const highest = Math.max(0, ...values);
  const scale = HEIGHT / (highest || 1);
  const middle = names[Math.floor((names.length - 1) / 2)];
  return (
    <figure className="chart">
      <div className="chart__scale" aria-hidden="true">
        <span>{format(highest)}</span>
        <span>{format(0)}</span>
      </div>
      <svg viewBox={`0 0 ${names.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {values.map((value, index) => (
          <rect
            key={names[index]}
            x={index + GAP / 2}
            width={1 - GAP}
            y={(highest - value) * scale}
            height={value * scale}
          >
            <title>{`${names[index]} · ${format(value)}`}</title>
          </rect>
        ))}
      </svg>
      <div className="line chart__names" aria-hidden="true">
        {[...new Set([names[0], middle, names.at(-1)])].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
    </figure>
  );
}
