/**
 * The countdown module that a pointer names: never rewritten, so one load per version is enough
 * (C6).
 */
import type { Countdown } from '../../../core/sale/pointer.ts'
import { fieldsOf, readCountdown } from '../lib/wire.ts'

/**
 * An import has no deadline of its own, and a page that waits for one that stalls would look no
 * more.
 */
const deadlineMs = 5000

type Load = (address: string) => Promise<unknown>

const triesBySrc = new Map<string, number>()

/**
 * The countdown at `src`, or undefined when it is not there yet, the connection broke or nothing
 * came within 5 s: then ask again later. `load` is the browser's own import.
 */
export async function loadCountdown(
  src: string,
  load: Load = (address) => import(address),
): Promise<Countdown | undefined> {
  const earlier = triesBySrc.get(src) ?? 0
  triesBySrc.set(src, earlier + 1)
  // The first address is the one that the page has preloaded. A browser remembers a failed import
  // by its address, so every later try has its own fragment.
  const address = earlier === 0 ? src : `${src}#${earlier}`
  try {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, deadlineMs, undefined))
    const module = await Promise.race([load(address), late])
    return readCountdown(fieldsOf(module)?.countdown)
  } catch {
    return undefined
  }
}
