/**
 * What an option adds to the e-mails of the engine, which are about orders and credits. A mail of an option is about a
 * sale, and follows a change of an item of the option in the table.
 */
import * as z from 'zod/mini'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { type Parsed, readBy } from '../../../core/lib/parse.ts'
import type { MailFacts, MailKind, OptionMail } from '../../../core/people/mail.ts'
import type { Sale, SaleTexts } from '../../../core/sale/sale.ts'
import type { WritePart } from '../../../templates/mails/content.ts'
import type { Table } from '../../lib/shop/shop.ts'
import type { MailId } from './mail-log.ts'

export type MailedSale = SaleTexts &
  Pick<Sale, 'variants' | 'checkoutUrl' | 'timeZone' | 'warmed' | 'flag' | 'startsAt' | 'endsAt'>

/**
 * `mayRepeat`: the e-mail is sent again when it is not known whether it has left, because its shopper may lose money or
 * a unit without it. `toUnsubscribed`: it is part of a contract, or its shopper has asked for it since.
 * `besideCheckout`: it is sent for a sale whose own shop takes the money, which writes to its customers itself.
 */
export type MailRule = { mayRepeat: boolean; toUnsubscribed: boolean; besideCheckout: boolean }

export type DueMail = { id: MailId; rule: MailRule } & ({ mail: MailFacts } | OptionDueMail)

/**
 * `write` says what the e-mail says. `isStillDue` is asked just before it is sent; `sale` is undefined when it was
 * deleted, `now` is epoch ms.
 */
type OptionDueMail = {
  mail: OptionMail
  write: WritePart
  isStillDue: (table: Table, sale: MailedSale | undefined, now: number) => Promise<boolean>
}

/**
 * `what` names its item in a log entry. `isMany`: it may leave for many shoppers at once. `forget` deletes what the
 * shopper has asked for, who now wants no e-mails.
 */
export type MailOption = {
  what: string
  prefix: string
  isMany: boolean
  /** The e-mail that a new image of an item is worth at `now` (epoch ms), if it is worth one. */
  read(image: unknown): Parsed<(now: number) => DueMail | undefined>
  forget?(table: Table, shopperId: ShopperId): Promise<void>
  /** The e-mails of a shopper: those `sent` or begun, and those `asked` for and not due yet. @throws when the table is unavailable */
  ofShopper(table: Table, shopperId: ShopperId, now: number): Promise<MailsOfShopper>
}

export type AnyMail = MailId & { about: string; kind: MailKind }
export type MailsOfShopper = {
  asked: readonly { about: string; kind: MailKind; at: number }[]
  sent: readonly AnyMail[]
}

/** The shopper in a key, which `read` gets from it. */
export const shopperBy = (read: (key: string) => string | undefined) =>
  z.pipe(z.pipe(z.string('must be a string'), z.transform(read)), readBy(parseShopperId, 'must name a shopper'))
