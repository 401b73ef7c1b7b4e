/**
 * Keeps the offer in the page's data true (`static/pages/preview.ts`): a page is published when a
 * marketer changes its sale, and the phase also follows the clock and the stock.
 */
import { availabilityIn } from '../../../core/sale/availability.ts'
import type { Phase } from '../../../core/sale/phase.ts'

const written = /(?<="availability":")[^"]*/

/** Writes the phase into the data; a page without an offer has none. */
export function showOffer(phase: Phase): void {
  const element = document.getElementById('product')
  if (element !== null) element.textContent = element.textContent.replace(written, availabilityIn(phase))
}
