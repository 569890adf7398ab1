import type { Canvas, Tone } from './canvas';
import { backdrop, crystal, shadow, sparkle } from './parts';

/** Scenes around one thing. Measures are for a picture of 320 by 320. */

const star = (x: number, y: number, R: number, r: number, n: number, turn = -90) =>
  Array.from({ length: n * 2 }, (_, i) => {
    const a = ((turn + (180 / n) * i) * Math.PI) / 180;
    const k = i % 2 ? r : R;
    return [x + Math.cos(a) * k, y + Math.sin(a) * k];
  });

export function cards(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  const motif = Math.floor(c.between(0, 4));
  const card = (transform: string, from: string, to: string, front: boolean) =>
    c.group(transform, () => {
      c.rect(p.ink, -103, -62, 206, 136, 18, 'opacity="0.28"');
      const clip = c.clip('<rect x="-104" y="-68" width="208" height="136" rx="18"/>');
      c.group(
        '',
        () => {
          c.rect(
            c.linear(
              [
                [0, from],
                [1, to],
              ],
              55,
            ),
            -104,
            -68,
            208,
            136,
          );
          if (!front) return;
          if (motif === 0) for (const r of [120, 88, 56]) c.circle(104, 68, r, p.white, 'opacity="0.16"');
          if (motif === 1)
            for (const x of [-20, 30, 80])
              c.shape(
                [
                  [x, 68],
                  [x + 70, -68],
                  [x + 96, -68],
                  [x + 26, 68],
                ],
                p.white,
                'opacity="0.17"',
              );
          if (motif === 2) {
            c.path('M-104 40Q-50 -10 0 30T104 0V68H-104Z', p.white, 'opacity="0.2"');
            c.path('M-104 62Q-40 20 20 52T104 30V68H-104Z', p.white, 'opacity="0.22"');
          }
          if (motif === 3) {
            c.shape(
              [
                [20, 68],
                [70, -20],
                [120, 68],
              ],
              p.white,
              'opacity="0.2"',
            );
            c.shape(
              [
                [-20, 68],
                [25, 0],
                [66, 68],
              ],
              p.white,
              'opacity="0.2"',
            );
            c.circle(62, -40, 15, p.white, 'opacity="0.5"');
          }
        },
        `clip-path="${clip}"`,
      );
      if (front) {
        c.shape(star(-72, -36, 16, 7, 5), p.white);
        c.rect(p.white, -88, 34, 84, 9, 4.5, 'opacity="0.9"');
        c.rect(p.white, -88, 50, 50, 7, 3.5, 'opacity="0.6"');
      }
    });
  shadow(c, 160, 262, 116, 20);
  card('translate(176 134) rotate(9)', p.soft, p.base, false);
  card('translate(166 152) rotate(-3)', p.accentSoft, p.accentDeep, false);
  card('translate(154 174) rotate(-13)', p.accent, p.accentInk, true);
  sparkle(c, 262, 76, 16);
  sparkle(c, 48, 92, 9);
}

export function controller(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 256, 110, 18);
  const tilt = c.between(-14, 8).toFixed(1);
  c.group(`translate(160 168) rotate(${tilt})`, () => {
    const body =
      'M-66 -56C-96 -58 -112 -30 -120 14C-128 60 -112 84 -90 74C-70 64 -62 36 -44 34H44C62 36 70 64 90 74C112 84 128 60 120 14C112 -30 96 -58 66 -56Z';
    c.path(body, p.ink, 'opacity="0.35" transform="translate(0 10)"');
    c.path(
      body,
      c.linear([
        [0, p.white],
        [0.55, p.pale],
        [1, p.soft],
      ]),
    );
    c.path('M-66 -56C-30 -44 30 -44 66 -56C50 -60 -50 -60 -66 -56Z', p.accent);
    c.rect(p.night, -89, -30, 15, 45, 5).rect(p.night, -104, -15, 45, 15, 5);
    for (const [x, y, fill] of [
      [82, -28, p.accent],
      [82, 14, p.accentDeep],
      [61, -7, p.base],
      [103, -7, p.mid],
    ] as const)
      c.circle(x, y, 9.5, fill);
    for (const x of [-38, 38])
      c.circle(x, 18, 20, p.night).circle(
        x,
        16,
        14,
        c.linear([
          [0, p.base],
          [1, p.dusk],
        ]),
      );
    c.rect(
      c.linear([
        [0, p.accentSoft],
        [1, p.accent],
      ]),
      -24,
      -38,
      48,
      24,
      8,
    );
  });
  sparkle(c, 70, 66, 13);
  sparkle(c, 254, 84, 9);
}

