import type { Canvas, Tone } from './canvas';
import { block, crystal, hill, peaks, shadow, sky, sparkle, stars, sun, tree } from './parts';

/** Scenes with a horizon. Each takes the canvas and the time of day. */

export function crystals(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  stars(c, 26);
  peaks(c, h * 0.82, 3, h * 0.42, p.mid, p.dusk);
  const x = w * 0.5;
  c.glow(x, h * 0.6, h * 0.5, p.accentSoft, 0.85);
  const colors: [string, string, string, string] = [p.accentPale, p.accent, p.accentDeep, p.white];
  const floor = h * 0.86;
  const big = h * c.between(0.6, 0.68);
  crystal(c, x - h * 0.2, floor, h * 0.13, big * 0.52, -24, colors);
  crystal(c, x + h * 0.21, floor, h * 0.14, big * 0.6, 22, colors);
  crystal(c, x + h * 0.09, floor, h * 0.15, big * 0.78, 9, colors);
  crystal(c, x - h * 0.08, floor, h * 0.16, big * 0.72, -10, colors);
  crystal(c, x, floor + 6, h * 0.2, big, c.between(-3, 3), colors);
  hill(c, h * 0.88, h * 0.03, p.deep);
  sparkle(c, x + h * 0.2, h * 0.28, h * 0.05);
}

export function planet(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  stars(c, 44, 1);
  const [x, y, r] = [w * c.between(0.44, 0.56), h * c.between(0.42, 0.5), h * c.between(0.23, 0.28)];
  c.glow(x, y, r * 2.2, p.accent, 0.55);
  const tilt = c.between(-28, -12);
  const ring = (part: string) =>
    c.group(`translate(${x} ${y}) rotate(${tilt})`, () => {
      c.line(
        part.replaceAll('R', String(r * 1.75)).replaceAll('S', String(r * 0.42)),
        p.accentPale,
        r * 0.13,
        'opacity="0.95"',
      );
      c.line(
        part.replaceAll('R', String(r * 1.48)).replaceAll('S', String(r * 0.33)),
        p.accentSoft,
        r * 0.07,
        'opacity="0.7"',
      );
    });
  ring('M-R 0A R S 0 0 1 R 0');
  const clip = c.clip(`<circle cx="${x}" cy="${y}" r="${r}"/>`);
  c.group(
    '',
    () => {
      c.circle(
        x,
        y,
        r,
        c.linear(
          [
            [0, p.accentPale],
            [0.5, p.accent],
            [1, p.accentInk],
          ],
          35,
        ),
      );
      c.group(`rotate(${tilt} ${x} ${y})`, () => {
        for (const [dy, t, o] of [
          [-0.5, 0.18, 0.35],
          [-0.1, 0.26, 0.3],
          [0.42, 0.2, 0.35],
        ] as const)
          c.rect(p.accentInk, x - r * 1.2, y + dy * r, r * 2.4, t * r, t * r * 0.5, `opacity="${o * 0.7}"`);
      });
      c.circle(x + r * 0.55, y + r * 0.5, r * 1.05, p.ink, 'opacity="0.22"');
    },
    `clip-path="${clip}"`,
  );
  ring('M-R 0A R S 0 0 0 R 0');
  c.circle(
    w * 0.83,
    h * 0.2,
    h * 0.045,
    c.linear([
      [0, p.white],
      [1, p.base],
    ]),
  );
  hill(c, h * 0.87, h * 0.05, p.dusk);
  hill(c, h * 0.93, h * 0.03, p.deep);
}

export function mountains(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  if (tone !== 'day') stars(c, 18, 0.4);
  sun(c, w * c.between(0.3, 0.7), h * c.between(0.3, 0.4), h * 0.13);
  peaks(c, h * 0.85, 3, h * 0.5, p.base, p.mid, p.white);
  c.rect(
    c.linear([
      [0, p.accentPale, 0],
      [1, p.accentPale, 0.7],
    ]),
    0,
    h * 0.55,
    w,
    h * 0.3,
  );
  hill(c, h * 0.76, h * 0.06, p.dusk);
  for (let i = 0; i < 7; i++)
    tree(c, w * c.between(0.02, 0.98), h * c.between(0.84, 0.9), h * c.between(0.12, 0.2), p.night, p.deep);
  hill(c, h * 0.88, h * 0.04, p.deep);
}

