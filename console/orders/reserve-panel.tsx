/** The form with which a marketer makes an order for a shopper: a number of units, in a sale with variants of one (N1). */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Live } from '../../core/api/control-answers.ts'
import { maxQuantity } from '../../core/buy/limits.ts'
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import { plainText } from '../../core/lib/text.ts'
import { type OrderUnits, variantNamesIn } from '../../core/sale/variants.ts'
import { control } from '../api.ts'
import { askBefore } from '../parts/ask-before.ts'
import { callKeys } from '../parts/call-keys.ts'
import { useEntryForm } from '../parts/entry-form.ts'
import { Form, SelectField, SubmitButton, TextField, verbatim } from '../parts/field.tsx'
import { FoldedPanel } from '../parts/folded-panel.tsx'
import type { Key } from '../parts/kind-words.ts'
import { wholeNumber } from '../parts/typed.ts'
import { orderEffects } from '../sale/effects.ts'
import { failureText, useView } from '../view.ts'

/** `refresh` is called once there is an order. */
type Props = { live: Live; isHidden: boolean; refresh(): void }

export function ReservePanel({ live, isHidden, refresh }: Props) {
  const { voice } = useView()
  const { saleId, variants } = live.sale
  const [typed, setTyped] = useState({ shopperId: '', variant: variants?.[0]?.id, quantity: '' })
  const [result, setResult] = useState<ComponentChildren>()
  const keys = useRef(callKeys()).current
  const labels = { shopperId: 'find.shopper', variant: 'find.variants', quantity: 'reserve.quantity' } as const
  const words = (name: keyof typeof labels) => ({ label: voice.t(labels[name]) })
  const { complain, input } = useEntryForm('reserve.', words, typed, setTyped)

  async function send(): Promise<void> {
    const read = readTypedOrder(typed)
    if (!read.ok) {
      return complain(read.wrong, voice.t(read.wrong === 'shopperId' ? 'reserve.noShopper' : 'reserve.noUnits'))
    }
    const isMeant = await askBefore(voice, {
      title: voice.t('effect.createOrder'),
      effects: orderEffects(voice, live, read.order),
      choice: { value: 'reserve', label: voice.t('reserve.do'), kind: 'main' },
    })
    if (!isMeant) return
    setResult(voice.t('do.working'))
    await reserve(read.order)
  }

  async function reserve(order: TypedOrder): Promise<void> {
    const answer = await control.reserveOrder({ saleId, body: { ...order, key: keys.keyOf(saleId, order) } })
    if (!answer.ok) {
      const { problem } = answer.reply
      const wrong = problem?.code === 'invalid-request' ? wrongKeys[problem.field ?? ''] : undefined
      return setResult(wrong === undefined ? failureText(voice, answer.reply) : voice.t(wrong))
    }
    const { code, field = 'quantity', orderId } = answer.value
    const words = voice.t(code === 'invalid-request' ? `reserve.wrong.${field}` : `reserve.code.${code}`)
    // Without an order the same request may be sent again; with one it would only find it.
    if (orderId === null) return setResult(words)
    keys.done(saleId)
    setResult([`${words} `, <a href={`#/orders/${orderId}`}>{orderId}</a>])
    refresh()
  }

  return (
    <FoldedPanel id="reserve-panel" title={voice.t('reserve.title')} text={voice.t('reserve.text')} isHidden={isHidden}>
      <Form class="reserve" submit={send}>
        <TextField {...input('shopperId')} {...verbatim} />
        {variants !== undefined && (
          <SelectField
            {...input('variant')}
            options={variantNamesIn(variants, voice.language()).map(({ id, name }) => [id, name])}
          />
        )}
        <TextField {...input('quantity')} autocomplete="off" inputmode="numeric" />
        <SubmitButton look="plain" id="reserve">
          {voice.t('reserve.do')}
        </SubmitButton>
        <p id="reserve-result" role="status">
          {result}
        </p>
      </Form>
    </FoldedPanel>
  )
}

/** An order to ask for, which has its idempotency key when it is sent. */
export type TypedOrder = { shopperId: ShopperId } & OrderUnits

type Typed = { shopperId: string; quantity: string; variant: string | undefined }

/** The order that is typed, or the first input that is wrong. */
export function readTypedOrder({
  variant,
  ...typed
}: Typed): { ok: true; order: TypedOrder } | { ok: false; wrong: 'shopperId' | 'quantity' } {
  const shopperId = parseShopperId(plainText(typed.shopperId))
  if (shopperId === undefined) return { ok: false, wrong: 'shopperId' }
  const quantity = wholeNumber(typed.quantity)
  if (!(quantity >= 1 && quantity <= maxQuantity)) return { ok: false, wrong: 'quantity' }
  return { ok: true, order: { shopperId, quantity, ...(variant !== undefined && { variant }) } }
}

/** The error by the field that the answer names. */
const wrongKeys: Readonly<Record<string, Key>> = {
  shopperId: 'reserve.noShopper',
  quantity: 'reserve.wrong.quantity',
  variant: 'reserve.wrong.variant',
}
