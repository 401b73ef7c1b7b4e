/** Composes the content of each email, which `render.ts` writes as text and as HTML. */
import type { Brand } from '../../core/brand.ts'
import type { Language } from '../../core/language.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { trackingUrl } from '../../core/orders/carriers.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { orderPath } from '../../core/orders/order-path.ts'
import type { MailFacts, OptionMail, OrderMail } from '../../core/people/mail.ts'
import type { Variant } from '../../core/sale/variants.ts'
import { mailMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'

/**
 * The reader and the sale of an email. `title` and `variants` are those of the sale, `shopUrl` is the origin of the shop,
 * `timeZone` an IANA name. Only emails that are not about an order have an `unsubscribeUrl`.
 */
export type MailReader = {
  language: Language
  title: string
  variants: readonly Pick<Variant, 'id' | 'name'>[]
  shopUrl: string
  timeZone: string
  unsubscribeUrl: string | undefined
  brand: Brand
}

/** Texts of one line each, not escaped yet. The `url` of a fact is its page, such as the carrier's tracking page. */
export type MailContent = {
  subject: string
  heading: string
  leads: readonly string[]
  facts: readonly { name: string; value: string; url: string | undefined }[]
  button: { text: string; url: string }
  why: string
}

/** RFC 5322 recommends lines of at most 78 characters. */
const maxSubjectLength = 78

type Key = keyof typeof mailMessages

/** Composes an email. `write` composes the part of an option's email. */
export function mailContent(mail: MailFacts | OptionMail, reader: MailReader, write?: WritePart): MailContent {
  const say = (key: Key, args: Arguments = {}) => words(mailMessages[key], reader.language, args)
  const money = (sum: Money) => formatMoney(sum, reader.language)
  const voice: MailVoice = { say, money, moment: (at) => mailMoment(at, reader.language, reader.timeZone) }
  const title = oneLine(reader.title)
  const amount = 'amount' in mail ? money(mail) : ''
  const args = { title, amount, shop: new URL(reader.shopUrl).host }
  const ofReader = { ...reader, title }
  const part = 'amount' in mail ? partOf(voice, mail, ofReader, args) : write?.(voice, ofReader, args)
  if (part === undefined) throw new Error(`an email of the kind ${mail.kind} says nothing`)
  return {
    subject: shortLine(say(`mail.subject.${mail.kind}`, args), maxSubjectLength),
    heading: say(`mail.heading.${mail.kind}`),
    leads: part.leads,
    facts: part.facts.map(([key, value, url]) => ({ name: say(`mail.fact.${key}`), value: oneLine(value), url })),
    button: { text: part.button, url: reader.shopUrl + part.path },
    why: say('orderId' in mail ? 'mail.why.order' : `mail.why.${mail.kind}`, args),
  }
}

const partOf = (voice: MailVoice, mail: MailFacts, reader: Ordered, args: Arguments): Part =>
  mail.kind === 'packet-credited' ? creditPart(voice, args) : orderPart(voice, mail, reader)

/** Composes the part of an option's email. `args` are the arguments of its subject. */
export type WritePart = (voice: MailVoice, reader: Ordered, args: Arguments) => Part

type Ordered = Pick<MailReader, 'title' | 'variants' | 'brand'>

/** `money` and `moment` format an amount and a time for the reader. */
export type MailVoice = {
  say: (key: Key, args?: Arguments) => string
  money: (sum: Money) => string
  moment: (at: number) => string
}

type FactKey = Key extends infer K ? (K extends `mail.fact.${infer Name}` ? Name : never) : never
type Fact = readonly [FactKey, string, url?: string | undefined]
type Part = { leads: string[]; facts: Fact[]; button: string; path: string }

function creditPart({ say }: MailVoice, args: Arguments): Part {
  return { leads: [say('mail.lead.packet-credited', args)], facts: [], button: say('mail.toWallet'), path: '/wallet/' }
}

function orderPart(voice: MailVoice, mail: OrderMail, reader: Ordered): Part {
  const { title, variants } = reader
  const { say, money } = voice
  const { leads, facts } = kindPart(voice, mail)
  return {
    leads,
    facts: [
      ['item', say('mail.itemOf', { title, n: mail.quantity })],
      ...(mail.variant === undefined
        ? []
        : [['variants', unitsText(voice, mail.quantity, mail.variant, variants)] as const]),
      ...(mail.amount === 0 ? [] : [['amount', money(mail)] as const]),
      ...(mail.kind === 'confirmed' ? receiptOf(voice, mail, reader) : []),
      ...facts,
      ['order', orderName(mail)],
    ],
    button: mail.kind === 'payment-due' ? say('mail.toPay', { amount: money(mail) }) : say('mail.toOrder'),
    path: orderPath(mail.orderId),
  }
}

/** Returns the delivery cost and the seller, as on an invoice. */
function receiptOf({ say, money }: MailVoice, mail: OrderMail, { brand }: Ordered): Fact[] {
  const { amount, currency, deliveryCost } = mail
  if (amount === 0) return []
  const facts: Fact[] = []
  if (deliveryCost !== undefined)
    facts.push(['delivery', deliveryCost === 0 ? say('mail.deliveryFree') : money({ amount: deliveryCost, currency })])
  if (brand.seller !== undefined) {
    const { name, address, phone, email, taxId } = brand.seller
    facts.push(['seller', [name, address, phone, email, ...(taxId === undefined ? [] : [taxId])].join(' · ')])
  }
  return facts
}

/** Returns units and variant as the order page does: “2 × Black, M”. */
export function unitsText({ say }: MailVoice, n: number, variant: string, variants: MailReader['variants']): string {
  return say('mail.unitsOf', { n, name: variants.find(({ id }) => id === variant)?.name ?? variant })
}

/** Returns the leads and facts that only emails of this kind have. */
function kindPart({ say, money, moment }: MailVoice, mail: OrderMail): Pick<Part, 'leads' | 'facts'> {
  switch (mail.kind) {
    case 'confirmed': {
      const lead = mail.amount === 0 ? say('mail.lead.free') : say('mail.lead.paid', { amount: money(mail) })
      const codes = mail.hasCodes ? [say('mail.lead.codes', { n: mail.quantity })] : []
      return { leads: [lead, ...codes], facts: [] }
    }
    case 'payment-due': {
      const time = moment(mail.payBy)
      return { leads: [say('mail.lead.payment-due', { time })], facts: [['payBy', time]] }
    }
    case 'cancelled': {
      const reason = mail.reason === undefined ? [] : [say(`mail.reason.${mail.reason}`)]
      const after = mail.isRefundDue ? 'mail.lead.refund-due' : 'mail.lead.not-charged'
      return { leads: [...reason, ...(mail.amount === 0 ? [] : [say(after)])], facts: [] }
    }
    case 'refunded': {
      const amount = mail.returned.map(money).join(say('mail.and'))
      return { leads: [say('mail.lead.refunded', { amount })], facts: [['refunded', amount]] }
    }
    case 'shipped': {
      const { shipment } = mail
      const facts: Fact[] = []
      if (shipment !== undefined) facts.push(['carrier', shipment.carrier])
      if (shipment?.tracking !== undefined) facts.push(['tracking', shipment.tracking, trackingUrl(shipment)])
      return { leads: [say('mail.lead.shipped')], facts }
    }
  }
}

/** Formats a time with its offset, `November 22, 2026 at 08:30 UTC+1`, because the reader's zone is unknown. */
export function mailMoment(at: number, language: Language, timeZone: string): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  })
  return format
    .formatToParts(at)
    .map(({ type, value }) => (type === 'timeZoneName' ? value.replace(/^GMT(?:\+0)?/, 'UTC') : value))
    .join('')
}

/**
 * Makes a text of a sale or a shipper safe for one line of an email. Removes line breaks, control characters and bidi
 * marks, which could end a header or hide the text after them. Keeps no-break spaces: they hold an amount together, and
 * the groups of an order number in order in Arabic (UAX 9, W4).
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/(?:[\p{Cc}\p{Zl}\p{Zp}]|[^\S\u00A0\u202F])+/gu, ' ')
    .trim()
}

/** Shortens the text to at most `max` characters, with an ellipsis at the end. */
export function shortLine(text: string, max: number): string {
  const characters = [...oneLine(text)]
  if (characters.length <= max) return characters.join('')
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`
}
