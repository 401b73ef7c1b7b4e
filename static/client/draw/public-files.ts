/** The published files of a draw as pages read them besides a check: text from the CDN, without a look at signatures. */
import type { SaleId } from '../../../core/ids.ts'
import { drawFilePath } from '../../../core/sale/pointer.ts'
import type { Fetch } from '../lib/http.ts'
import { fieldsInText, type Members } from '../lib/wire.ts'

/** A file of the draw as the CDN has it; undefined where it is missing or the network is. */
export async function publicText(fetch: Fetch, saleId: SaleId, file: string): Promise<string | undefined> {
  try {
    const response = await fetch(`/${drawFilePath(saleId, file)}`, {
      cache: 'no-cache',
      credentials: 'omit',
      signal: AbortSignal.timeout(8000),
    })
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}

/** The lines of `heads.txt` or `allocation.txt`. */
export function linesIn(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}

/** The members that a signed line has. */
export function payloadIn(line: string): Members | undefined {
  const part = line.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  try {
    return fieldsInText(atob(part))
  } catch {
    return undefined
  }
}

/** Whether the last of the published heads is from before the close; undefined where they cannot be read. */
export function lacksClosingHead(heads: string | undefined, closesAt: number): boolean | undefined {
  const at = payloadIn(linesIn(heads).at(-1) ?? '')?.at
  return typeof at === 'number' ? at < closesAt : undefined
}

/** What the published allocation says: its steps, and the offers that they made. */
export type Allocated = { steps: number; offers: number }

/** A line that cannot be read counts as a step without offers: the check names it. */
export function allocatedIn(text: string): Allocated {
  const made = linesIn(text).map((line) => payloadIn(line)?.offers)
  const counts = made.map((offers) => (typeof offers === 'number' ? offers : 0))
  return { steps: counts.length, offers: counts.reduce((sum, count) => sum + count, 0) }
}