export function waves(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  sun(c, w * c.between(0.35, 0.65), h * 0.36, h * 0.19);
  const fills = [p.accentSoft, p.soft, p.base, p.mid, p.dusk, p.night];
  fills.forEach((fill, i) => {
    const y = h * (0.46 + i * 0.1);
    const step = h * (0.2 + i * 0.035);
    let d = `M${-step * c.between(0.2, 0.9)} ${y}`;
    let x = -step;
    while (x < w + step) {
      d += `q${step * 0.35} ${-h * 0.07} ${step * 0.62} ${-h * 0.03}q${-step * 0.12} ${h * 0.05} ${step * 0.38} ${h * 0.03}`;
      x += step;
    }
    c.path(`${d}V${h}H${-step}Z`, fill);
  });
}

export function ship(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  stars(c, 16, 0.4);
  sun(c, w * 0.68, h * 0.3, h * 0.13);
  c.rect(
    c.linear([
      [0, p.soft],
      [1, p.dusk],
    ]),
    0,
    h * 0.66,
    w,
    h * 0.34,
  );
  const x = w * 0.48;
  c.line(`M${x} ${h * 0.2}V${h * 0.66}`, p.deep, 5);
  c.path(
    `M${x + 6} ${h * 0.22}Q${x + h * 0.3} ${h * 0.42} ${x + h * 0.24} ${h * 0.58}H${x + 6}Z`,
    c.linear(
      [
        [0, p.white],
        [1, p.accentSoft],
      ],
      50,
    ),
  );
  c.path(
    `M${x - 6} ${h * 0.28}Q${x - h * 0.1} ${h * 0.48} ${x - h * 0.24} ${h * 0.58}H${x - 6}Z`,
    c.linear(
      [
        [0, p.accent],
        [1, p.accentDeep],
      ],
      -40,
    ),
  );
  c.path(
    `M${x - h * 0.29} ${h * 0.62}H${x + h * 0.33}Q${x + h * 0.24} ${h * 0.76} ${x + h * 0.14} ${h * 0.76}H${x - h * 0.14}Q${x - h * 0.24} ${h * 0.74} ${x - h * 0.29} ${h * 0.62}Z`,
    c.linear([
      [0, p.night],
      [1, p.ink],
    ]),
  );
  for (const [i, fill] of [p.base, p.mid, p.night].entries()) hill(c, h * (0.74 + i * 0.09), h * 0.025, fill);
}

export function city(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  stars(c, 20, 0.4);
  sun(c, w * c.between(0.3, 0.7), h * 0.42, h * 0.22);
  for (const [layer, fill] of [p.mid, p.dusk, p.deep].entries()) {
    let x = -8;
    while (x < w) {
      const width = h * c.between(0.1, 0.17);
      const top = h * (0.3 + layer * 0.16 + c.between(0, 0.24));
      c.rect(fill, Math.round(x), Math.round(top), Math.round(width), h - top);
      if (c.chance(0.3)) c.rect(fill, Math.round(x + width / 2 - 2), Math.round(top - h * 0.07), 4, h * 0.08);
      if (layer > 0)
        for (let wy = top + 12; wy < h - 10; wy += 16)
          for (let wx = x + 8; wx < x + width - 10; wx += 13)
            if (c.chance(0.4))
              c.rect(
                c.chance(0.75) ? p.accentSoft : p.white,
                Math.round(wx),
                Math.round(wy),
                6,
                8,
                1,
                'opacity="0.85"',
              );
      x += width + (layer === 2 ? h * c.between(0, 0.06) : 2);
    }
  }
}

