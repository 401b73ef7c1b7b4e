/**
 * Runs the sale form: its inputs, the errors at their fields, and the news at its save button. A new sale has a second step
 * to check it; an edited one has only the first.
 */
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FailedReply } from '../../client/http.ts'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { signInPath } from '../../core/people/sign-in-paths.ts'
import { copySale, withUnitsLeft } from '../../core/sale/copy-sale.ts'
import { definitionOf, type Sale, type SaleDefinition } from '../../core/sale/sale.ts'
import { openStore } from '../../web/dom.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import { control, requestStart } from '../api.ts'
import { askBefore } from '../parts/ask-before.ts'
import { useFocusLater } from '../parts/entry-form.ts'
import { Form } from '../parts/field.tsx'
import { keyFor } from '../parts/kind-words.ts'
import { isSame, textAt, withPart } from '../parts/text-parts.ts'
import { idOfCopy, suggestedId } from '../parts/typed.ts'
import { PlainButton, useOneAtATime } from '../parts/work-button.tsx'
import type { StartAction } from '../sale/actions.ts'
import { startQuestion } from '../sale/start-question.ts'
import { onSession } from '../session.ts'
import {
  argumentsOf,
  type ConsoleVoice,
  isStranger,
  needsSignIn,
  reasonText,
  signedInHash,
  useView,
  type ViewContext,
} from '../view.ts'
import { draftAt } from './draft.ts'
import { FairnessChoice } from './fairness.tsx'
import { checkForm, type FormErrors, minTotal, refusedField, remainingErrors, type ShownErrors } from './faults.ts'
import { lockOf } from './fields.ts'
import type { FormState } from './form-fields.tsx'
import { FormGroup, groups, isAdvanced } from './form-groups.tsx'
import {
  type AfterSave,
  FormButtons,
  FormStep,
  FormVerdict,
  KindChoice,
  ProtectionChoice,
  type StepName,
} from './form-steps.tsx'
import { editOf, type FormText, freshText, inZone, textOf } from './form-text.ts'
import { usePhonePreview } from './phone-preview.tsx'
import { SplitPreview } from './split-preview.tsx'
import { isUploading, uploadState, uploadsEnded } from './uploads.ts'

const waitsForPictures = (errors: FormErrors): boolean =>
  Object.values(errors).every((error) => error?.key === 'error.upload')

const wrongInput = ':is(:not([hidden]) > [aria-invalid="true"], [data-wrong])'

/** The line at the buttons, in the present language; `tone` calm while nothing is wrong. `at` counts what was said. */
type News = { words(): ComponentChildren; at: number; tone?: 'calm' }

