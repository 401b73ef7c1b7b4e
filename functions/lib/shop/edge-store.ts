/** The key-value store of the CloudFront Functions. Edge locations have a change some seconds later. */

/** A value of each key to put, and undefined of each to delete; at most 50 keys. */
type EdgeChanges = ReadonlyMap<string, string | undefined>

/** Every call throws when the store does not answer. */
export type EdgeStore = {
  /** Identifies the state of the whole store. */
  etag: () => Promise<string>
  read: (key: string) => Promise<string | undefined>
  /** All of the changes or none; `conflict` when the store has changed since `etag`. */
  update: (etag: string, changes: EdgeChanges) => Promise<'updated' | 'conflict'>
}