export function pagoda(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  sun(c, w * 0.5, h * 0.38, h * 0.27);
  peaks(c, h * 0.88, 3, h * 0.36, p.base, p.mid);
  c.rect(
    c.linear([
      [0, p.accentPale, 0],
      [1, p.accentPale, 0.75],
    ]),
    0,
    h * 0.6,
    w,
    h * 0.28,
  );
  const x = w * c.between(0.45, 0.55);
  for (let i = 0; i < 4; i++) {
    const y = h * (0.76 - i * 0.14);
    const half = h * (0.2 - i * 0.032);
    c.rect(i % 2 ? p.accentDeep : p.accentInk, x - half * 0.62, y, half * 1.24, h * 0.12);
    c.rect(p.accentSoft, x - 7, y + h * 0.045, 14, h * 0.065, 3);
    c.path(
      `M${x - half * 1.25} ${y + 3}Q${x - half * 0.8} ${y - 2} ${x - half * 0.5} ${y - h * 0.055}H${x + half * 0.5}Q${x + half * 0.8} ${y - 2} ${x + half * 1.25} ${y + 3}Q${x} ${y + h * 0.035} ${x - half * 1.25} ${y + 3}Z`,
      p.deep,
    );
  }
  c.line(`M${x} ${h * 0.17}V${h * 0.3}`, p.deep, 5);
  hill(c, h * 0.9, h * 0.03, p.ink);
}

export function islands(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  sun(c, w * 0.72, h * 0.24, h * 0.09);
  const cloud = (x: number, y: number, s: number, o: number) =>
    c.path(
      `M${x} ${y}a${s} ${s} 0 0 1 ${s * 1.4} ${-s * 0.7}a${s * 1.2} ${s * 1.2} 0 0 1 ${s * 2.1} ${s * 0.1}a${s * 0.8} ${s * 0.8} 0 0 1 ${s} ${s * 0.6}Z`,
      p.white,
      `opacity="${o}"`,
    );
  cloud(w * 0.04, h * 0.32, h * 0.07, 0.75);
  const island = (x: number, y: number, r: number, trees: number) => {
    c.shape(
      [
        [x - r, y],
        [x - r * 0.55, y + r * 0.55],
        [x - r * 0.1, y + r * 1.25],
        [x, y],
      ],
      p.mid,
    );
    c.shape(
      [
        [x, y],
        [x - r * 0.1, y + r * 1.25],
        [x + r * 0.5, y + r * 0.6],
        [x + r, y],
      ],
      p.dusk,
    );
    c.add(
      `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 0.22}" fill="${c.linear([
        [0, p.accentSoft],
        [1, p.accent],
      ])}"/>`,
    );
    for (let i = 0; i < trees; i++)
      tree(
        c,
        x + r * (-0.55 + (i * 1.1) / Math.max(1, trees - 1)),
        y + r * 0.04,
        r * c.between(0.5, 0.8),
        p.accentDeep,
        p.accentInk,
      );
  };
  island(w * 0.2, h * 0.62, h * 0.12, 1);
  island(w * 0.84, h * 0.52, h * 0.1, 1);
  island(w * 0.5, h * 0.52, h * 0.27, 4);
  cloud(w * 0.55, h * 0.9, h * 0.1, 0.85);
  cloud(w * -0.08, h * 0.94, h * 0.09, 0.85);
}

export function voxels(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  if (tone === 'night') stars(c, 20);
  c.glow(w / 2, h * 0.5, h * 0.5, p.accentPale, 0.6);
  const s = h * 0.098;
  const n = 4;
  shadow(c, w / 2, h * 0.93, h * 0.42, h * 0.05);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const level = i + j < 2 ? 2 : i + j < 4 ? Math.round(c.between(0, 1.4)) : 0;
      const x = w / 2 + (i - j) * s;
      const y = h * 0.44 + ((i + j) * s) / 2 - level * s * 0.75;
      const green = c.chance(0.7);
      block(c, x, y, s, s * 1.3 + level * s * 0.75, green ? p.accent : p.accentSoft, p.mid, p.dusk);
      c.shape(
        [
          [x - s, y],
          [x, y + s / 2],
          [x, y + s / 2 + s * 0.32],
          [x - s, y + s * 0.32],
        ],
        p.accentDeep,
      );
      c.shape(
        [
          [x + s, y],
          [x, y + s / 2],
          [x, y + s / 2 + s * 0.32],
          [x + s, y + s * 0.32],
        ],
        p.accentInk,
      );
    }
  const x = w / 2 + s * c.between(-1, 1);
  block(c, x, h * 0.32, s * 0.34, s * 1.4, p.soft, p.base, p.mid);
  block(c, x, h * 0.2, s * 0.95, s * 0.95, p.accentPale, p.accentSoft, p.accent);
}

