/**
 * A picture for tests of uploads, apart from the code that reads them: that one lets sharp read no other format in the
 * whole process.
 */
import sharp, { type Sharp } from 'sharp'

/** A picture in which no two corners are alike. */
export function drawing(width: number, height: number): Sharp {
  const raw = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3
      raw[at] = (x * 255) / width
      raw[at + 1] = (y * 255) / height
      raw[at + 2] = (x ^ y) & 255
    }
  }
  return sharp(raw, { raw: { width, height, channels: 3 } })
}
