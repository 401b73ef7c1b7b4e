/** How often work is tried, and how long it is waited for. */

const firstPauseMs = 10
const maxPauseMs = 320

/**
 * Calls `ask` until it answers; undefined asks again, and `tries` counts the calls from 1. `ask` decides when to give
 * up, by an answer or an error.
 *
 * The longest pause doubles with each try up to a maximum, and the pause is a random part of it, so that two writers do
 * not meet again (full jitter, https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). A
 * transaction takes 20 to 40 ms: the first retries lie within one, and the longest pause spreads a dozen writers.
 * @throws what `ask` throws
 */
export async function retry<T>(
  ask: (tries: number) => Promise<T | undefined>,
  sleep: (milliseconds: number) => Promise<unknown> = pause,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(tries)
    if (answer !== undefined) return answer
    await sleep(Math.min(firstPauseMs * 2 ** (tries - 1), maxPauseMs) * Math.random())
  }
}

/**
 * The same for a change that others may be in the way of.
 * @throws when `what` still changes after so many tries
 */
export const retryAtMost = <T>(maxTries: number, what: string, ask: () => Promise<T | undefined>): Promise<T> =>
  retry(async (tries) => {
    const answer = await ask()
    if (answer === undefined && tries === maxTries) throw new Error(`${what} changes too fast`)
    return answer
  })

const pause = (milliseconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Resolves as `work` does, which continues after a timeout. @throws when it takes longer than `milliseconds` */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer before the deadline')), milliseconds)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Does `work` for each of `items`, one after another.
 * @throws the first failure, after the last item
 */
export async function tryEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Publishes what `look` reads until it stays the same. Every writer does so, so the latest value is published. */
export async function repeatUntilStable(
  read: () => Promise<boolean>,
  publish: (seen: boolean) => Promise<void>,
): Promise<void> {
  for (let seen = await read(); ; ) {
    await publish(seen)
    const now = await read()
    if (now === seen) return
    seen = now
  }
}
