/** The size of a bundle, plain and compressed. */
import { gzipSync } from 'node:zlib'

export type Weight = { bytes: number; gzipBytes: number }

export function weightOf(code: Uint8Array): Weight {
  return { bytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length }
}
