/** A limit to waiting: what does not answer in time must not undo what is done already. */

/** What `work` resolves with. Throws when that takes longer than `milliseconds`; the work itself goes on unheard. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer before the deadline')), milliseconds)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
