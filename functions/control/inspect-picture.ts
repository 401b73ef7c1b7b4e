/**
 * What the first look at uploaded bytes says, before any decoder sees them. The decoder
 * (`re-encode-picture.ts`) makes new bytes of the pixels alone, so nothing else of a file is published, and metadata
 * may be any text. What is no picture but runs somewhere is refused with that reason.
 */
import type { PictureFault } from '../../core/api/pictures.ts'

export type StillType = 'jpeg' | 'png' | 'webp' | 'avif'

export type Inspected = { kind: 'picture'; type: StillType } | { kind: 'refused'; reason: PictureFault }

/** Text that browsers, PHP or a PDF reader would run. */
const active = /<(?:script|html|svg|iframe|object|embed|!doctype|\?php)[\s>]|<\?=|javascript:|%PDF-\d/i

/** The type of the picture in `bytes`, or why it is not accepted. */
export function inspect(bytes: Uint8Array): Inspected {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const type = typeOf(text)
  if (type === undefined) return refused(active.test(text) ? 'picture-active' : 'picture-type')
  return isAnimated(type, text) ? refused('picture-animated') : { kind: 'picture', type }
}

const refused = (reason: PictureFault): Inspected => ({ kind: 'refused', reason })

/** By its signature: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern, and `ftyp` for AVIF. */
function typeOf(text: string): StillType | undefined {
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('RIFF') && text.slice(8, 14) === 'WEBPVP') return 'webp'
  return brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis') ? 'avif' : undefined
}

/** The brands of a file of boxes (ISO/IEC 14496-12), its own one first; none of another file. */
function brandsOf(text: string): string[] {
  const end = text.charCodeAt(3)
  const listed = text.slice(8, 12) + text.slice(16, end)
  return /^\0\0\0[\s\S]ftyp/.test(text) ? (listed.match(/[\s\S]{4}/g) ?? []) : []
}

/** A flag of a WebP says so, and a chunk of a PNG in front of its pixels; an animated AVIF is a sequence. */
function isAnimated(type: StillType, text: string): boolean {
  if (type === 'png') return chunksBeforePixels(text).includes('acTL')
  if (type === 'webp') return text.slice(12, 16) === 'VP8X' && (text.charCodeAt(20) & 2) !== 0
  return type === 'avif' && brandsOf(text)[0] === 'avis'
}

function chunksBeforePixels(png: string): string[] {
  const types: string[] = []
  let at = 8
  while (at < png.length && types.at(-1) !== 'IDAT') {
    types.push(png.slice(at + 4, at + 8))
    at += 12 + Buffer.from(png.slice(at, at + 4).padEnd(4), 'latin1').readUInt32BE()
  }
  return types
}
