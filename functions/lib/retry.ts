/** Retries work, and limits how long it may take. */
const firstPauseMs = 10
const maxPauseMs = 320

/** Uses the global timer and not `node:timers/promises`, because the simulation replaces the clock of the global one. */
const pause = (milliseconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/**
 * Calls `ask` until it resolves with a value; undefined retries. `tries` counts the calls from 1. `ask` gives up with a
 * value or an error.
 *
 * Retries with exponential backoff and full jitter, so that two writers do not collide again
 * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). A transaction takes 20 to 40 ms:
 * the first retries fall within one, and the longest pause spreads a dozen writers.
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

/** Retries a change that conflicts with others. @throws when `what` still changes after `maxTries` */
export const retryAtMost = <T>(maxTries: number, what: string, ask: () => Promise<T | undefined>): Promise<T> =>
  retry(async (tries) => {
    const answer = await ask()
    if (answer === undefined && tries === maxTries) throw new Error(`${what} changes too fast`)
    return answer
  })

/** Resolves as `work` does. A timeout does not stop `work`. @throws when it takes longer than `milliseconds` */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer before the deadline')), milliseconds)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs `work` for each item, one after another. @throws the first failure, after the last item */
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

/** Publishes the value of `read` until it stays the same. Every writer does so, so the latest value is published. */
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