/** `first` is what stands in the form at first, `sale` the one that is edited. */
function SaleForm({ first, sale }: { first: FormText; sale: Sale | undefined }) {
  const context = useView()
  const { voice, announce, isLeft, keep, go } = context
  const isNew = sale === undefined
  const [draft] = useState(() => draftAt(whoIsHere() ?? '', location.hash, openStore('localStorage'), Date.now))
  const [restored, setRestored] = useState(draft.find)
  const [begun] = useState<FormText>({ ...first, ...restored?.changed })
  const [text, setText] = useState(begun)
  const [step, setStep] = useState<StepName>('sale')
  const [isOpen] = useState(() => isAdvanced(begun, voice.locale()))
  const [complaints, setComplaints] = useState<ShownErrors>({ errors: {} })
  const [short, setShort] = useState<readonly string[]>([])
  const [news, setNews] = useState<News>()
  const element = useRef<HTMLDivElement>(null)
  const focusLater = useFocusLater()
  const visit = useRef<Visit>({
    ...{ text: begun, refused: undefined, outcome: 'draft', isSaved: false },
    hasOwnId: !['', suggestedId(textAt(begun, 'title'), new Date())].includes(textAt(begun, 'saleId')),
    send: () => undefined,
  }).current
  const preview = usePhonePreview(text)
  const check = (typed: FormText) => checkForm(typed, first, sale, Date.now())

  useLayoutEffect(() => announce(''), [])
  // Another view takes its place once the sale is saved, or what was entered is discarded. A crash does not come here.
  useEffect(() => draft.forget, [])
  useEffect(
    () =>
      onSession(() => {
        if (visit.refused !== undefined) visit.send(visit.outcome)
      }),
    [],
  )
  keep(() => !visit.isSaved && !isSame(visit.text, first))
  const [press, isBusy] = useOneAtATime(
    (to: AfterSave | 'check') => (to === 'check' ? goTo(to) : send(to)),
    picturesStored,
  )
  visit.send = press

  const said = useRef(0)
  /** Shows news. A repeated text gets a new element, so that screen readers read it again. */
  const say = (words: News['words'], tone?: 'calm') => {
    said.current += 1
    setNews({ words, at: said.current, ...(tone && { tone }) })
  }

  /** Removes the marks of fields that are right now, and with the last mark the line at the button. */
  function change(next: FormText): void {
    visit.text = next
    setText(next)
    draft.keep(next, first)
    if (Object.keys(complaints.errors).length === 0) return
    const checked = check(next)
    const errors = remainingErrors(complaints, next, checked.ok ? {} : checked.errors)
    setComplaints({ ...complaints, errors })
    if (Object.keys(errors).length === 0) setNews(undefined)
  }

  function discard(): void {
    setRestored(undefined)
    change(first)
  }

  const enter: FormState['enter'] = (path, part) => {
    if (path === 'saleId') visit.hasOwnId = part !== ''
    // The fields of times show the same moments in the other zone.
    if (path === 'timeZone') return change(inZone(visit.text, String(part)))
    const next = withPart(visit.text, path, part)
    change(isNew ? { ...next, ...followers(visit.text, path, String(part), visit.hasOwnId) } : next)
  }

  /** Shows every error at its field, the first with the focus; `refused` is the text that the shop refused. */
  function complain(errors: FormErrors, refused?: FormText): void {
    setComplaints({ errors, ...(refused !== undefined && { refused }) })
    if (Object.keys(errors).length === 0) return
    setStep('sale')
    focusLater(() => {
      const details = element.current?.querySelectorAll('details') ?? []
      for (const part of details) part.open ||= part.querySelector(wrongInput) !== null
      return element.current?.querySelector<HTMLElement>(`.step:not([hidden]) ${wrongInput}`)
    })
  }

  /** Waits for pictures on their way, if nothing else keeps the form from being sent. */
  async function picturesStored(): Promise<void> {
    const checked = check(visit.text)
    if (checked.ok || !waitsForPictures(checked.errors)) return
    const pending = visit.text.pictures.map((picture) => textAt(picture, 'src'))
    if (!pending.some((id) => isUploading(uploadState(id)))) return
    say(() => voice.t('form.uploading'), 'calm')
    await uploadsEnded(pending)
  }

  /** Goes there; on to the check only with a form that has no error. */
  function goTo(to: StepName): void {
    if (isLeft() || (to === 'check' && validDefinition() === undefined)) return
    setNews(undefined)
    setStep(to)
    focusLater(() => document.getElementById(to === 'check' ? 'check-title' : 'form-title'))
  }

  /** Returns the definition; shows the errors and returns undefined if it is invalid. */
  function validDefinition(): SaleDefinition | undefined {
    const checked = check(visit.text)
    complain(checked.ok ? {} : checked.errors)
    if (checked.ok) return checked.definition
    say(() => voice.t(waitsForPictures(checked.errors) ? 'error.upload' : 'form.fix'))
  }

  async function send(outcome: AfterSave): Promise<void> {
    if (isLeft()) return
    visit.refused = undefined
    visit.outcome = outcome
    const typed = visit.text
    const definition = validDefinition()
    if (definition === undefined) return
    const start = outcome === 'draft' ? undefined : await askToStart(voice, outcome, definition)
    if (isLeft() || (outcome !== 'draft' && start === undefined)) return
    say(() => voice.t('form.saving'), 'calm')
    let answer = isNew
      ? await control.createSale({ body: definition })
      : await control.editSale({ saleId: sale.saleId, body: editOf(first, typed, definition) })
    // An ID that follows the title may be that of another sale; with the time it is not.
    const isTaken = !answer.ok && answer.reply.kind === 'refused' && answer.reply.problem?.reason === 'id-taken'
    if (isNew && !visit.hasOwnId && isTaken) {
      const saleId = parseSaleId(idOfCopy(definition.saleId, new Date())) ?? definition.saleId
      change({ ...visit.text, saleId })
      answer = await control.createSale({ body: { ...definition, saleId } })
    }
    const failed = answer.ok && start !== undefined ? await failureOf(voice, start, answer.value.saleId) : ''
    if (isLeft()) return
    if (answer.ok) {
      visit.isSaved = true
      go(`#/sale/${answer.value.saleId}`, failed)
    } else showRefusal(answer.reply, typed)
  }

  function showRefusal(reply: FailedReply, typed: FormText): void {
    if (needsSignIn(reply)) {
      visit.refused = reply
      return say(() => <SignInOffer reply={reply} />)
    }
    const { problem } = reply
    const errors = refusedField(problem, typed)
    if (errors !== undefined) complain(errors, typed)
    say(() => reasonText(voice, reply))
  }

  // Once the packets are split for good, an example would pass for the truth.
  const isSplit = text.kind === 'red-packet' && lockOf('packets.count', sale) === undefined
  const form: FormState = {
    ...{ text, sale, enter, offered: preview.offered },
    error(path) {
      const isShort = isSplit && short.includes(path)
      const error = complaints.errors[path] ?? (isShort ? minTotal(text, path) : undefined)
      return error === undefined ? '' : voice.t(keyFor(text.kind, error.key), argumentsOf(voice, error.args))
    },
  }
  const split = isSplit && <SplitPreview text={text} look={setShort} />
  const checked = step === 'check' ? check(text) : undefined
  const definition = checked?.ok === true ? checked.definition : undefined
  // The example of a split stands beside what it is an example of: the rounds, or the packets of the only one.
  const beside = text.windows.length > 0 ? 'rest when' : 'first howMuch'
  const partsOf = (part: 'first' | 'rest') =>
    groups.map((group) => (
      <Fragment key={group.name}>
        <FormGroup {...{ form, group, part }} />
        {`${part} ${group.name}` === beside && split}
      </Fragment>
    ))
  return (
    <>
      <div class="console__head">
        <h1 id="form-title" tabIndex={-1}>
          {voice.t(isNew ? 'form.create' : 'form.edit')}
        </h1>
        {preview.opener}
      </div>
      {restored && <DraftNotice savedAt={restored.savedAt} discard={discard} />}
      <div class="composer" ref={element}>
        <Form
          class="form form--sale"
          id="sale-form"
          submit={() => press(!isNew || step === 'check' ? 'draft' : 'check')}
        >
          <FormStep name="sale" shown={step}>
            <KindChoice form={form} />
            {partsOf('first')}
            <FairnessChoice form={form} />
            <ProtectionChoice form={form} />
            <details class="advanced" id="advanced" open={isOpen}>
              <summary>{voice.t('form.advanced')}</summary>
              <p class="field__hint">{voice.t('form.advancedHint')}</p>
              {partsOf('rest')}
            </details>
          </FormStep>
          <FormStep name="check" shown={step}>
            <FormVerdict definition={definition} now={Date.now()} />
          </FormStep>
          {/* It stands at the button that was pressed: the line at the top of the page is far out of sight. */}
          <div class="form__news" id="form-news" role="alert" data-tone={news?.tone}>
            {news && <div key={news.at}>{news.words()}</div>}
          </div>
          <FormButtons {...{ sale, step, definition, isBusy }} goBack={() => goTo('sale')} send={press} />
        </Form>
        {preview.aside}
        {preview.dialog}
      </div>
    </>
  )
}

