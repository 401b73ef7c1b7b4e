/** The countdown module that a pointer names: never rewritten, so one load per version is enough (C6). */
import type { Countdown } from '../../core/pointer.ts'
import { localNow } from './clock.ts'
import { fieldsOf, readCountdown } from './wire.ts'

/** The countdown at `src`, or undefined when it is not there yet or the connection broke: then ask again later. */
export async function loadCountdown(src: string): Promise<Countdown | undefined> {
  try {
    // A browser remembers a failed import by its address, so every try has its own fragment.
    const module: unknown = await import(`${src}#${Math.round(localNow())}`)
    return readCountdown(fieldsOf(module)?.countdown)
  } catch {
    return undefined
  }
}
