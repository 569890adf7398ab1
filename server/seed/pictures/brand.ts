import QRCode from 'qrcode';
import { Canvas } from './canvas';
import { palette } from './color';
import { city, islands, mountains, planet, waves } from './landscapes';
import { crystal, hill, shadow, sky, sparkle, stars, tree } from './parts';

/** The shop's own pictures: mark, icons, banners, themes, avatars. */

const brandColors = palette(280, 70);

/** The mark: a four-pointed star with a dot in its orbit. `inset` leaves the safe zone of a maskable icon. */
export function mark(size: number, { inset = 0.12, radius = 0.24 } = {}): string {
  const c = new Canvas('mark', brandColors, 512, 512);
  const { p } = c;
  c.rect(
    c.linear(
      [
        [0, p.base],
        [1, p.dusk],
      ],
      35,
    ),
    0,
    0,
    512,
    512,
    radius * 512,
  );
  const s = 1 - inset * 2;
  c.group(`translate(256 256) scale(${s})`, () => {
    c.add(
      `<ellipse rx="214" ry="92" fill="none" stroke="${p.white}" stroke-width="20" opacity="0.5" transform="rotate(-28)"/>`,
    );
    sparkle(c, 0, 0, 220, p.white);
    c.circle(172, -122, 44, p.accent);
  });
  return c.toSvg().replace('width="512" height="512"', `width="${size}" height="${size}"`);
}

export async function supportQr(link: string): Promise<string> {
  return QRCode.toString(link, {
    type: 'svg',
    margin: 2,
    errorCorrectionLevel: 'M',
    color: { dark: brandColors.ink, light: '#ffffff' },
  });
}

export function pictureError(): string {
  const c = new Canvas('error', palette(275, 275));
  const { p } = c;
  c.rect('#eceaf2');
  c.rect('#ffffff', 84, 96, 152, 124, 18);
  c.circle(126, 138, 15, p.soft, 'opacity="0.8"');
  c.shape(
    [
      [98, 206],
      [140, 158],
      [168, 188],
      [190, 168],
      [222, 206],
    ],
    p.soft,
    'opacity="0.7"',
  );
  c.line('M170 90L150 136L176 160L148 226', '#eceaf2', 9);
  return c.toSvg();
}

const iconPaths: Record<string, [hue: number, draw: (c: Canvas, fill: string, light: string) => void]> = {
  mobile: [285, (c, f, l) => c.rect(f, 31, 20, 34, 56, 9).rect(l, 37, 28, 22, 34, 4).circle(48, 69, 3, l)],
  pc: [
    245,
    (c, f, l) =>
      c.rect(f, 18, 24, 60, 40, 8).rect(l, 24, 30, 48, 28, 4).rect(f, 42, 62, 12, 9).rect(f, 32, 70, 32, 6, 3),
  ],
  platform: [
    220,
    (c, f, l) =>
      c
        .path('M34 32C22 32 16 46 15 58C14 70 24 72 30 64L35 58H61L66 64C72 72 82 70 81 58C80 46 74 32 62 32Z', f)
        .rect(l, 30, 39, 5, 15, 2)
        .rect(l, 25, 44, 15, 5, 2)
        .circle(65, 42, 4, l)
        .circle(60, 51, 4, l),
  ],
  giftcard: [
    345,
    (c, f, l) =>
      c
        .rect(f, 18, 28, 60, 42, 9)
        .rect(l, 38, 28, 7, 42)
        .rect(l, 18, 40, 60, 6)
        .path('M41 43Q28 40 28 32Q34 26 41 43Q48 26 54 32Q54 40 41 43Z', f, `stroke="${l}" stroke-width="3"`),
  ],
  video: [
    25,
    (c, f, l) => c.rect(f, 18, 24, 60, 48, 12).path('M42 38Q42 35 45 37L59 46Q61 48 59 50L45 59Q42 61 42 58Z', l),
  ],
  social: [
    155,
    (c, f, l) =>
      c
        .path(
          'M30 22H66A14 14 0 0 1 80 36V50A14 14 0 0 1 66 64H48L32 76V64H30A14 14 0 0 1 16 50V36A14 14 0 0 1 30 22Z',
          f,
        )
        .circle(36, 43, 4.5, l)
        .circle(48, 43, 4.5, l)
        .circle(60, 43, 4.5, l),
  ],
  software: [
    200,
    (c, f, l) =>
      c
        .rect(f, 20, 20, 25, 25, 7)
        .rect(f, 51, 51, 25, 25, 7)
        .rect(f, 20, 51, 25, 25, 7)
        .circle(63.5, 32.5, 13, l, `stroke="${f}" stroke-width="5"`),
  ],
  everyday: [
    65,
    (c, f, l) =>
      c
        .path('M54 14L24 54H44L40 82L72 40H51Z', f, `stroke="${f}" stroke-width="4" stroke-linejoin="round"`)
        .circle(70, 66, 0.1, l),
  ],
};
export const categoryKeys = Object.keys(iconPaths);