/**
 * State that later events read: the present text, the answer that asked for a sign-in, what was to become of
 * the sale, and what sends it. `hasOwnId`: the id was typed, and does not follow the title.
 */
type Visit = {
  text: FormText
  hasOwnId: boolean
  refused: FailedReply | undefined
  outcome: AfterSave
  isSaved: boolean
  send(outcome: AfterSave): void
}

/**
 * Changes the fields of a new sale that follow another one: the id its title, unless it is one that the marketer has written or
 * that of a copy; and as many units in one order as a shopper may have, until the marketer enters another number.
 */
function followers(before: FormText, path: string, value: string, hasOwnId: boolean): Partial<FormText> {
  if (path === 'title' && !hasOwnId) return { saleId: suggestedId(value, new Date()) }
  const follows = path === 'limitPerShopper' && before.maxPerOrder === before.limitPerShopper
  return follows ? { maxPerOrder: value } : {}
}

function DraftNotice({ savedAt, discard }: { savedAt: number; discard(): void }) {
  const { voice } = useView()
  return (
    <p class="draft" id="draft-notice" role="status">
      {voice.t('draft.restored', { time: voice.moment(savedAt) })}{' '}
      <PlainButton id="draft-discard" onClick={discard}>
        {voice.t('draft.discard')}
      </PlainButton>
    </p>
  )
}