export function target(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  c.shape(
    [
      [-10, 330],
      [150, -10],
      [250, -10],
      [90, 330],
    ],
    p.accent,
    'opacity="0.2"',
  );
  const [x, y] = [160, 158];
  c.glow(x, y, 150, p.accentSoft, 0.5);
  c.ring(x, y, 108, p.white, 5, 0.35);
  c.ring(x, y, 82, p.accentSoft, 14);
  c.ring(x, y, 52, p.white, 5, 0.8);
  for (let i = 0; i < 4; i++)
    c.group(`rotate(${90 * i} ${x} ${y})`, () =>
      c.shape(
        [
          [x - 9, y - 130],
          [x + 9, y - 130],
          [x + 4, y - 64],
          [x - 4, y - 64],
        ],
        p.white,
      ),
    );
  for (let i = 0; i < 7; i++) {
    const a = c.between(0, 6.28);
    const d = c.between(118, 170);
    const s = c.between(8, 20);
    const [sx, sy] = [x + Math.cos(a) * d, y + Math.sin(a) * d];
    c.shape(
      [
        [sx, sy - s],
        [sx + s * 0.8, sy + s * 0.3],
        [sx - s * 0.5, sy + s * 0.7],
      ],
      c.chance(0.5) ? p.accent : p.soft,
      'opacity="0.85"',
    );
  }
  c.shape(star(x, y, 34, 14, 4), p.accent);
  c.circle(x, y, 8, p.white);
}

export function sword(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  for (let i = 0; i < 14; i++)
    c.group(`rotate(${i * (360 / 14)} 160 150)`, () =>
      c.shape(
        [
          [160, 150],
          [150, -80],
          [170, -80],
        ],
        p.accentSoft,
        'opacity="0.16"',
      ),
    );
  c.glow(160, 140, 140, p.accentPale, 0.7);
  c.group(`rotate(${c.chance(0.5) ? 32 : -32} 160 160)`, () => {
    c.shape(
      [
        [160, 18],
        [142, 48],
        [146, 210],
        [160, 210],
      ],
      p.white,
    );
    c.shape(
      [
        [160, 18],
        [178, 48],
        [174, 210],
        [160, 210],
      ],
      p.soft,
    );
    c.rect(p.base, 157, 52, 6, 150);
    c.path(
      'M96 204Q128 222 160 206Q192 222 224 204Q214 240 160 232Q106 240 96 204Z',
      c.linear([
        [0, p.accentSoft],
        [1, p.accentDeep],
      ]),
    );
    c.rect(
      c.linear(
        [
          [0, p.dusk],
          [0.5, p.mid],
          [1, p.deep],
        ],
        90,
      ),
      150,
      230,
      20,
      54,
      5,
    );
    for (const y of [240, 254, 268]) c.rect(p.accent, 150, y, 20, 4);
    c.circle(160, 294, 14, p.accent).circle(157, 290, 5, p.accentPale);
    c.circle(160, 218, 9, p.accentPale);
  });
  sparkle(c, 248, 92, 14);
  sparkle(c, 70, 226, 9);
}

