/**
 * One question to the shop at a time, so that no answer overwrites what a later question brought
 * (C7).
 */
export function oneAtATime() {
  let busy = false
  return {
    busy: () => busy,
    /** Does `work`; undefined when other work is not done yet, and `work` is then not begun. */
    async take<T>(work: () => Promise<T>): Promise<T | undefined> {
      if (busy) return undefined
      busy = true
      try {
        return await work()
      } finally {
        busy = false
      }
    },
  }
}
