/** Pixels of a side: sharp in print and on every phone. */
const SIDE = 720;

/** Saves a QR code of the page as a picture. Rejects in a browser that cannot create one. */
export async function savePicture(svg: SVGSVGElement, name: string): Promise<void> {
  const { x, y, width } = svg.viewBox.baseVal;
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser has no canvas context');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, SIDE, SIDE);
  context.scale(SIDE / width, SIDE / width);
  context.translate(-x, -y);
  context.fillStyle = '#000';
  for (const path of svg.querySelectorAll('path')) context.fill(new Path2D(path.getAttribute('d') ?? ''));
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) throw new Error('this browser makes no pictures');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
