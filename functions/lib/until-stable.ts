/** Publishing state that may change while it is published. */

/**
 * Publishes what `look` returns, and repeats until it did not change meanwhile. Every writer does
 * the same, so the last one to publish is right.
 */
export async function repeatUntilStable(
  look: () => Promise<boolean>,
  tell: (seen: boolean) => Promise<void>,
): Promise<void> {
  for (let seen = await look(); ; ) {
    await tell(seen)
    const now = await look()
    if (now === seen) return
    seen = now
  }
}
