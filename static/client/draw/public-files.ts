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

/** The lines of `list.txt` or `allocation.txt`. */
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

/** What the published allocation says: its steps, and how many entries of each variant were offered a unit. */
export type Allocated = { steps: number; offered: readonly number[] }

/** A last line that cannot be read says nothing: the check names it. */
export function allocatedIn(text: string): Allocated {
  const lines = linesIn(text)
  const offered = payloadIn(lines.at(-1) ?? '')?.offered
  return { steps: lines.length, offered: Array.isArray(offered) ? offered.map(Number) : [] }
}
