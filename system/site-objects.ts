/** Cache control of the built site: hashed files are immutable, others are revalidated. */
import { immutable, pageCaching } from '../functions/lib/shop/shop.ts'

/** The file that names the commit of the deployment. */
export const releaseFile = 'release.json'

/** A file whose name holds the hash of its content: `sale.1A2B3C4D.js`. */
const hashedName = /\.[0-9A-Za-z]{8}\.[a-z0-9]+$/

/** `hashedName` as a pattern of `aws s3 sync`, where `?` is one character. */
export const hashedPattern = '*.????????.*'

export const isHashed = (file: string): boolean => hashedName.test(file)

export const cacheControlOf = (file: string): string => (isHashed(file) ? immutable : pageCaching)
