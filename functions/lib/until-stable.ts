/** Publishes a value that may change during the publishing. */

/**
 * Publishes what `look` reads, and reads again afterwards, until nothing has changed. Every writer
 * does the same, so the last one to publish publishes the latest value.
 */
export async function repeatUntilStable(
  look: () => Promise<boolean>,
  publish: (seen: boolean) => Promise<void>,
): Promise<void> {
  for (let seen = await look(); ; ) {
    await publish(seen)
    const now = await look()
    if (now === seen) return
    seen = now
  }
}
