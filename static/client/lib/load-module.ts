const triesByAddress = new Map<string, number>()

/**
 * The module at `address`, or undefined when it cannot be loaded: then ask again later. `load` is the browser's own
 * import. A browser remembers a failed import by its address, so every later try has a fragment of its own; the first
 * has the address that the page may have preloaded.
 */
export async function loadModule<T>(
  address: string,
  load: (address: string) => Promise<T> = (one) => import(one),
): Promise<T | undefined> {
  const earlier = triesByAddress.get(address) ?? 0
  triesByAddress.set(address, earlier + 1)
  return load(earlier === 0 ? address : `${address}#${earlier}`).catch(() => undefined)
}
