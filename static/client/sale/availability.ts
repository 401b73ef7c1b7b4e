/**
 * Keeps the offer in the page's data true (`static/pages/preview.ts`): a page is published when a
 * marketer changes its sale, and the phase also follows the clock and the stock.
 */
import { availabilityIn } from '../../../core/availability.ts'
import type { Phase } from '../../../core/phase.ts'

/** Writes the phase into the data, once for each change; a page without an offer has none. */
export function offerData(): (phase: Phase) => void {
  const element = document.getElementById('product')
  let written: string | undefined
  return (phase) => {
    const availability = availabilityIn(phase)
    if (element === null || availability === written) return
    const product = JSON.parse(element.textContent)
    element.textContent = JSON.stringify({ ...product, offers: { ...product.offers, availability } })
    written = availability
  }
}