export function shield(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  for (const flip of [1, -1])
    c.group(`translate(160 150) scale(${flip} 1)`, () => {
      for (let i = 0; i < 4; i++)
        c.path(
          `M40 ${20 + i * 22}Q${128 - i * 16} ${-10 + i * 18} ${142 - i * 20} ${-66 + i * 34}Q${84 - i * 12} ${-42 + i * 26} 40 ${-14 + i * 22}Z`,
          i % 2 ? p.accentSoft : p.accentPale,
          'opacity="0.92"',
        );
    });
  shadow(c, 160, 280, 80, 14);
  const d = 'M160 52Q204 76 244 72Q248 210 160 268Q72 210 76 72Q116 76 160 52Z';
  c.path(
    d,
    c.linear(
      [
        [0, p.pale],
        [1, p.base],
      ],
      40,
    ),
  );
  c.path('M160 72Q198 92 228 90Q230 196 160 246Z', p.mid).path('M160 72Q122 92 92 90Q90 196 160 246Z', p.base);
  c.shape(
    star(160, 150, 52, 21, Math.round(c.between(4, 6))),
    c.linear([
      [0, p.accentPale],
      [1, p.accent],
    ]),
  );
}

export function ball(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  c.shape(
    [
      [0, 230],
      [320, 190],
      [320, 320],
      [0, 320],
    ],
    p.accentDeep,
  ).shape(
    [
      [0, 262],
      [320, 222],
      [320, 254],
      [0, 294],
    ],
    p.accent,
  );
  c.line('M-10 300A170 60 0 0 1 330 250', p.white, 4, 'opacity="0.6"');
  shadow(c, 160, 252, 80, 14);
  c.circle(
    160,
    154,
    92,
    c.radial(
      [
        [0, p.white],
        [0.7, p.pale],
        [1, p.soft],
      ],
      0.4,
      0.35,
    ),
  );
  const clip = c.clip('<circle cx="160" cy="154" r="92"/>');
  c.group(
    '',
    () => {
      const pent = (x: number, y: number, r: number, turn: number) =>
        c.shape(star(x, y, r, r * 0.81, 5, turn), p.night);
      pent(156, 150, 30, -90);
      for (let i = 0; i < 5; i++) {
        const a = ((-90 + 72 * i) * Math.PI) / 180;
        c.line(
          `M${156 + Math.cos(a) * 30} ${150 + Math.sin(a) * 30}L${156 + Math.cos(a) * 60} ${150 + Math.sin(a) * 60}`,
          p.night,
          4,
        );
        pent(156 + Math.cos(a) * 84, 150 + Math.sin(a) * 84, 27, 90 + 72 * i);
      }
    },
    `clip-path="${clip}"`,
  );
}

export function film(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  c.shape(
    [
      [160, 160],
      [-40, 10],
      [-40, -80],
      [40, -80],
    ],
    p.accentPale,
    'opacity="0.22"',
  ).shape(
    [
      [160, 160],
      [280, -60],
      [380, -60],
      [380, 60],
    ],
    p.accentPale,
    'opacity="0.22"',
  );
  shadow(c, 160, 268, 110, 18);
  c.group(`rotate(${c.between(-8, 6).toFixed(1)} 160 170)`, () => {
    c.rect(p.ink, 52, 96, 216, 160, 24, 'opacity="0.35"');
    c.rect(
      c.linear([
        [0, p.dusk],
        [1, p.deep],
      ]),
      52,
      84,
      216,
      160,
      24,
    );
    c.rect(
      c.linear(
        [
          [0, p.accentSoft],
          [0.5, p.accent],
          [1, p.accentDeep],
        ],
        40,
      ),
      66,
      98,
      188,
      132,
      14,
    );
    const clip = c.clip('<rect x="66" y="98" width="188" height="132" rx="14"/>');
    c.group(
      '',
      () => {
        c.circle(210, 130, 24, p.accentPale, 'opacity="0.9"');
        c.shape(
          [
            [40, 240],
            [120, 150],
            [200, 240],
          ],
          p.mid,
          'opacity="0.8"',
        ).shape(
          [
            [130, 240],
            [206, 166],
            [290, 240],
          ],
          p.dusk,
          'opacity="0.85"',
        );
      },
      `clip-path="${clip}"`,
    );
    c.circle(160, 164, 35, p.white, 'opacity="0.95"');
    c.path('M150 146Q150 142 154 144L178 160Q182 164 178 168L154 184Q150 186 150 182Z', p.accentInk);
  });
  sparkle(c, 262, 62, 12);
}

