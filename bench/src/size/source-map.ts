/** How many characters of a generated file come from each source, by its source map. */
export interface SourceMap {
  sources: string[];
  mappings: string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digitOf = new Map([...letters].map((letter, value) => [letter, value]));

/** What no mapping covers is counted under ''. */
export function charactersBySource(code: string, map: SourceMap): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (source: string, characters: number) => {
    if (characters > 0) counts.set(source, (counts.get(source) ?? 0) + characters);
  };
  const lines = code.split('\n');
  let source = 0;
  map.mappings.split(';').forEach((line, index) => {
    const length = (lines[index] ?? '').length;
    let column = 0;
    let owner = '';
    for (const segment of line.split(',').filter(Boolean)) {
      const [columnDelta = 0, sourceDelta] = decode(segment);
      add(owner, columnDelta);
      column += columnDelta;
      if (sourceDelta === undefined) owner = '';
      else {
        source += sourceDelta;
        owner = map.sources[source] ?? '';
      }
    }
    add(owner, length - column);
  });
  return counts;
}

/** Base64 VLQ (ECMA-426). */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let shift = 0;
  let value = 0;
  for (const letter of segment) {
    const digit = digitOf.get(letter) ?? 0;
    value += (digit & 31) << shift;
    if (digit & 32) shift += 5;
    else {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1);
      shift = 0;
      value = 0;
    }
  }
  return numbers;
}
