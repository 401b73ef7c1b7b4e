/** The public objects browsers download, and how long caches may keep each kind. */

export type SiteObject = { path: string; body: string; contentType: string; cacheControl: string }

/** Where public objects live. Every read sees the last write that was answered. */
export type Site = {
  read: (path: string) => Promise<string | undefined>
  put: (object: SiteObject) => Promise<void>
  /** Stores the object unless its path exists; `read` shows which of the two happened. */
  create: (object: SiteObject) => Promise<void>
  remove: (path: string) => Promise<void>
}

/** A version is never rewritten, so every cache may keep it for a year (C6). */
export const immutable = 'public, max-age=31536000, immutable'

/** The pointer: the CDN asks again after a second, a browser always, because the time in a kept answer is old. */
export const momentary = 'public, max-age=0, s-maxage=1'

/** Pages change only when a marketer edits a sale; what moves on them comes from the pointer. */
export const pageCaching = 'public, max-age=30, s-maxage=60'