export function vinyl(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 164, 276, 110, 18);
  c.circle(
    186,
    160,
    98,
    c.linear(
      [
        [0, p.night],
        [1, p.ink],
      ],
      30,
    ),
  );
  for (const r of [88, 76, 64, 52]) c.ring(186, 160, r, p.base, 1.6, 0.5);
  c.path('M186 160L258 96A98 98 0 0 1 280 132Z', p.white, 'opacity="0.16"').path(
    'M186 160L112 222A98 98 0 0 1 92 186Z',
    p.white,
    'opacity="0.12"',
  );
  c.circle(186, 160, 34, p.accent).circle(186, 160, 8, p.white);
  c.group('rotate(-5 120 160)', () => {
    c.rect(p.ink, 42, 82, 154, 172, 14, 'opacity="0.3"');
    c.rect(
      c.linear(
        [
          [0, p.accentSoft],
          [1, p.accentDeep],
        ],
        35,
      ),
      42,
      72,
      154,
      172,
      14,
    );
    const heights = Array.from({ length: 7 }, () => Math.round(c.between(24, 112)));
    heights.forEach((v, i) => {
      c.rect(p.white, 62 + i * 17, 158 - v / 2, 9, v, 4.5, 'opacity="0.95"');
    });
  });
}

export function bubbles(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 276, 110, 16);
  const bubble = (x: number, y: number, w: number, h: number, fill: string, left: boolean) => {
    const tail = left
      ? `M${x + 26} ${y + h - 6}L${x + 18} ${y + h + 30}L${x + 66} ${y + h - 6}Z`
      : `M${x + w - 26} ${y + h - 6}L${x + w - 18} ${y + h + 30}L${x + w - 66} ${y + h - 6}Z`;
    c.path(tail, fill).rect(fill, x, y, w, h, 34);
  };
  bubble(
    118,
    50,
    160,
    110,
    c.linear([
      [0, p.soft],
      [1, p.base],
    ]),
    false,
  );
  c.rect(p.white, 146, 84, 100, 11, 5.5, 'opacity="0.8"').rect(p.white, 146, 106, 66, 11, 5.5, 'opacity="0.6"');
  bubble(
    42,
    122,
    176,
    116,
    c.linear(
      [
        [0, p.accentSoft],
        [1, p.accentDeep],
      ],
      20,
    ),
    true,
  );
  const motif = Math.floor(c.between(0, 3));
  if (motif === 0) for (const x of [92, 130, 168]) c.circle(x, 180, 11, p.white);
  if (motif === 1)
    c.path(
      'M130 214C92 192 88 160 108 156C122 154 130 168 130 172C130 168 138 154 152 156C172 160 168 192 130 214Z',
      p.white,
    );
  if (motif === 2) c.shape(star(130, 182, 36, 16, 5), p.white);
  sparkle(c, 58, 74, 13);
}

export function coins(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 276, 116, 18);
  const stack = (x: number, n: number, rx: number) => {
    for (let i = 0; i < n; i++) {
      const y = 262 - i * 20;
      c.path(
        `M${x - rx} ${y - 18}V${y}A${rx} ${rx * 0.32} 0 0 0 ${x + rx} ${y}V${y - 18}Z`,
        c.linear(
          [
            [0, p.accent],
            [0.35, p.accentSoft],
            [1, p.accentDeep],
          ],
          90,
        ),
      );
      c.add(
        `<ellipse cx="${x}" cy="${y - 18}" rx="${rx}" ry="${rx * 0.32}" fill="${p.accentSoft}" stroke="${p.accentDeep}" stroke-width="1.5"/>`,
      );
    }
  };
  stack(92, Math.round(c.between(3, 5)), 46);
  stack(232, Math.round(c.between(2, 4)), 46);
  stack(162, 2, 48);
  const [x, y] = [164, 126];
  c.circle(x + 4, y + 6, 76, p.ink, 'opacity="0.25"').circle(
    x,
    y,
    76,
    c.linear(
      [
        [0, p.accentPale],
        [0.5, p.accent],
        [1, p.accentDeep],
      ],
      35,
    ),
  );
  c.ring(x, y, 60, p.accentPale, 5, 0.9);
  c.shape(star(x, y, 42, 18, Math.round(c.between(4, 6))), p.white);
  sparkle(c, 262, 66, 13);
}

