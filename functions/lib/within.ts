/** A timeout for work whose failure must not undo what is done already. */

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
