import type { Canvas, Tone } from './canvas';

export function sky(c: Canvas, tone: Tone): void {
  const { p } = c;
  const stops = {
    night: [p.ink, p.night, p.mid, p.accentDeep],
    dusk: [p.night, p.mid, p.accent, p.accentSoft],
    day: [p.base, p.soft, p.pale, p.accentPale],
  }[tone] as [string, string, string, string];
  c.rect(
    c.linear([
      [0, stops[0]],
      [0.45, stops[1]],
      [0.8, stops[2]],
      [1, stops[3]],
    ]),
  );
}

export function stars(c: Canvas, count: number, floor = 0.6): void {
  for (let i = 0; i < count; i++) {
    const [x, y, r] = [c.between(6, c.width - 6), c.between(6, c.height * floor), c.between(0.7, 2)];
    c.circle(round(x), round(y), round(r), c.p.white, `opacity="${c.between(0.45, 1).toFixed(2)}"`);
  }
  sparkle(c, c.between(0.1, 0.9) * c.width, c.between(0.1, 0.35) * c.height, 9);
}

/** A four-pointed star. */
export function sparkle(c: Canvas, x: number, y: number, r: number, fill = c.p.white): void {
  const k = r * 0.12;
  c.path(
    `M${x} ${y - r}Q${x + k} ${y - k} ${x + r} ${y}Q${x + k} ${y + k} ${x} ${y + r}Q${x - k} ${y + k} ${x - r} ${y}Q${x - k} ${y - k} ${x} ${y - r}Z`,
    fill,
  );
}

export function sun(c: Canvas, x: number, y: number, r: number): void {
  c.glow(x, y, r * 2.6, c.p.accentPale, 0.7);
  c.circle(
    x,
    y,
    r,
    c.linear([
      [0, c.p.white],
      [1, c.p.accentSoft],
    ]),
  );
}

const round = (x: number) => Math.round(x * 10) / 10;

/** A rolling hill line across the picture, filled to the floor. */
export function hill(c: Canvas, y: number, amplitude: number, fill: string): void {
  const steps = 4;
  const dx = c.width / steps;
  let d = `M0 ${round(y + c.between(-1, 1) * amplitude)}`;
  let up = c.chance(0.5) ? 1 : -1;
  for (let i = 1; i <= steps; i++) {
    const to = y + up * amplitude * c.between(0.4, 1);
    const from = (i - 1) * dx;
    d += `C${round(from + dx * 0.5)} ${round(y - up * amplitude * 0.3)} ${round(from + dx * 0.5)} ${round(to)} ${round(i * dx)} ${round(to)}`;
    up = -up;
  }
  c.path(`${d}V${c.height}H0Z`, fill);
}

/** Mountains with a lit and a shaded side and a bright cap. */
export function peaks(
  c: Canvas,
  floor: number,
  count: number,
  height: number,
  lit: string,
  shade: string,
  cap?: string,
): void {
  for (let i = 0; i < count; i++) {
    const x = ((i + c.between(0.2, 0.8)) / count) * c.width;
    const h = height * c.between(0.6, 1);
    const half = h * c.between(0.75, 1.05);
    const lean = c.between(-0.12, 0.12) * half;
    const top = floor - h;
    c.shape(
      [
        [x - half, floor],
        [x, top],
        [x + lean, floor],
      ],
      lit,
    );
    c.shape(
      [
        [x, top],
        [x + half, floor],
        [x + lean, floor],
      ],
      shade,
    );
    if (cap) {
      const t = 0.28;
      c.shape(
        [
          [x, top],
          [x - half * t, top + h * t],
          [x - half * 0.1, top + h * t * 0.8],
          [x + lean * t, top + h * t * 1.15],
          [x + half * 0.14, top + h * t * 0.85],
          [x + half * t, top + h * t],
        ],
        cap,
      );
    }
  }
}

export function crystal(
  c: Canvas,
  x: number,
  floor: number,
  width: number,
  height: number,
  tilt: number,
  colors: [string, string, string, string],
): void {
  const [light, mid, dark, edge] = colors;
  const w = width / 2;
  const shoulder = -height + width * 0.75;
  c.group(`translate(${round(x)} ${round(floor)}) rotate(${round(tilt)})`, () => {
    c.shape(
      [
        [-w, 0],
        [-w, shoulder],
        [0, -height],
        [-w * 0.15, shoulder + w * 0.5],
        [-w * 0.15, 0],
      ],
      mid,
    );
    c.shape(
      [
        [-w * 0.15, 0],
        [-w * 0.15, shoulder + w * 0.5],
        [0, -height],
        [w, shoulder],
        [w, 0],
      ],
      dark,
    );
    c.shape(
      [
        [-w, shoulder],
        [0, -height],
        [-w * 0.15, shoulder + w * 0.5],
      ],
      light,
    );
    c.shape(
      [
        [-w * 0.78, -4],
        [-w * 0.78, shoulder + w * 0.4],
        [-w * 0.55, shoulder + w * 0.6],
        [-w * 0.55, -4],
      ],
      edge,
      'opacity="0.55"',
    );
  });
}

/** Large faint circles behind an object, which give the flat ground depth. */
export function backdrop(c: Canvas, tone: Tone = 'night'): void {
  const { p, width: w, height: h } = c;
  const [from, to] = tone === 'night' ? [p.deep, p.mid] : tone === 'dusk' ? [p.dusk, p.base] : [p.soft, p.pale];
  c.rect(
    c.linear(
      [
        [0, from],
        [1, to],
      ],
      c.between(-40, 40),
    ),
  );
  const [x, y] = [w * c.between(0.3, 0.7), h * c.between(0.35, 0.6)];
  for (const [r, o] of [
    [0.72, 0.1],
    [0.52, 0.12],
    [0.34, 0.16],
  ] as const)
    c.circle(round(x), round(y), w * r, p.accent, `opacity="${o}"`);
  c.glow(w * c.between(0.7, 1), h * c.between(0, 0.2), w * 0.5, p.accentSoft, 0.5);
}

export function shadow(c: Canvas, x: number, y: number, rx: number, ry: number): void {
  const paint = c.radial([
    [0, c.p.ink, 0.55],
    [1, c.p.ink, 0],
  ]);
  c.add(`<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${paint}"/>`);
}

/** Isometric block: (x, y) is the centre of its top face. */
export function block(
  c: Canvas,
  x: number,
  y: number,
  size: number,
  depth: number,
  top: string,
  left: string,
  right: string,
): void {
  const [dx, dy] = [size, size / 2];
  c.shape(
    [
      [x, y - dy],
      [x + dx, y],
      [x, y + dy],
      [x - dx, y],
    ],
    top,
  );
  c.shape(
    [
      [x - dx, y],
      [x, y + dy],
      [x, y + dy + depth],
      [x - dx, y + depth],
    ],
    left,
  );
  c.shape(
    [
      [x + dx, y],
      [x, y + dy],
      [x, y + dy + depth],
      [x + dx, y + depth],
    ],
    right,
  );
}

export function tree(c: Canvas, x: number, floor: number, h: number, lit: string, shade: string): void {
  for (let i = 0; i < 3; i++) {
    const top = floor - h + i * h * 0.22;
    const base = top + h * 0.5;
    const half = h * (0.16 + i * 0.07);
    c.shape(
      [
        [x, top],
        [x - half, base],
        [x, base],
      ],
      lit,
    );
    c.shape(
      [
        [x, top],
        [x + half, base],
        [x, base],
      ],
      shade,
    );
  }
}