export function sheets(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 280, 110, 16);
  const sheet = (x: number, y: number, turn: number, fill: string) =>
    c.group(`translate(${x} ${y}) rotate(${turn})`, () => {
      c.rect(p.ink, -76, -88, 152, 190, 20, 'opacity="0.22"');
      c.rect(fill, -76, -96, 152, 190, 20);
    });
  sheet(
    198,
    158,
    12,
    c.linear([
      [0, p.soft],
      [1, p.mid],
    ]),
  );
  sheet(
    128,
    158,
    -10,
    c.linear([
      [0, p.accentSoft],
      [1, p.accentDeep],
    ]),
  );
  sheet(
    160,
    164,
    2,
    c.linear([
      [0, p.white],
      [1, p.pale],
    ]),
  );
  c.group('translate(160 164) rotate(2)', () => {
    for (const [i, width] of [84, 110, 96, 60].entries())
      c.rect(i ? p.soft : p.accent, -55, -66 + i * 22, width, 11, 5.5);
    const bars = [26, 46, 36, 62];
    bars.forEach((v, i) => {
      c.rect(i === 3 ? p.accent : p.base, -54 + i * 29, 78 - v, 20, v, 5);
    });
  });
}

export function cloud(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 272, 110, 16);
  c.path(
    'M92 230A56 56 0 0 1 90 118A78 78 0 0 1 236 104A64 64 0 0 1 244 230Z',
    p.ink,
    'opacity="0.25" transform="translate(0 10)"',
  );
  c.path(
    'M92 230A56 56 0 0 1 90 118A78 78 0 0 1 236 104A64 64 0 0 1 244 230Z',
    c.linear([
      [0, p.white],
      [1, p.soft],
    ]),
  );
  const arrow = 'M160 116L202 160H178V206H142V160H118Z';
  c.path(
    arrow,
    c.linear([
      [0, p.accentSoft],
      [1, p.accentDeep],
    ]),
    c.chance(0.5) ? 'transform="rotate(180 160 162)"' : '',
  );
  sparkle(c, 64, 84, 12);
  sparkle(c, 272, 72, 9);
}

export function rocket(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  for (const [x, y, l] of [
    [60, 200, 70],
    [96, 262, 60],
    [40, 110, 50],
    [230, 282, 50],
  ] as const)
    c.line(`M${x} ${y}l${-l * 0.6} ${l * 0.6}`, p.white, 5, 'opacity="0.45"');
  c.group('translate(166 152) rotate(42)', () => {
    c.path('M-20 74Q0 160 20 74Z', p.accentPale).path('M-34 70Q0 134 34 70Z', p.accent, 'opacity="0.7"');
    c.path('M-40 20L-74 74L-30 64Z', p.accentDeep).path('M40 20L74 74L30 64Z', p.accentInk);
    c.path(
      'M0 -118C52 -76 54 10 32 76H-32C-54 10 -52 -76 0 -118Z',
      c.linear(
        [
          [0, p.white],
          [0.6, p.pale],
          [1, p.soft],
        ],
        90,
      ),
    );
    c.path('M0 -118C24 -98 38 -72 44 -46H-44C-38 -72 -24 -98 0 -118Z', p.accent);
    c.circle(0, -10, 24, p.dusk).circle(
      0,
      -10,
      16,
      c.linear([
        [0, p.soft],
        [1, p.mid],
      ]),
    );
  });
}

export function phone(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 288, 90, 14);
  c.group(`rotate(${c.between(-12, 12).toFixed(1)} 160 160)`, () => {
    c.rect(p.ink, 100, 40, 124, 232, 26, 'opacity="0.35"').rect(p.deep, 96, 34, 128, 234, 26);
    c.rect(
      c.linear(
        [
          [0, p.accentSoft],
          [0.6, p.accent],
          [1, p.accentDeep],
        ],
        25,
      ),
      105,
      43,
      110,
      216,
      18,
    );
    c.rect(p.deep, 142, 50, 36, 9, 4.5);
    for (let i = 0; i < 4; i++)
      c.rect(p.white, 122 + i * 21, 150 - i * 18, 14, 22 + i * 18, 4, `opacity="${0.7 + i * 0.1}"`);
    c.rect(p.white, 120, 194, 80, 12, 6, 'opacity="0.9"').rect(p.white, 120, 216, 52, 10, 5, 'opacity="0.6"');
  });
  for (const r of [26, 44, 62])
    c.line(`M${246 - r * 0.1} ${76 - r}A${r} ${r} 0 0 1 ${246 + r} ${76 + r * 0.1}`, p.white, 6, 'opacity="0.6"');
}

