/** Publishes a value that may change during the publishing. */

/** Publishes what `look` reads until it stays the same. Every writer does so, so the latest value is published. */
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
