/**
 * Collects messages that arrive in tens (the most SQS gives to one receive) into the larger batches
 * of an event source mapping with a batching window, so that one invocation can commit many orders
 * together.
 */

export type BatchLimits = { size: number; windowMs: number; concurrency: number }

type Waiting<T> = { items: T[]; resolve(done: T[]): void; done: T[]; left: number }

/**
 * `add` resolves with those of its items that `run` handled. `run` gets up to `size` items, as soon
 * as that many wait or `windowMs` after the first one arrived, in at most `concurrency` calls at a
 * time. It returns the items to keep back; when it throws, its whole batch stays back.
 */
export function startBatcher<T>(
  limits: BatchLimits,
  run: (items: T[]) => Promise<Set<T>>,
): { add(items: T[]): Promise<T[]>; idle(): Promise<void> } {
  const queue: { item: T; owner: Waiting<T> }[] = []
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

  async function flush(batch: { item: T; owner: Waiting<T> }[]): Promise<void> {
    running += 1
    const items = batch.map(({ item }) => item)
    const kept = await run(items).catch(() => new Set(items))
    for (const { item, owner } of batch) {
      owner.left -= 1
      if (!kept.has(item)) owner.done.push(item)
      if (owner.left === 0) owner.resolve(owner.done)
    }
    running -= 1
    pump()
  }

  return {
    add: (items) =>
      new Promise((resolve) => {
        const owner: Waiting<T> = { items, resolve, done: [], left: items.length }
        for (const item of items) queue.push({ item, owner })
        pump()
      }),
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve)
        windowOver = queue.length > 0
        pump()
      }),
  }
}
