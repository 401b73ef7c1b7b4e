/**
 * The steps of a new sale in the page: a list of them at the top, and one part of the form at a time.
 * The parts that are not shown stay in the form, with what is entered in them.
 */
import type { ComponentChildren } from 'preact'
import type { SaleDefinition } from '../../../../core/sale/sale.ts'
import {
  type SaleKind,
  saleKinds,
  type settingGroups,
  settingNames,
  settingOf,
} from '../../../../core/sale/settings.ts'
import { useView } from '../view-place.ts'
import type { FormErrors } from './faults.ts'
import { inputsOf } from './fields.ts'
import { summaryLines, warningsOf } from './form-summary.ts'

type ListProps = { shown: StepName; wrong: ReadonlySet<StepName>; go(step: StepName): void }

/** `go` is called with the step that is pressed. */
export function StepList({ shown, wrong, go }: ListProps) {
  const { voice } = useView()
  return (
    <nav class="steps" aria-label={voice.t('step.label')}>
      <ol>
        {stepNames.map((name) => {
          const isDone = numberOf(name) < numberOf(shown)
          const state = wrong.has(name) ? 'wrong' : isDone ? 'done' : 'open'
          return (
            <li key={name} class="steps__step" data-state={state}>
              <button
                type="button"
                class="steps__button"
                id={`step-${name}`}
                aria-current={name === shown ? 'step' : undefined}
                onClick={() => go(name)}
              >
                <span class="steps__number" aria-hidden="true">
                  {numberOf(name) + 1}
                </span>
                <span class="steps__name">{voice.t(`step.${name}`)}</span>
                <span class="unseen">{state !== 'open' && ` (${voice.t(`step.${state}`)})`}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** Without `shown`, all of the form but the last step is in sight, and needs no headings. */
type StepProps = { name: StepName; shown: StepName | undefined; children: ComponentChildren }

export function FormStep({ name, shown, children }: StepProps) {
  const { voice } = useView()
  const isFlat = shown === undefined
  return (
    <section
      class="step"
      aria-labelledby={isFlat ? undefined : headingId(name)}
      data-step={name}
      hidden={isFlat ? name === 'check' : name !== shown}
    >
      {!isFlat && (
        <h2 class="step__title" id={headingId(name)} tabIndex={-1}>
          {voice.t(`step.${name}`)}{' '}
          <small>{voice.t('step.at', { n: numberOf(name) + 1, count: stepNames.length })}</small>
        </h2>
      )}
      {children}
    </section>
  )
}

/** The id of the heading of that step; it gets the focus, which reads it out. */
export const headingId = (name: StepName): string => `step-${name}-title`

/** The steps of a new sale in their order; the last one asks for nothing. */
export const stepNames = ['what', 'when', 'check'] as const

export type StepName = (typeof stepNames)[number]

export const stepOfGroup = (group: (typeof settingGroups)[number]): StepName =>
  ['what', 'languages', 'howMuch'].includes(group) ? 'what' : 'when'

/** The step that has the input at that path, or the list. */
export function stepOf(path: string): StepName {
  const name = settingNames.find((one) => inputsOf(one).includes(path))
  if (name !== undefined) return stepOfGroup(settingOf(name).group)
  return path.startsWith('windows') ? 'when' : 'what'
}

/** From 0. */
export const numberOf = (step: StepName): number => stepNames.indexOf(step)

/** The step `by` places further, or the same at either end. */
export function stepBeside(step: StepName, by: 1 | -1): StepName {
  return stepNames[numberOf(step) + by] ?? step
}

export function errorsBefore(step: StepName, errors: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(errors).filter(([place]) => numberOf(stepOf(place)) < numberOf(step)))
}

/** The first step with an error; undefined without any. */
export function firstWrong(errors: FormErrors): StepName | undefined {
  return stepNames.find((step) => Object.keys(errors).some((place) => stepOf(place) === step))
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

type KindChoiceProps = { chosen: SaleKind; isFixed: boolean; choose(kind: SaleKind): void }

/** The first question of the sale form: which kind of sale it is. An existing one keeps its kind. */
export function KindChoice({ chosen, isFixed, choose }: KindChoiceProps) {
  const { voice } = useView()
  const words = (kind: SaleKind, note: string) => (
    <span>
      <strong>{voice.t(`kind.${kind}`)}</strong>
      <small>{note}</small>
    </span>
  )
  if (isFixed) {
    return (
      <p class="kind" id="kind" data-kind={chosen}>
        {words(chosen, voice.t('kind.fixed'))}
      </p>
    )
  }
  return (
    <fieldset class="choices kinds" id="kind">
      <legend>{voice.t('kind.title')}</legend>
      {saleKinds.map((kind) => (
        <label key={kind} class="choice">
          <input
            type="radio"
            name="kind"
            value={kind}
            id={`kind-${kind}`}
            checked={kind === chosen}
            onChange={() => choose(kind)}
          />
          {words(kind, voice.t(`kind.${kind}Text`))}
        </label>
      ))}
    </fieldset>
  )
}
