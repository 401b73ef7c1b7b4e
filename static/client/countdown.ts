/** The countdown module that a pointer names: never rewritten, so one load per version is enough (C6). */
import type { Countdown } from '../../core/pointer.ts'
import { localNow } from './clock.ts'
import { fieldsOf, readCountdown } from './wire.ts'

/** An import has no deadline of its own, and a page that waits for one that stalls would look no more. */
const deadlineMs = 5000

type Load = (address: string) => Promise<unknown>

/**
 * The countdown at `src`, or undefined when it is not there yet, the connection broke or nothing came within
 * 5 s: then ask again later. `load` is the browser's own import.
 */
export async function loadCountdown(
  src: string,
  load: Load = (address) => import(address),
): Promise<Countdown | undefined> {
  try {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, deadlineMs, undefined))
    // A browser remembers a failed import by its address, so every try has its own fragment.
    const module = await Promise.race([load(`${src}#${Math.round(localNow())}`), late])
    return readCountdown(fieldsOf(module)?.countdown)
  } catch {
    return undefined
  }
}