export function cup(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 280, 96, 16);
  c.line('M218 158Q262 152 258 192Q252 226 206 222', p.pale, 15);
  c.path(
    'M78 128H226Q226 226 200 262Q192 272 178 272H126Q112 272 104 262Q78 226 78 128Z',
    c.linear(
      [
        [0, p.white],
        [1, p.soft],
      ],
      60,
    ),
  );
  c.add(
    `<ellipse cx="152" cy="128" rx="74" ry="22" fill="${p.pale}"/><ellipse cx="152" cy="130" rx="62" ry="16" fill="${p.accentInk}"/>`,
  );
  c.path('M120 130Q152 112 184 130Q152 146 120 130Z', p.accentSoft);
  for (const x of [122, 152, 182]) c.line(`M${x} 96q-14 -18 0 -34t0 -34`, p.white, 7, 'opacity="0.6"');
  c.path(
    'M152 226C122 208 120 184 134 182C146 180 152 190 152 194C152 190 158 180 170 182C184 184 182 208 152 226Z',
    p.accent,
  );
}

export function tea(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 288, 80, 14);
  c.line('M178 20L160 120', p.accentDeep, 14);
  c.path(
    'M96 92H224L206 270Q204 284 190 284H130Q116 284 114 270Z',
    c.linear([
      [0, p.white, 0.95],
      [1, p.pale, 0.95],
    ]),
  );
  c.path(
    'M102 128H218L205 266Q203 276 190 276H130Q117 276 115 266Z',
    c.linear([
      [0, p.accentSoft],
      [0.6, p.accent],
      [1, p.accentDeep],
    ]),
  );
  for (let i = 0; i < 13; i++)
    c.circle(128 + (i % 5) * 16 + (i > 4 && i < 10 ? 6 : 0), 262 - Math.floor(i / 5) * 16, 8, p.ink);
  c.rect(p.dusk, 86, 78, 148, 20, 10);
  c.path('M112 140L122 240', 'none', `stroke="${p.white}" stroke-width="7" stroke-linecap="round" opacity="0.6"`);
}

export function gift(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 280, 110, 16);
  c.rect(
    c.linear([
      [0, p.base],
      [1, p.dusk],
    ]),
    72,
    150,
    176,
    124,
    14,
  ).rect(
    c.linear([
      [0, p.soft],
      [1, p.mid],
    ]),
    58,
    112,
    204,
    50,
    12,
  );
  c.rect(
    c.linear([
      [0, p.accentSoft],
      [1, p.accent],
    ]),
    142,
    112,
    36,
    162,
  );
  c.path('M160 112C120 112 84 92 92 64C100 40 148 60 160 112Z', p.accent).path(
    'M160 112C200 112 236 92 228 64C220 40 172 60 160 112Z',
    p.accentSoft,
  );
  c.path('M160 112C134 108 108 92 112 76C118 64 148 80 160 112Z', p.accentDeep).path(
    'M160 112C186 108 212 92 208 76C202 64 172 80 160 112Z',
    p.accent,
  );
  for (let i = 0; i < 10; i++)
    c.circle(
      Math.round(c.between(20, 300)),
      Math.round(c.between(16, 100)),
      Math.round(c.between(3, 6)),
      c.chance(0.5) ? p.accentPale : p.soft,
    );
}

