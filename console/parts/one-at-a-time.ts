/** Runs the asynchronous work of a click, one at a time, and lets a view wait for it before it is left. */

/** Work in progress, such as a save. */
const begun = new Set<Promise<unknown>>()

/** Resolves once no work, such as a save, is in progress. */
export async function workEnded(): Promise<void> {
  while (begun.size > 0) await Promise.allSettled(begun)
}

/**
 * Returns what a press calls: it waits until `isReady` resolves, and then runs `workNow()`, which is the work as it is at that
 * time. A press has no effect until the work of the one before has ended, also by an error.
 */
export function onePressAtATime<Args extends unknown[]>(
  workNow: () => (...args: Args) => unknown,
  isReady: (...args: Args) => unknown,
  onBusy: (isBusy: boolean) => void,
): (...args: Args) => Promise<void> {
  let isBusy = false
  const setBusy = (next: boolean) => {
    isBusy = next
    onBusy(next)
  }
  return async (...args) => {
    if (isBusy) return
    setBusy(true)
    try {
      await isReady(...args)
      const job = Promise.resolve(workNow()(...args))
      begun.add(job)
      await job.finally(() => begun.delete(job))
    } finally {
      setBusy(false)
    }
  }
}
