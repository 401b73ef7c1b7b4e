/**
 * Merges concurrent calls into one request. A lone call is sent at the end of its event-loop turn;
 * while a request is under way, later calls gather until it returns, the group is full or
 * `maxWaitMs` have passed. So load makes groups larger instead of requests more frequent.
 */

export type Coalescing<Item, Result> = {
  maxItems: number
  maxWaitMs: number
  /**
   * Sends one group; resolves with each item's result or error.
   * @throws when all failed
   */
  send: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>
}

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** A function that resolves with its item's result, or rejects with its error. */
export function coalesce<Item, Result>({
  maxItems,
  maxWaitMs,
  send,
}: Coalescing<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
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

  const deliver = async (group: readonly Waiting<Item, Result>[]) => {
    onTheirWay += 1
    try {
      const results = await send(group.map(({ item }) => item))
      if (results.length !== group.length) throw new Error('a group came back with another number of results')
      results.forEach((result, index) => {
        if (result instanceof Error) group[index]?.reject(result)
        else group[index]?.resolve(result)
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
