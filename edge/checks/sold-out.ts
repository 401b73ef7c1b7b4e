/** Is anything left, as far as the gate was told (G4, C8)? The rest of the crowd ends here, in memory. */
import { prebuiltFinal } from '../problem-response.ts'
import { ofSale } from '../visit.ts'

export const nothingIsLeft = 'Nothing is left now. Units that are given back are offered again.'

export const soldOut = prebuiltFinal('sold-out', nothingIsLeft, { remaining: 0 })

export const checkSoldOut = ofSale((_visit, { saleId, facts }) =>
  facts.soldOut ? soldOut(facts.rules.kind, saleId) : undefined,
)
