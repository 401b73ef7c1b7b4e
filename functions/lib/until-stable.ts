/** Telling others what may change while they are told. */

/**
 * Tells what `look` sees, and looks again after telling, until nothing has moved meanwhile. Whoever moves it tells as well,
 * so the last to tell is right.
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
