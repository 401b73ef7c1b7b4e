/** Returns `items` in lists of at most `size`, in their order. */
export function slicesOf<T>(items: readonly T[], size: number): T[][] {
  const slices = Math.ceil(items.length / size)
  return Array.from({ length: slices }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/**
 * Sends `items` in sequential calls of at most `size`, and reports progress after each. Stops when `send` resolves with
 * undefined. Resolves with the answers so far.
 */
export async function sendSlices<T, Answer>(
  items: readonly T[],
  size: number,
  send: (slice: readonly T[]) => Promise<Answer | undefined>,
  onProgress: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let done = 0
  for (const slice of slicesOf(items, size)) {
    const answer = await send(slice)
    if (answer === undefined) break
    answers.push(answer)
    done += slice.length
    onProgress(done)
  }
  return answers
}

/** `changed` items of a call changed something, or would in a dry run; `same` items were in that state already. */
export type ChangeCounts = { changed: number; same: number }

/** Sends changes of a list like `sendSlices`. Resolves with the sums of their counts. */
export async function sendChanges<T>(
  items: readonly T[],
  size: number,
  send: (slice: readonly T[]) => Promise<ChangeCounts | undefined>,
  onProgress: (done: number) => void,
): Promise<ChangeCounts> {
  const counts = await sendSlices(items, size, send, onProgress)
  return {
    changed: counts.reduce((sum, { changed }) => sum + changed, 0),
    same: counts.reduce((sum, { same }) => sum + same, 0),
  }
}
