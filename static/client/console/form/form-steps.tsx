/**
 * The steps of a new sale in the page: a list of them at the top, and one part of the form at a time.
 * The parts that are not shown stay in the form, with what is entered in them.
 */
import type { ComponentChildren } from 'preact'
import { useView } from '../view-place.ts'
import { numberOf, type StepName, stepNames } from './form-step.ts'

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
