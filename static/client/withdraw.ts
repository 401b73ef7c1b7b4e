/**
 * The withdrawal from the contract of an order, in two steps: a statement that can be filled in, and its confirmation
 * (Directive 2011/83/EU, Art. 11a). The page of orders loads it with the first click, or when its address has the fragment of a
 * link: then it needs no session.
 */
import { maxDeliveryText, maxEmail } from '../../core/body-limits.ts'
import type { Language } from '../../core/language.ts'
import { orderName, parseOrderNumber } from '../../core/orders/order-number.ts'
import { withdrawMark } from '../../core/orders/order-path.ts'
import type { Basket } from '../../core/sale/variants.ts'
import type { withdrawMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'
import { make, setText } from './lib/dom.ts'
import { call, type Reply } from './lib/http.ts'
import { type Labelled, labelled } from './lib/labelled.ts'
import { momentText } from './lib/time-text.ts'
import { fieldsOf } from './lib/wire.ts'
import { loadWords } from './lib/words.ts'
import { saleCard } from './orders/sale-card.ts'
import { readWithdrawable, type WithdrawableSeen } from './orders/withdrawable.ts'

type Key = keyof typeof withdrawMessages

const fetch = window.fetch.bind(window)
const language = (): Language => document.documentElement.lang
const say = (key: Key, args?: Arguments) => words(key, language(), args)
const timeOf = (ms: number) => momentText(ms, language(), { zone: true, year: true })

/** What the shopper's own page knows: who has ordered, and where the receipt may go. */
type Known = { name: string; email: string }

type Statement = { name: string; email: string; quantity?: number; basket?: Basket }
type Send = (statement: Statement & { language: Language }) => Promise<Reply>

/** Opens the statement for an order of the session; `done` is called once it was taken. */
export function openWithdrawal(order: WithdrawableSeen, known: Known, done: () => void): void {
  const path = `/api/orders/${encodeURIComponent(order.orderId)}/withdrawal`
  void openStatement(order, known, (body) => call(fetch, path, { method: 'PUT', body }), done)
}

async function openStatement(order: WithdrawableSeen, known: Known, send: Send, done: () => void): Promise<void> {
  if (!(await loadWords('withdraw', language()))) return
  const { withdrawableUntil: until, withdrawal } = order
  const { variantsIn, titleIn } = await saleCard(order.saleId)
  const name = field('name', 'withdraw.name', known.name, {
    autocomplete: 'name',
    maxlength: maxDeliveryText,
  })
  const email = field('email', 'withdraw.email', known.email, emailProps, 'withdraw.emailHint')
  const units = unitFields(order, variantsIn(language()))
  const box = openDialog('withdraw.title')
  if (until === undefined) {
    box.end(withdrawal === undefined ? say('withdraw.over') : say('withdraw.before', beforeArgs(withdrawal)))
    return
  }
  box.ask({
    before: [
      make('p', {}, `${say('withdraw.order', { order: orderName(order) })} · ${titleIn(language())}`),
      make('p', {}, say('withdraw.text')),
      ...(withdrawal === undefined ? [] : [make('p', {}, say('withdraw.before', beforeArgs(withdrawal)))]),
      ...(until === null ? [] : [make('p', {}, say('withdraw.until', { time: timeOf(until) }))]),
    ],
    fields: [...units.map(({ input }) => input), name, email],
    confirm: 'withdraw.confirm',
    async submit() {
      const chosen = chosenIn(units)
      name.complain(name.input.value.trim() === '' ? say('withdraw.badName') : '')
      email.complain(isEmail(email.input) ? '' : say('withdraw.badEmail'))
      const wrong = units.find((field) => !isWithin(field)) ?? (chosen === undefined ? units.at(-1) : undefined)
      for (const field of units)
        field.input.complain(field === wrong ? say('withdraw.badUnits', { most: field.most }) : '')
      if (isWrong(name, email) || chosen === undefined) return undefined
      const to = email.input.value.trim()
      const reply = await send({ name: name.input.value.trim(), email: to, language: language(), ...chosen })
      if (reply.kind !== 'ok') return say(codeOf(reply) === 'conflict' ? 'withdraw.over' : 'withdraw.failed')
      const taken = readWithdrawable(fieldsOf(reply.body)?.order ?? reply.body)?.withdrawal
      done()
      box.end(say('withdraw.done', { time: timeOf(taken?.at ?? Date.now()), email: to }))
      return undefined
    },
  })
}

/** A field for the units of each variant, or for those of an order of several; none for a single unit. */
function unitFields(order: WithdrawableSeen, names: ReadonlyMap<string, string>) {
  const { quantity, basket } = order
  const one = (id: string | undefined, most: number, label: string) => {
    const props = { type: 'number', inputmode: 'numeric', min: 0, max: most, value: most }
    return { id, most, input: labelled(`units.${id ?? 'all'}`, label, '', make('input', props)) }
  }
  if (basket !== undefined)
    return Object.entries(basket).map(([id, most]) =>
      one(id, most, say('withdraw.unitsOf', { name: names.get(id) ?? id })),
    )
  return quantity === 1 ? [] : [one(undefined, quantity, say('withdraw.units'))]
}

function isWithin({ most, input }: Pick<ReturnType<typeof unitFields>[number], 'most' | 'input'>): boolean {
  const n = Number(input.input.value)
  return Number.isInteger(n) && n >= 0 && n <= most
}

/** The units that were chosen; undefined when they are none, or more than there are. */
function chosenIn(fields: ReturnType<typeof unitFields>): Pick<Statement, 'quantity' | 'basket'> | undefined {
  if (fields.length === 0) return {}
  const numbers = fields.map(({ id, input }) => ({ id, n: Number(input.input.value) }))
  const some = numbers.filter(({ n }) => n > 0)
  const [first] = some
  if (!fields.every(isWithin) || first === undefined) return undefined
  if (first.id === undefined) return { quantity: first.n }
  return { basket: Object.fromEntries(some.map(({ id = '', n }) => [id, n])) }
}

/** For a guest: asks for a link, or follows the one whose token it is. */
export async function openGuestWithdrawal(token: string | undefined): Promise<void> {
  if (!(await loadWords('withdraw', language()))) return
  if (token === undefined) return askForLink()
  const ask = (statement?: Parameters<Send>[0]) =>
    call(fetch, '/api/withdrawals', { body: { token, ...(statement && { statement }) } })
  const reply = await ask()
  const order = reply.kind === 'ok' ? readWithdrawable(fieldsOf(reply.body)?.order) : undefined
  if (order !== undefined) return openStatement(order, { name: '', email: '' }, ask, () => undefined)
  openDialog('withdraw.title').end(say(codeOf(reply) === 'not-found' ? 'withdraw.expired' : 'withdraw.failed'))
}

function askForLink(): void {
  const number = field('orderNumber', 'withdraw.number', '', {
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 32,
  })
  const email = field('email', 'withdraw.orderEmail', '', emailProps)
  const box = openDialog('withdraw.title')
  box.ask({
    before: [make('p', {}, say('withdraw.guestText'))],
    fields: [number, email],
    confirm: 'withdraw.send',
    async submit() {
      const orderNumber = parseOrderNumber(number.input.value.trim())
      number.complain(orderNumber === undefined ? say('withdraw.badNumber') : '')
      email.complain(isEmail(email.input) ? '' : say('withdraw.badEmail'))
      if (orderNumber === undefined || isWrong(email)) return undefined
      const reply = await call(fetch, '/api/withdrawals', {
        body: { orderNumber, email: email.input.value.trim() },
      })
      if (reply.kind !== 'ok') return say('withdraw.failed')
      box.end(say('withdraw.sent'))
      return undefined
    },
  })
}

type Asked = {
  before: readonly HTMLElement[]
  fields: readonly Labelled[]
  confirm: 'withdraw.confirm' | 'withdraw.send'
  /** What went wrong, as a sentence; undefined when the fields or the next words say it. */
  submit(): Promise<string | undefined>
}

/** A dialog that asks, and in the end says what came of it. */
function openDialog(title: Key) {
  const place = make('div', { class: 'form' })
  const heading = make('h2', { id: 'withdraw-title', tabindex: -1 }, say(title))
  const dialog = make(
    'dialog',
    { class: 'dialog', id: 'withdraw', 'aria-labelledby': 'withdraw-title' },
    heading,
    place,
  )
  const leave = (key: Key) =>
    make(
      'button',
      { type: 'button', class: 'button button--plain', id: 'withdraw-back', click: () => dialog.close() },
      say(key),
    )
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.showModal()
  return {
    ask({ before, fields, confirm, submit }: Asked): void {
      const trouble = make('p', { class: 'order__trouble', role: 'alert' })
      const button = make('button', { class: 'button button--main', id: 'withdraw-confirm' }, say(confirm))
      let isBusy = false
      const send = async (event: Event) => {
        event.preventDefault()
        if (isBusy) return
        isBusy = true
        setText(trouble, '')
        setText(button, say('withdraw.sending'))
        setText(trouble, (await submit()) ?? '')
        setText(button, say(confirm))
        fields.find(({ input }) => input.getAttribute('aria-invalid') === 'true')?.input.focus()
        isBusy = false
      }
      const parts = [make('div', {}, ...before), ...fields.map(({ element }) => element), trouble]
      const actions = make('div', { class: 'dialog__actions' }, leave('withdraw.back'), button)
      place.replaceChildren(
        make('form', { class: 'form', novalidate: true, submit: (event) => void send(event) }, ...parts, actions),
      )
    },
    end(text: string): void {
      const close = leave('withdraw.close')
      place.replaceChildren(
        make('p', { id: 'withdraw-said', role: 'status' }, text),
        make('div', { class: 'dialog__actions' }, close),
      )
      close.focus()
    },
  }
}

const emailProps = { type: 'email', inputmode: 'email', autocomplete: 'email', maxlength: maxEmail }

function field(name: string, label: Key, value: string, props: Record<string, string | number>, hint?: Key): Labelled {
  return labelled(
    `withdraw.${name}`,
    say(label),
    hint === undefined ? '' : say(hint),
    make('input', { ...props, value }),
  )
}

const isEmail = (input: Labelled['input']) => input.value.trim() !== '' && input.validity.valid
const isWrong = (...fields: Labelled[]) => fields.some(({ input }) => input.getAttribute('aria-invalid') === 'true')
const codeOf = (reply: Reply) => (reply.kind === 'refused' ? reply.problem?.code : undefined)
const beforeArgs = ({ quantity, at }: NonNullable<WithdrawableSeen['withdrawal']>) => ({
  n: quantity,
  time: timeOf(at),
})

// A guest, by the link of an e-mail or of another page.
if (location.hash.startsWith(withdrawMark)) {
  const token = location.hash.slice(withdrawMark.length + 1)
  history.replaceState(history.state, '', location.pathname + location.search)
  void openGuestWithdrawal(token === '' ? undefined : token)
}
