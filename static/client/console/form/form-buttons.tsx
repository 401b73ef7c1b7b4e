/** The buttons below the sale form: those of a new sale lead through its steps to what becomes of it. */
import type { Sale, SaleDefinition } from '../../../../core/sale/sale.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import type { StartAction } from '../sale/actions.ts'
import { laterText } from '../sale/start-question.ts'
import { useView } from '../view.ts'
import type { StepName } from './form-steps.tsx'
import { firstStart } from './form-summary.ts'

/** What becomes of a new sale once it is saved; an edit is only saved. */
export type AfterSave = 'draft' | StartAction

type Props = {
  sale: Sale | undefined
  step: StepName
  /** The sale as it would be saved: it can be scheduled until it starts. Undefined while something in the form is wrong. */
  definition: SaleDefinition | undefined
  isSaving: boolean
  goBack(): void
  send(outcome: StartAction): void
}

const plain = 'button button--plain'

export function FormButtons({ sale, step, definition, isSaving, goBack, send }: Props) {
  const { voice } = useView()
  const isNew = sale === undefined
  const startsAt = definition && firstStart(definition)
  const canSchedule = startsAt !== undefined && startsAt > Date.now()
  const busy = isSaving || undefined
  return (
    <>
      {isNew && (
        <div class="outcomes" role="group" aria-label={voice.t('step.check')} hidden={step !== 'check'}>
          <div class="outcome">
            <button type="submit" class={plain} id="save" aria-describedby="save-text" aria-disabled={busy}>
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
                aria-disabled={busy}
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
        <button type="submit" class="button" id="next" hidden={!isNew || step === 'check'}>
          {voice.t('step.next')}
        </button>
        {!isNew && (
          <button type="submit" class="button" id="save" aria-disabled={busy}>
            {voice.t('form.save')}
          </button>
        )}
      </div>
    </>
  )
}
