/**
 * Parts that most invocations of a function do without. A cold start does not read them; the first call that needs a
 * part waits until it is loaded, and later calls share it.
 */

/** What `load` resolves with, loaded once. */
export function atFirstCall<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
