/** A timeout for work whose failure must not undo what is done already. */

/**
 * What `work` resolves with; after a timeout the work continues and its result is ignored.
 * @throws when that takes longer than `milliseconds`
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer before the deadline')), milliseconds)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
