/** The last step of a new sale: what it will do, and what to look at before it is saved. */
import type { SaleDefinition } from '../../../../core/sale/sale.ts'
import { useView } from '../view-place.ts'
import { summaryLines } from './form-summary.ts'
import { warningsOf } from './form-warnings.ts'

/** The sale as it would be saved at `now`, epoch ms; undefined while something in the form is wrong. */
type Props = { definition: SaleDefinition | undefined; now: number }

export function FormVerdict({ definition, now }: Props) {
  const { voice } = useView()
  const warnings = definition === undefined ? [] : warningsOf(definition, now)
  const lines = definition === undefined ? [] : summaryLines(voice, definition, now)
  return (
    <div class="group group--check">
      <p>{voice.t('step.checkText')}</p>
      <div class="cautions" id="cautions" hidden={warnings.length === 0}>
        <h3>{voice.t('step.warnings')}</h3>
        <ul>
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
