/** Draws the two steps of a new sale, its choices and its buttons. The hidden step keeps its input. */
import type { ComponentChildren } from 'preact'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import type { Sale, SaleDefinition } from '../../core/sale/sale.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import { textAt } from '../parts/text-parts.ts'
import { busy } from '../parts/work-button.tsx'
import type { StartAction } from '../sale/actions.ts'
import { laterText } from '../sale/start-question.ts'
import { useView } from '../view.ts'
import { ChoiceField, type FormState } from './form-fields.tsx'
import { firstStart, summaryLines, warningsOf } from './form-summary.ts'

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

/** The last step of a new sale: what it will do, and what to look at before it is saved at `now` (epoch ms). */
export function FormVerdict({ definition, now }: { definition: SaleDefinition | undefined; now: number }) {
  const { voice } = useView()
  const warnings = definition === undefined ? [] : warningsOf(definition, now)
  const lines = definition === undefined ? [] : summaryLines(voice, definition, now)
  return (
    <div class="grid group group--check">
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
  return <ChoiceField name="kind" legend={voice.t('kind.title')} chosen={text.kind} {...{ hint, options, choose }} />
}

/** How hard scripts are kept off; which check a strong protection has is among the advanced settings. */
export function ProtectionChoice({ form: { text, enter } }: ChoiceProps) {
  const { voice } = useView()
  const isStrong = textAt(text, 'challenge') !== 'off'
  const options = (['normal', 'strong'] as const).map((value) => ({
    ...{ value, label: voice.t(`protection.${value}`), note: voice.t(`protection.${value}Text`) },
  }))
  return (
    <ChoiceField
      name="protection"
      legend={voice.t('protection.title')}
      chosen={isStrong ? 'strong' : 'normal'}
      choose={(value) => enter('challenge', value === 'strong' ? 'pow' : 'off')}
      options={options}
    />
  )
}

/** The action after a new sale is saved. */
export type AfterSave = 'draft' | StartAction

type Props = {
  sale: Sale | undefined
  step: StepName
  /** The sale as it would be saved: it can be scheduled until it starts. Undefined while something in the form is wrong. */
  definition: SaleDefinition | undefined
  isBusy: boolean
  goBack(): void
  send(outcome: StartAction): void
}

const plain = 'button button--plain'

export function FormButtons({ sale, step, definition, isBusy, goBack, send }: Props) {
  const { voice } = useView()
  const isNew = sale === undefined
  const startsAt = definition && firstStart(definition)
  const canSchedule = startsAt !== undefined && startsAt > Date.now()
  const atWork = busy(isBusy)
  return (
    <>
      {isNew && (
        <div class="outcomes" role="group" aria-label={voice.t('step.check')} hidden={step !== 'check'}>
          <div class="outcome">
            <button type="submit" class={plain} id="save" aria-describedby="save-text" {...atWork}>
              {voice.t('do.saveDraft')}
            </button>
            <p class="field__hint" id="save-text">
              {voice.t('do.saveDraftText')}
            </p>
          </div>
          {(['start', 'open-now'] as const).map((action) => (
            <div key={action} class="outcome" hidden={action === 'start' && !canSchedule}>
              <button
                type="button"
                class={action === 'open-now' && canSchedule ? plain : 'button'}
                id={action}
                aria-describedby={`${action}-text`}
                {...atWork}
                onClick={() => send(action)}
              >
                {voice.t(`do.${action}`)}
              </button>
              <p class="field__hint" id={`${action}-text`}>
                {action === 'open-now' &&
                  ((definition && laterText(voice, definition, Date.now())) ?? voice.t('do.open-nowText'))}
                {action === 'start' &&
                  definition &&
                  voice.t('do.startText', { time: saleMoment(voice, definition, firstStart(definition)) })}
              </p>
            </div>
          ))}
        </div>
      )}
      <div class="actions">
        <a class={plain} href={isNew ? '#/' : `#/sale/${sale.saleId}`}>
          {voice.t('form.cancel')}
        </a>
        <button type="button" class={plain} id="back" hidden={step !== 'check'} onClick={goBack}>
          {voice.t('step.back')}
        </button>
        <button type="submit" class="button" id="next" {...atWork} hidden={!isNew || step === 'check'}>
          {voice.t('step.next')}
        </button>
        {!isNew && (
          <button type="submit" class="button" id="save" {...atWork}>
            {voice.t('form.save')}
          </button>
        )}
      </div>
    </>
  )
}
