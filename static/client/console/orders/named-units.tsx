/** The units of an order with a variant in words: the table and the order itself name them alike (N1). */
import { useEffect, useState } from 'preact/hooks'
import { linesText } from '../../lib/variant-words.ts'
import { saleCard } from '../../orders/sale-card.ts'
import { useView } from '../view-place.ts'

type Props = { saleId: string; variant: string; quantity: number }

/** Its name is on the page of the sale; until it is known the id stands for it. */
export function NamedUnits({ saleId, variant, quantity }: Props) {
  const { voice } = useView()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const language = voice.language()
  useEffect(() => void saleCard(saleId).then((card) => setNames(card.variantsIn(language))), [saleId, language])
  return <span>{linesText({ [variant]: quantity }, names, voice.locale())}</span>
}
