/**
 * Collects messages that arrive in tens (the most SQS gives to one receive) into the larger batches
 * of an event source mapping with a batching window, so that one invocation can commit many orders
 * together.
 */

export type BatchLimits = { size: number; windowMs: number; concurrency: number }

/**
 * `run` gets up to `size` items, as soon as that many wait or `windowMs` after the first one arrived,
 * in at most `concurrency` calls at a time. It must not reject. `idle` sends what waits at once, and
 * resolves when nothing runs.
 */
export function startBatcher<T>(
  limits: BatchLimits,
  run: (items: T[]) => Promise<void>,
): { add(items: readonly T[]): void; idle(): Promise<void> } {
  const queue: T[] = []
  const idleWaiters: (() => void)[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined
  let windowOver = false

  function pump(): void {
    while (queue.length > 0 && running < limits.concurrency && (windowOver || queue.length >= limits.size)) {
      void flush(queue.splice(0, limits.size))
    }
    if (queue.length === 0) {
      clearTimeout(timer)
      timer = undefined
      windowOver = false
      if (running === 0) for (const resolve of idleWaiters.splice(0)) resolve()
    } else if (timer === undefined && !windowOver) {
      timer = setTimeout(() => {
        timer = undefined
        windowOver = true
        pump()
      }, limits.windowMs)
    }
  }

  async function flush(batch: T[]): Promise<void> {
    running += 1
    await run(batch)
    running -= 1
    pump()
  }

  return {
    add(items) {
      queue.push(...items)
      pump()
    },
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve)
        windowOver = queue.length > 0
        pump()
      }),
  }
}
