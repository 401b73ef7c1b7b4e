/**
 * Puts calls that happen at the same time into one request. A lone call leaves at the end of the event-loop
 * turn it was made in; while a request is on its way, later calls gather until it is back, the group is full or
 * `maxWaitMs` have passed. Load therefore makes groups larger instead of requests more frequent.
 */

export type Coalescing<Item> = {
  maxItems: number
  maxWaitMs: number
  /** Sends one group; resolves with the error of each item, undefined where it went well. Throws when all failed. */
  send: (items: readonly Item[]) => Promise<readonly (Error | undefined)[]>
}

type Waiting<Item> = { item: Item; resolve: () => void; reject: (error: unknown) => void }

/** A function that resolves once its item was sent, and rejects with the reason when it was not. */
export function coalesce<Item>({
  maxItems,
  maxWaitMs,
  send,
}: Coalescing<Item>): (item: Item) => Promise<void> {
  let waiting: Waiting<Item>[] = []
  let onTheirWay = 0
  let turn: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearImmediate(turn)
    clearTimeout(timer)
    turn = timer = undefined
    const group = waiting
    waiting = []
    if (group.length > 0) void deliver(group)
  }

  const deliver = async (group: readonly Waiting<Item>[]) => {
    onTheirWay += 1
    try {
      const errors = await send(group.map(({ item }) => item))
      group.forEach(({ resolve, reject }, index) => {
        const error = errors[index]
        if (error === undefined) resolve()
        else reject(error)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    } finally {
      onTheirWay -= 1
      if (onTheirWay === 0) flush()
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= maxItems) flush()
      else if (onTheirWay === 0) turn ??= setImmediate(flush)
      else timer ??= setTimeout(flush, maxWaitMs)
    })
}
