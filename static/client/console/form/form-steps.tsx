/** The two steps of a new sale in the page, and its choices. The step that is not shown stays in the form, with what is entered. */
import type { ComponentChildren } from 'preact'
import { type SaleKind, saleKinds } from '../../../../core/sale/kinds.ts'
import type { SaleDefinition } from '../../../../core/sale/sale.ts'
import { textAt } from '../lib/text-parts.ts'
import { useView } from '../view.ts'
import { Choices, type FormState } from './form-fields.tsx'
import { summaryLines, warningsOf } from './form-summary.ts'

/** A new sale is entered first, and then checked. */
export type StepName = 'sale' | 'check'

type StepProps = { name: StepName; shown: StepName; children: ComponentChildren }

export function FormStep({ name, shown, children }: StepProps) {
  const { voice } = useView()
  return (
    <section class="step" data-step={name} hidden={name !== shown}>
      {name === 'check' && (
        <h2 class="step__title" id="check-title" tabIndex={-1}>
          {voice.t('step.check')}
        </h2>
      )}
      {children}
    </section>
  )
}

/** The sale as it would be saved at `now`, epoch ms; undefined while something in the form is wrong. */
type VerdictProps = { definition: SaleDefinition | undefined; now: number }

/** The last step of a new sale: what it will do, and what to look at before it is saved. */
export function FormVerdict({ definition, now }: VerdictProps) {
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

type ChoiceProps = { form: FormState }

/** The first question of the sale form: which kind of sale it is. An existing one keeps its kind. */
export function KindChoice({ form: { text, sale, enter } }: ChoiceProps) {
  const { voice } = useView()
  const options = saleKinds
    .filter((value) => sale === undefined || value === text.kind)
    .map((value) => ({ value, label: voice.t(`kind.${value}`), note: voice.t(`kind.${value}Text`) }))
  const choose = (value: SaleKind) => enter('kind', value)
  const hint = sale && voice.t('kind.fixed')
  return <Choices name="kind" legend={voice.t('kind.title')} chosen={text.kind} {...{ hint, options, choose }} />
}

/** How hard scripts are kept off; which check a strong protection has is among the advanced settings. */
export function ProtectionChoice({ form: { text, enter } }: ChoiceProps) {
  const { voice } = useView()
  const isStrong = textAt(text, 'challenge') !== 'off'
  const options = (['normal', 'strong'] as const).map((value) => ({
    ...{ value, label: voice.t(`protection.${value}`), note: voice.t(`protection.${value}Text`) },
  }))
  return (
    <Choices
      name="protection"
      legend={voice.t('protection.title')}
      chosen={isStrong ? 'strong' : 'normal'}
      choose={(value) => enter('challenge', value === 'strong' ? 'pow' : 'off')}
      options={options}
    />
  )
}
