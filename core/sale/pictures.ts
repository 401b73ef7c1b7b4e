/**
 * The pictures of a sale. The base name of an uploaded picture, `/pictures/<hash>-<width>x<height>`, contains its size, so
 * that a page can reserve its space before loading it. Its files are `/pictures/<hash>-<width>.webp`, one for each width.
 */
import type { Language } from '../language.ts'

export const maxPictures = 8

/** Widths in px for a phone, a tablet and a desktop. A smaller picture is not enlarged. */
const pictureWidths = [480, 960, 1600]

/** `src` is an https URL, a path on this site, or the base name of an uploaded picture. `alts` are by language. */
export type Picture = { src: string; alt: string; alts?: Readonly<Record<Language, string>> | undefined }

/** Returns the alternative text in `language`, or the default one. */
export function altIn({ alt, alts }: Picture, language: Language): string {
  return alts?.[language] ?? alt
}

/** `width` and `height` are those of the largest file, in px. `files` are sorted by width, ascending. */
export type UploadedPicture = { width: number; height: number; files: readonly { width: number; path: string }[] }

/** Returns the widths of the files of a picture that is `width` px wide, ascending. */
export function widthsFor(width: number): readonly number[] {
  const smaller = pictureWidths.filter((one) => one < width)
  return smaller.length === pictureWidths.length ? smaller : [...smaller, width]
}

/** Returns the base name of an uploaded picture, from its hash and the size of its largest file. */
export function baseName(hash: string, { width, height }: { width: number; height: number }): string {
  return `/pictures/${hash}-${width}x${height}`
}

/** Returns the key of one file in the bucket of the site. */
export function pictureFile(hash: string, width: number): string {
  return `pictures/${hash}-${width}.webp`
}

/** Returns the uploaded picture with the base name `src`; undefined for other text. */
export function uploadedPicture(src: string): UploadedPicture | undefined {
  const [, hash, width, height] = /^\/pictures\/([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,4})$/.exec(src) ?? []
  if (hash === undefined) return undefined
  const files = widthsFor(Number(width)).map((one) => ({ width: one, path: `/${pictureFile(hash, one)}` }))
  return { width: Number(width), height: Number(height), files }
}

/** Returns the URL of the smallest file that is at least `width` px wide. */
export function pictureUrl(src: string, width: number): string {
  const files = uploadedPicture(src)?.files ?? []
  return (files.find((file) => file.width >= width) ?? files.at(-1))?.path ?? src
}

/** True when `text` can be the URL of a picture. Paths below `/pictures/` must be base names of uploaded pictures. */
export function isPictureAddress(text: string): boolean {
  if (text.startsWith('/pictures/')) return uploadedPicture(text) !== undefined
  return /^(?:https:\/\/[^\s"'<>]+|\/(?!\/)[A-Za-z0-9_./-]+)$/.test(text)
}
