/** The variants of an order in words: the table and the order itself name them alike (N1). */
import { useEffect, useState } from 'preact/hooks'
import type { Basket } from '../../../../core/sale/variants.ts'
import { linesText } from '../../lib/basket-words.ts'
import { saleCard } from '../../orders/sale-card.ts'
import { useView } from '../view-place.ts'

/** Their names are on the page of the sale; until they are known the ids stand for them. */
export function VariantNames({ saleId, basket }: { saleId: string; basket: Basket }) {
  const { voice } = useView()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const language = voice.language()
  useEffect(() => void saleCard(saleId).then((card) => setNames(card.variantsIn(language))), [saleId, language])
  return <span>{linesText(basket, names, voice.locale())}</span>
}
