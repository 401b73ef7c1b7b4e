/**
 * The countdown module that a pointer names: never rewritten, so one load per version is enough
 * (C6).
 */
import type { Countdown } from '../../../core/sale/pointer.ts'
import { loadModule } from '../lib/load-module.ts'
import { fieldsOf, readCountdown } from '../lib/wire.ts'

/**
 * An import has no deadline of its own, and a page that waits for one that stalls would look no
 * more.
 */
const deadlineMs = 5000

/**
 * The countdown at `src`, or undefined when it is not there yet, the connection broke or nothing
 * came within 5 s: then ask again later. `load` is the browser's own import.
 */
export async function loadCountdown(
  src: string,
  load?: (address: string) => Promise<unknown>,
): Promise<Countdown | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, deadlineMs, undefined))
  return readCountdown(fieldsOf(await Promise.race([loadModule(src, load), late]))?.countdown)
}
