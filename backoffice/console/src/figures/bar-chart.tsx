/** null: nothing to show. */
export interface Series {
  label: string;
  values: Array<number | null>;
}

const HEIGHT = 100;
const GAP = 0.2;

/** Bars in groups, one a name. Whoever does not see it reads the table that belongs to it. */
export function BarChart(props: { title: string; names: string[]; series: Series[]; format(value: number): string }) {
  const { title, names, series, format } = props;
  const values = series.flatMap((one) => one.values).filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = HEIGHT / (high - low || 1);
  const width = (1 - GAP) / series.length;
  const middle = names[Math.floor((names.length - 1) / 2)];
  return (
    <figure className="chart">
      {series.length > 1 && (
        <figcaption>
          {series.map(({ label }, index) => (
            <span key={label} className={`chart__key series-${index}`}>
              {label}
            </span>
          ))}
        </figcaption>
      )}
      <div className="chart__scale" aria-hidden="true">
        <span>{format(high)}</span>
        <span>{format(low)}</span>
      </div>
      <svg viewBox={`0 0 ${names.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        <line className="chart__zero" x1="0" x2={names.length} y1={high * scale} y2={high * scale} />
        {series.flatMap((one, at) =>
          one.values.map((value, index) =>
            value === null || value === 0 ? null : (
              <rect
                key={`${one.label} ${names[index]}`}
                className={`series-${at}`}
                x={index + GAP / 2 + at * width}
                width={width}
                y={(high - Math.max(0, value)) * scale}
                height={Math.abs(value) * scale}
              >
                <title>{`${names[index]} · ${one.label} ${format(value)}`}</title>
              </rect>
            ),
          ),
        )}
      </svg>
      <div className="line chart__names" aria-hidden="true">
        {[...new Set([names[0], middle, names.at(-1)])].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
    </figure>
  );
}