/** Why the form cannot be sent, and a link to sign in in another tab, which notifies this one: it sends again. */
function SignInOffer({ reply }: { reply: FailedReply }) {
  const { voice } = useView()
  return (
    <>
      {/* After a sign-in in another tab it can be saved. */}
      <p>{isStranger(reply) ? voice.t('form.sessionEnded') : reasonText(voice, reply)}</p>
      <a
        class="button"
        id="form-sign-in"
        href={signInPath(location.pathname + signedInHash)}
        target="_blank"
        // A tab without an opener may not close itself.
        rel="noopener opener"
      >
        {voice.t('form.signIn')}
      </a>
    </>
  )
}

/** Resolves with the confirmed action; undefined if the marketer stepped back. */
async function askToStart(
  voice: ConsoleVoice,
  wanted: StartAction,
  definition: SaleDefinition,
): Promise<StartAction | undefined> {
  const fresh = { ...definition, windowIndex: 0, warmed: false }
  const { action, ...asked } = startQuestion(voice, wanted, fresh, Date.now())
  const choice = { value: action, label: voice.t(`do.${action}`), kind: 'main' } as const
  return (await askBefore(voice, { ...asked, choice })) ? action : undefined
}

/** Schedules or opens the sale; why that failed, or nothing. */
async function failureOf(voice: ConsoleVoice, start: StartAction, saleId: SaleId): Promise<string> {
  const answer = await requestStart(saleId, start)
  if (answer.ok) return ''
  const action = voice.t(`do.${start}`)
  return voice.t('do.notStarted', { action, why: reasonText(voice, answer.reply) })
}

/** The sale that the form starts from: edited, copied, or copied with the remaining units (`again`). */
type From = { saleId: string; to: 'edit' | 'copy' | 'again' }

/** Opens the form; of a new sale unless it is to edit one. */
export async function openForm(context: ViewContext, from?: From): Promise<void> {
  const draw = (text: FormText, sale?: Sale) => context.draw(<SaleForm first={text} sale={sale} />)
  if (from === undefined) return draw(freshText(context.voice.locale(), Date.now()))
  const answer = await control.getLive({ saleId: from.saleId })
  if (context.isLeft()) return
  if (!answer.ok) return void context.explain(answer.reply)
  const { sale } = answer.value
  if (from.to === 'edit') draw(textOf(definitionOf(sale)), sale)
  else if (from.to === 'copy') draw(copiedText(sale))
  else {
    const left = withUnitsLeft(answer.value)
    if (left === undefined) context.go(`#/sale/${sale.saleId}`)
    else draw(copiedText(left))
  }
}

/** Nothing of it is saved yet, and the id of the former sale is taken. */
const copiedText = (sale: Sale | SaleDefinition): FormText => ({
  ...textOf(copySale(sale, Date.now())),
  saleId: idOfCopy(sale.saleId, new Date()),
})
