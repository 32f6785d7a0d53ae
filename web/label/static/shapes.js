/** Quads: four corners, clockwise on screen from the tile's upright top left. */

export const turned = (quad, quarters) => quad.map((_, i) => quad[(i + quarters) % 4]);
export const centre = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);
export const shortSide = (quad) => Math.min(...quad.map((corner, i) => Math.hypot(corner[0] - quad[(i + 1) % 4][0], corner[1] - quad[(i + 1) % 4][1])));
export const tenths = (corner) => corner.map((value) => Math.round(value * 10) / 10);

/** Whether the corners go round clockwise and the outline bends one way only. */
export function isTile(quad) {
  const turns = quad.map((a, i) => {
    const b = quad[(i + 1) % 4], c = quad[(i + 2) % 4];
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
  });
  return turns.every((turn) => turn > 0) && turns.reduce((sum, turn) => sum + turn, 0) >= 64;
}

/** Order four corners clockwise, the first one first, in whichever order they were tapped. */
export function round(corners) {
  const [x, y] = centre(corners);
  const sorted = [...corners].sort((a, b) => Math.atan2(a[1] - y, a[0] - x) - Math.atan2(b[1] - y, b[0] - x));
  return turned(sorted, sorted.indexOf(corners[0]));
}

/** Draw what is inside a quad upright into a canvas; a parallelogram is near enough to look at. */
export function drawCrop(canvas, image, quad) {
  const pen = canvas.getContext("2d");
  const margin = 0.08, width = canvas.width, height = canvas.height;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  const [x, y] = centre(quad);
  const across = [0, 1].map((axis) => (quad[1][axis] - quad[0][axis] + quad[2][axis] - quad[3][axis]) / 2);
  const down = [0, 1].map((axis) => (quad[3][axis] - quad[0][axis] + quad[2][axis] - quad[1][axis]) / 2);
  const area = across[0] * down[1] - across[1] * down[0];
  if (!area || !image.naturalWidth) return;
  const wide = width * (1 - 2 * margin), tall = height * (1 - 2 * margin);
  const a = (down[1] / area) * wide, c = (-down[0] / area) * wide;
  const b = (-across[1] / area) * tall, d = (across[0] / area) * tall;
  pen.setTransform(a, b, c, d, width / 2 - a * x - c * y, height / 2 - b * x - d * y);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0);
}
