/** The last step of a new sale: what it will do, and what to look at before it is saved. */
import { useEffect, useState } from 'preact/hooks'
import type { Brand } from '../../../../core/brand.ts'
import { hasMarketRules, lackInMarket } from '../../../../core/sale/market.ts'
import { wrongPrize } from '../../../../core/sale/market-prize.ts'
import type { SaleDefinition } from '../../../../core/sale/sale.ts'
import { refusalKey } from '../../../messages/codes.ts'
import { getBrand } from '../api.ts'
import type { Key } from '../lib/kind-words.ts'
import { useView } from '../view-place.ts'
import { summaryLines } from './form-summary.ts'
import { warningsOf } from './form-warnings.ts'

/** The sale as it would be saved at `now`, epoch ms; undefined while something in the form is wrong. */
type Props = { definition: SaleDefinition | undefined; now: number }

export function FormVerdict({ definition, now }: Props) {
  const { voice } = useView()
  const warnings = definition === undefined ? [] : warningsOf(definition, now)
  const lack = useMarketLack(definition)
  const lines = definition === undefined ? [] : summaryLines(voice, definition, now)
  return (
    <div class="group group--check">
      <p>{voice.t('step.checkText')}</p>
      <div class="cautions" id="cautions" hidden={warnings.length === 0 && lack === undefined}>
        <h3>{voice.t('step.warnings')}</h3>
        <ul>
          {lack && <li data-warning="market">{lack}</li>}
          {warnings.map(({ key, args }) => (
            <li key={key} data-warning={key}>
              {voice.t(key, args)}
            </li>
          ))}
        </ul>
      </div>
      <dl class="summary" id="summary">
        {lines.map(({ label, text }) => (
          <div key={label}>
            <dt>{voice.t(label)}</dt>
            <dd data-line={label}>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Why the sale could not be started in its market, in words; undefined while the brand is not known. */
function useMarketLack(sale: SaleDefinition | undefined): string | undefined {
  const { voice, isLeft } = useView()
  const [brand, setBrand] = useState<Brand>()
  const hasMarket = sale !== undefined && hasMarketRules(sale)
  useEffect(() => {
    if (!hasMarket) return
    void getBrand().then((answer) => !isLeft() && answer.ok && setBrand(answer.value.brand))
  }, [hasMarket])
  const lack = hasMarket && brand ? (wrongPrize(sale) ?? lackInMarket(sale, brand)) : undefined
  const key = lack && refusalKey(lack.reason)
  return key && voice.t(key as Key, lack.values)
}
