/**
 * Loads parts that most invocations of a function do not need. A cold start skips them. The first call that needs a part
 * waits for it, and later calls share it.
 */

/** Returns a function that calls `load` once and shares its result; after a failure the next call loads again. */
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