export function categoryIcon(key: string): string {
  const [hue, draw] = iconPaths[key] as (typeof iconPaths)[string];
  const c = new Canvas(key, palette(hue, hue + 40), 96, 96);
  const { p } = c;
  c.rect(
    c.linear(
      [
        [0, p.soft],
        [1, p.mid],
      ],
      35,
    ),
    0,
    0,
    96,
    96,
    30,
  );
  c.circle(20, 12, 34, p.white, 'opacity="0.16"');
  draw(c, p.white, p.base);
  return c.toSvg();
}

export function avatar(index: number): string {
  const hues = [285, 220, 165, 85, 35, 340];
  const hue = hues[index] ?? 280;
  const c = new Canvas(`avatar ${index}`, palette(hue, hue + ([60, -40, 45, -45, 40, -50][index] ?? 0)), 160, 160);
  const { p } = c;
  c.rect(
    c.linear(
      [
        [0, p.soft],
        [1, p.mid],
      ],
      30,
    ),
  );
  c.circle(80, 88, 62, p.accentPale, 'opacity="0.35"');
  c.path('M18 172Q24 122 80 122T142 172Z', p.dusk);
  const ears = [
    () =>
      c
        .shape(
          [
            [44, 60],
            [48, 20],
            [78, 44],
          ],
          p.white,
        )
        .shape(
          [
            [116, 60],
            [112, 20],
            [82, 44],
          ],
          p.white,
        ),
    () => c.circle(48, 44, 17, p.white).circle(112, 44, 17, p.white),
    () => c.path('M58 50Q46 6 60 4Q76 8 74 46ZM102 50Q114 6 100 4Q84 8 86 46Z', p.white),
    () =>
      c
        .line('M60 44Q54 22 42 20M100 44Q106 22 118 20', p.white, 7)
        .circle(42, 20, 7, p.accent)
        .circle(118, 20, 7, p.accent),
    () => c.path('M42 62L36 26L62 40L80 18L98 40L124 26L118 62Z', p.accent),
    () => c.path('M46 52Q80 8 114 52Z', p.accent).circle(80, 26, 7, p.white),
  ];
  ears[index]?.();
  c.rect(
    c.linear([
      [0, p.white],
      [1, p.pale],
    ]),
    38,
    38,
    84,
    82,
    40,
  );
  const eye = (x: number) =>
    c.add(
      `<ellipse cx="${x}" cy="80" rx="6.5" ry="8.5" fill="${p.ink}"/><circle cx="${x + 2}" cy="77" r="2.4" fill="#fff"/>`,
    );
  eye(62);
  eye(98);
  c.circle(52, 95, 7, p.accentSoft, 'opacity="0.9"').circle(108, 95, 7, p.accentSoft, 'opacity="0.9"');
  c.line(index % 2 ? 'M72 96Q80 104 88 96' : 'M74 95Q77 100 80 95Q83 100 86 95', p.ink, 3.5);
  return c.toSvg();
}