export function wheel(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  c.path('M0 250Q160 220 320 250V320H0Z', p.deep);
  const w = (x: number) => {
    c.circle(x, 206, 56, p.ink, 'opacity="0.3"').ring(x, 206, 52, p.white, 9);
    for (let i = 0; i < 6; i++)
      c.group(`rotate(${i * 30} ${x} 206)`, () => c.line(`M${x - 48} 206H${x + 48}`, p.pale, 2, 'opacity="0.7"'));
    c.circle(x, 206, 10, p.accent);
  };
  w(88);
  w(232);
  c.line('M88 206L128 126H206L160 206ZM160 206L122 110M206 126L232 206M206 126L198 96H226', p.accent, 11);
  c.line('M104 108H140', p.accentPale, 12);
}

export function drop(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 284, 80, 14);
  c.path(
    'M160 34C214 108 242 146 242 190A82 82 0 0 1 78 190C78 146 106 108 160 34Z',
    c.linear(
      [
        [0, p.accentPale],
        [0.5, p.accent],
        [1, p.accentDeep],
      ],
      20,
    ),
  );
  c.path(
    'M112 176C112 214 134 238 164 242',
    'none',
    `stroke="${p.white}" stroke-width="13" stroke-linecap="round" opacity="0.75"`,
  );
  c.shape(
    [
      [176, 112],
      [138, 176],
      [162, 176],
      [146, 226],
      [192, 158],
      [166, 158],
    ],
    p.white,
  );
}

export function headset(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 272, 100, 16);
  c.line('M62 160Q62 62 160 62T258 160', p.pale, 18);
  c.rect(p.ink, 58, 116, 204, 120, 50, 'opacity="0.3" transform="translate(0 10)"').rect(
    c.linear([
      [0, p.white],
      [1, p.soft],
    ]),
    58,
    112,
    204,
    120,
    50,
  );
  c.rect(
    c.linear([
      [0, p.night],
      [1, p.ink],
    ]),
    76,
    130,
    168,
    84,
    38,
  );
  c.path(
    'M92 178Q120 140 160 168T228 158V178Q226 204 200 206H122Q96 204 92 178Z',
    c.linear(
      [
        [0, p.accent],
        [1, p.accentDeep],
      ],
      90,
    ),
    'opacity="0.9"',
  );
  c.circle(120, 156, 9, p.accentPale).circle(196, 152, 5, p.white);
}

export function heart(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  for (let i = 0; i < 16; i++)
    c.circle(
      Math.round(c.between(10, 310)),
      Math.round(c.between(10, 310)),
      Math.round(c.between(1, 4)),
      p.white,
      'opacity="0.8"',
    );
  c.glow(160, 160, 150, p.accentSoft, 0.7);
  c.shape(
    [
      [160, 92],
      [112, 54],
      [58, 86],
      [52, 142],
      [96, 206],
      [160, 262],
    ],
    p.accent,
  );
  c.shape(
    [
      [160, 92],
      [208, 54],
      [262, 86],
      [268, 142],
      [224, 206],
      [160, 262],
    ],
    p.accentDeep,
  );
  c.shape(
    [
      [112, 54],
      [58, 86],
      [104, 130],
      [160, 92],
    ],
    p.accentPale,
  ).shape(
    [
      [58, 86],
      [52, 142],
      [104, 130],
    ],
    p.accentSoft,
  );
  c.shape(
    [
      [208, 54],
      [160, 92],
      [214, 130],
      [262, 86],
    ],
    p.accentSoft,
  ).shape(
    [
      [160, 92],
      [104, 130],
      [160, 262],
    ],
    p.accentSoft,
    'opacity="0.55"',
  );
  c.shape(
    [
      [262, 86],
      [268, 142],
      [214, 130],
    ],
    p.accent,
  );
  c.add(
    `<ellipse cx="160" cy="160" rx="142" ry="40" fill="none" stroke="${p.white}" stroke-width="3" opacity="0.7" transform="rotate(-20 160 160)"/>`,
  );
  sparkle(c, 70, 52, 15);
}

