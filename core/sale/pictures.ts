/**
 * The pictures of a sale. An uploaded one has a base name that says how large it is,
 * `/pictures/<hash>-<width>x<height>`, so that a page can reserve its place without asking; its
 * files are `/pictures/<hash>-<width>.webp`, one for each width.
 */
import type { Language } from '../language.ts'

/** Pictures of one sale. */
export const maxPictures = 8

/** Widths in px for a phone, a tablet and a desktop. A smaller picture is not enlarged. */
const pictureWidths = [480, 960, 1600]

/** `src` is an https address, a path on this site, or an uploaded picture's base name; `alts` are by language. */
export type Picture = { src: string; alt: string; alts?: Readonly<Record<Language, string>> | undefined }

/** Returns the description of the picture, for a reader of `language`. */
export function altIn({ alt, alts }: Picture, language: Language): string {
  return alts?.[language] ?? alt
}

/** `width` and `height` are those of the largest file, in px; `files` begin with the smallest. */
export type UploadedPicture = { width: number; height: number; files: readonly { width: number; path: string }[] }

/** Returns the widths of the files of a picture that is `width` px wide, the smallest first. */
export function widthsFor(width: number): readonly number[] {
  const smaller = pictureWidths.filter((one) => one < width)
  return smaller.length === pictureWidths.length ? smaller : [...smaller, width]
}

/** Returns the base name of an uploaded picture, by the hash of its files and the size of the largest. */
export function baseName(hash: string, { width, height }: { width: number; height: number }): string {
  return `/pictures/${hash}-${width}x${height}`
}

/** Returns the path of one file in the bucket of the site. */
export function pictureFile(hash: string, width: number): string {
  return `pictures/${hash}-${width}.webp`
}

/** Returns the uploaded picture that `src` names; undefined for any other address. */
export function uploadedPicture(src: string): UploadedPicture | undefined {
  const [, hash, width, height] = /^\/pictures\/([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,4})$/.exec(src) ?? []
  if (hash === undefined) return undefined
  const files = widthsFor(Number(width)).map((one) => ({ width: one, path: `/${pictureFile(hash, one)}` }))
  return { width: Number(width), height: Number(height), files }
}

/** Returns an address that a browser can load, of the smallest file that is at least `width` px wide. */
export function pictureUrl(src: string, width: number): string {
  const files = uploadedPicture(src)?.files ?? []
  return (files.find((file) => file.width >= width) ?? files.at(-1))?.path ?? src
}

/** True when `text` can be the address of a picture. Below `/pictures/` there are only uploaded ones. */
export function isPictureAddress(text: string): boolean {
  if (text.startsWith('/pictures/')) return uploadedPicture(text) !== undefined
  return /^(?:https:\/\/[^\s"'<>]+|\/(?!\/)[A-Za-z0-9_./-]+)$/.test(text)
}
