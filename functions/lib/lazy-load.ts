/**
 * Parts that most invocations of a function do without. A cold start does not read them; the first call that needs a
 * part waits until it is loaded, and later calls share it.
 */

/** What `load` resolves with, loaded once; after a failure the next call loads it again. */
export function lazyLoad<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