export const banners: Record<string, () => Canvas> = {
  crystals() {
    const c = new Canvas('banner crystals', palette(285, 325), 1024, 448);
    const { p } = c;
    sky(c, 'night');
    stars(c, 60);
    hill(c, 340, 40, p.dusk);
    const colors: [string, string, string, string] = [p.accentPale, p.accent, p.accentDeep, p.white];
    c.glow(730, 270, 300, p.accentSoft, 0.8);
    for (const [x, w, h, t] of [
      [560, 46, 130, -26],
      [900, 50, 150, 24],
      [634, 62, 230, -14],
      [838, 60, 240, 14],
      [694, 78, 300, -6],
      [778, 70, 280, 6],
      [736, 90, 368, 1],
    ] as const)
      crystal(c, x, 412, w, h, t, colors);
    hill(c, 408, 14, p.deep);
    sparkle(c, 850, 96, 24);
    sparkle(c, 590, 150, 14);
    return c;
  },
  wallets() {
    const c = new Canvas('banner wallets', palette(240, 200), 1024, 448);
    const { p } = c;
    waves(c, 'night');
    c.group('translate(740 220) rotate(-12) scale(1.35)', () => {
      for (const [dx, dy, turn, from, to] of [
        [44, -34, 20, p.pale, p.base],
        [18, -10, 8, p.accentSoft, p.accentDeep],
        [-8, 20, -4, p.white, p.soft],
      ] as const)
        c.group(`translate(${dx} ${dy}) rotate(${turn})`, () => {
          c.rect(p.ink, -100, -60, 208, 132, 18, 'opacity="0.3"').rect(
            c.linear(
              [
                [0, from],
                [1, to],
              ],
              50,
            ),
            -104,
            -66,
            208,
            132,
            18,
          );
          c.rect(p.mid, -84, 30, 90, 10, 5, 'opacity="0.8"').rect(p.mid, -84, 46, 54, 8, 4, 'opacity="0.5"');
          sparkle(c, -62, -28, 24, p.mid);
        });
    });
    return c;
  },
  direct() {
    const c = new Canvas('banner direct', palette(320, 60), 1024, 448);
    mountains(c, 'dusk');
    return c;
  },
  family() {
    const c = new Canvas('banner family', palette(165, 95), 1024, 448);
    const { p } = c;
    sky(c, 'day');
    c.glow(760, 190, 260, p.white, 0.9);
    hill(c, 300, 34, p.soft);
    hill(c, 344, 26, p.base);
    for (let i = 0; i < 13; i++)
      tree(c, c.between(20, 1000), c.between(362, 392), c.between(48, 96), p.accentDeep, p.accentInk);
    hill(c, 388, 18, p.mid);
    shadow(c, 760, 352, 190, 26);
    c.group('translate(760 216) rotate(-9) scale(1.5)', () => {
      const q = palette(250, 340);
      c.path(
        'M-66 -56C-96 -58 -112 -30 -120 14C-128 60 -112 84 -90 74C-70 64 -62 36 -44 34H44C62 36 70 64 90 74C112 84 128 60 120 14C112 -30 96 -58 66 -56Z',
        c.linear([
          [0, q.white],
          [1, q.soft],
        ]),
      );
      c.rect(q.night, -89, -30, 15, 45, 5).rect(q.night, -104, -15, 45, 15, 5);
      for (const [x, y, fill] of [
        [82, -28, q.accent],
        [82, 14, q.accentDeep],
        [61, -7, q.base],
        [103, -7, q.mid],
      ] as const)
        c.circle(x, y, 9.5, fill);
      for (const x of [-38, 38]) c.circle(x, 18, 20, q.night).circle(x, 16, 14, q.mid);
      c.path('M0 -14C-20 -28 -20 -42 -10 -42C-3 -42 0 -36 0 -33C0 -36 3 -42 10 -42C20 -42 20 -28 0 -14Z', q.accent);
    });
    sparkle(c, 560, 110, 20);
    sparkle(c, 960, 90, 16);
    return c;
  },
};

export const themes: Record<string, () => Canvas> = {
  console() {
    const c = new Canvas('theme console', palette(250, 200), 640, 400);
    planet(c, 'night');
    return c;
  },
  cinema() {
    const c = new Canvas('theme cinema', palette(330, 50), 640, 400);
    city(c, 'dusk');
    return c;
  },
  present() {
    const c = new Canvas('theme present', palette(265, 85), 640, 400);
    islands(c, 'dusk');
    return c;
  },
};