export function dice(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 276, 110, 16);
  const egg = (x: number, y: number, s: number, from: string, to: string) =>
    c.group(`translate(${x} ${y}) scale(${s})`, () => {
      c.path(
        'M0 -84C48 -84 72 -22 72 18A72 68 0 0 1 -72 18C-72 -22 -48 -84 0 -84Z',
        c.linear(
          [
            [0, from],
            [1, to],
          ],
          25,
        ),
      );
      c.path(
        'M-70 8Q-46 -14 -24 8T24 8T70 8Q72 30 66 46Q44 26 22 46T-22 46T-66 46Q-72 28 -70 8Z',
        p.white,
        'opacity="0.55"',
      );
      c.add('<ellipse cx="-26" cy="-40" rx="13" ry="20" fill="#fff" opacity="0.6" transform="rotate(24 -26 -40)"/>');
    });
  egg(92, 200, 0.8, p.soft, p.mid);
  egg(236, 206, 0.72, p.pale, p.base);
  egg(164, 168, 1.1, p.accentPale, p.accentDeep);
  sparkle(c, 258, 78, 15);
  sparkle(c, 66, 84, 10);
}

export function gem(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 276, 90, 16);
  c.glow(160, 150, 150, p.accentPale, 0.6);
  const [l, m, d, w] = [p.accentSoft, p.accent, p.accentDeep, p.accentPale];
  c.shape(
    [
      [96, 84],
      [132, 84],
      [108, 130],
      [52, 130],
    ],
    m,
  ).shape(
    [
      [132, 84],
      [188, 84],
      [160, 130],
      [108, 130],
    ].map(([x = 0, y = 0]) => [x, y]),
    w,
  );
  c.shape(
    [
      [188, 84],
      [224, 84],
      [268, 130],
      [212, 130],
      [160, 130],
    ],
    l,
  );
  c.shape(
    [
      [52, 130],
      [108, 130],
      [160, 262],
    ],
    m,
  )
    .shape(
      [
        [108, 130],
        [212, 130],
        [160, 262],
      ],
      l,
    )
    .shape(
      [
        [212, 130],
        [268, 130],
        [160, 262],
      ],
      d,
    );
  c.shape(
    [
      [132, 84],
      [160, 84],
      [108, 130],
    ],
    p.white,
    'opacity="0.6"',
  );
  crystal(c, 62, 280, 26, 60, -18, [w, l, d, p.white]);
  crystal(c, 262, 280, 24, 52, 16, [w, l, d, p.white]);
  sparkle(c, 238, 62, 16);
  sparkle(c, 74, 70, 9);
}

export function flame(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  shadow(c, 160, 286, 90, 12);
  c.glow(160, 180, 160, p.accent, 0.8);
  c.path(
    'M162 24C184 84 250 116 244 196A84 84 0 0 1 76 200C74 150 108 132 112 88C136 100 140 118 140 132C158 104 166 70 162 24Z',
    c.linear([
      [0, p.accentDeep],
      [1, p.accent],
    ]),
  );
  c.path(
    'M166 108C178 144 216 162 212 208A52 54 0 0 1 108 212C108 184 126 172 130 146C144 154 148 166 148 174C160 156 168 136 166 108Z',
    c.linear([
      [0, p.accent],
      [1, p.accentSoft],
    ]),
  );
  c.path(
    'M162 184C170 204 190 212 186 236A27 27 0 0 1 134 236C134 220 146 214 148 200C156 204 162 196 162 184Z',
    p.accentPale,
  );
  for (let i = 0; i < 8; i++)
    c.circle(Math.round(c.between(40, 280)), Math.round(c.between(20, 150)), Math.round(c.between(2, 4)), p.accentSoft);
}

export function bolt(c: Canvas, tone: Tone): void {
  const { p } = c;
  backdrop(c, tone);
  for (const [i, x] of [-40, 60, 160, 260].entries())
    c.shape(
      [
        [x, 320],
        [x + 160, 0],
        [x + 190, 0],
        [x + 30, 320],
      ],
      i % 2 ? p.accent : p.soft,
      'opacity="0.22"',
    );
  c.glow(160, 160, 150, p.accentPale, 0.6);
  const d = [
    [190, 26],
    [78, 176],
    [146, 176],
    [118, 294],
    [244, 128],
    [170, 128],
  ];
  c.shape(d, p.ink, 'opacity="0.3" transform="translate(8 10)"').shape(
    d,
    c.linear([
      [0, p.white],
      [0.5, p.accentSoft],
      [1, p.accentDeep],
    ]),
  );
}
