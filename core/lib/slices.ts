/** `items` in lists of at most `size`, in their order. */
export function slicesOf<T>(items: readonly T[], size: number): T[][] {
  const slices = Math.ceil(items.length / size)
  return Array.from({ length: slices }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/**
 * Sends `items` in calls of at most `size`, one after the other, and reports after each how many are done.
 * Undefined from `send` stops. Resolves with the answers until then.
 */
export async function sendSlices<T, Answer>(
  items: readonly T[],
  size: number,
  send: (some: readonly T[]) => Promise<Answer | undefined>,
  onProgress: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let done = 0
  for (const some of slicesOf(items, size)) {
    const answer = await send(some)
    if (answer === undefined) break
    answers.push(answer)
    done += some.length
    onProgress(done)
  }
  return answers
}