export function petals(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  c.circle(w * 0.5, h * 0.48, h * 0.34, p.accentPale, 'opacity="0.35"');
  c.group(`translate(${w / 2} ${h * 0.5})`, () => {
    for (const [count, r, fill, turn] of [
      [10, 0.4, p.accentDeep, 18],
      [10, 0.34, p.accent, 0],
      [7, 0.24, p.accentSoft, 10],
      [5, 0.15, p.white, 0],
    ] as const)
      for (let i = 0; i < count; i++) {
        const R = h * r;
        c.group(`rotate(${(360 / count) * i + turn})`, () =>
          c.path(
            `M0 0C${R * 0.42} ${-R * 0.35} ${R * 0.3} ${-R * 0.95} 0 ${-R}C${-R * 0.3} ${-R * 0.95} ${-R * 0.42} ${-R * 0.35} 0 0Z`,
            fill,
            'opacity="0.88"',
          ),
        );
      }
    c.circle(0, 0, h * 0.05, p.accentInk);
    c.circle(0, 0, h * 0.03, p.accentSoft);
  });
  for (let i = 0; i < 9; i++) {
    const [x, y, r] = [c.between(0, w), c.between(0, h), c.between(6, 13)];
    c.group(`translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${c.between(0, 360).toFixed(0)})`, () =>
      c.path(`M0 0Q${r} ${-r * 0.6} ${r * 2} 0Q${r} ${r * 0.6} 0 0Z`, p.accentPale, 'opacity="0.8"'),
    );
  }
}

export function castle(c: Canvas, tone: Tone): void {
  const { p, width: w, height: h } = c;
  sky(c, tone);
  stars(c, 20, 0.4);
  sun(c, w * 0.5, h * 0.36, h * 0.2);
  peaks(c, h * 0.85, 4, h * 0.34, p.mid, p.dusk);
  const tower = (x: number, top: number, half: number, flag: boolean) => {
    c.rect(
      c.linear(
        [
          [0, p.base],
          [0.5, p.mid],
          [1, p.dusk],
        ],
        90,
      ),
      x - half,
      top,
      half * 2,
      h - top,
    );
    c.shape(
      [
        [x - half * 1.35, top + 2],
        [x, top - half * 2.6],
        [x, top + 2],
      ],
      p.accent,
    );
    c.shape(
      [
        [x, top - half * 2.6],
        [x + half * 1.35, top + 2],
        [x, top + 2],
      ],
      p.accentDeep,
    );
    c.rect(p.accentPale, x - half * 0.22, top + half, half * 0.44, half * 0.9, half * 0.22);
    if (flag)
      c.shape(
        [
          [x, top - half * 3.4],
          [x + half * 1.1, top - half * 3.05],
          [x, top - half * 2.7],
        ],
        p.accentSoft,
      );
  };
  const x = w / 2;
  tower(x - h * 0.26, h * 0.58, h * 0.06, false);
  tower(x + h * 0.26, h * 0.55, h * 0.06, false);
  c.rect(p.dusk, x - h * 0.26, h * 0.68, h * 0.52, h * 0.3);
  tower(x - h * 0.12, h * 0.52, h * 0.065, true);
  tower(x + h * 0.13, h * 0.56, h * 0.06, false);
  tower(x, h * 0.44, h * 0.085, true);
  c.path(`M${x - h * 0.07} ${h}V${h * 0.8}a${h * 0.07} ${h * 0.07} 0 0 1 ${h * 0.14} 0V${h}Z`, p.ink);
  hill(c, h * 0.92, h * 0.03, p.deep);
}
