/** The part of a buy or claim request that both have, and the texts for requests outside the sale's window. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Caller } from '../lib/http/caller.ts'

/**
 * `admission` is the epoch second in which the gate counts the request; undefined when it counts
 * none.
 */
export type Click = { saleId: SaleId; shopperId: ShopperId; requestId: string; admission: number | undefined }

type ClickCall = { caller: Caller; params: { saleId: SaleId }; headers: Readonly<Record<string, string | undefined>> }

export function clickOf({ caller: { shopperId, requestId }, params: { saleId }, headers }: ClickCall): Click {
  return { saleId, shopperId, requestId, admission: readAdmission(headers['x-admission']) }
}

/** Set by the gate, which deletes a client's header of that name. */
function readAdmission(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
}

/** Problem details for a request outside the window, or from an old page. */
export const shutSentences = {
  'not-started': 'The sale has not started. Wait for the countdown.',
  paused: 'The sale is paused. The page shows when it resumes.',
  ended: 'The sale has ended.',
  'stale-page': 'The page belongs to another opening. Reload it.',
} as const
