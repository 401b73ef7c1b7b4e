/**
 * The personal data of a draw for exports and erasures: the place on the list of the sale, the entry, and the offer. The
 * published list has only HMACs of ids under a key of the shop. Also the emails of offers, one for each offered unit.
 */
import * as z from 'zod/mini'
import { parseSaleId, parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { parse, readBy, whole } from '../../../core/lib/parse.ts'
import { pagePath } from '../../../core/sale/pointer.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { eraseAfterSale, type PeopleSeam, type PersonOption } from '../../../functions/people/person-items.ts'
import { readEach } from '../../../functions/table/batch.ts'
import { type ItemKey, invitedShopperKey } from '../../../functions/table/keys.ts'
import type { MailOption, MailsOfShopper } from '../../../functions/table/people/mail-option.ts'
import { warmedSaleIds } from '../../../functions/table/sale/sale-lists.ts'
import { unitsText, type WritePart } from '../../../templates/mails/content.ts'
import { drawEntryKey, offerKey, offersPrefix, saleOfOffers } from './keys.ts'
import { offersAt, placesInDraws } from './table.ts'

const ofDraws = { part: 'draws', outcome: eraseAfterSale } as const

const invitations: PersonOption = {
  ...{ kind: 'invitedShopper', ...ofDraws },
  async find(table, shopperId, saleIds) {
    const found = await readEach(table, saleIds, (saleId) => invitedShopperKey(saleId, shopperId))
    return found.map(({ of: saleId, item }) => ({ item, saleId }))
  },
}

/** Finds items whose key has the shopper's id in the draw. */
const inDraws = (kind: string, keyOf: (saleId: SaleId, id: string) => ItemKey): PersonOption => ({
  ...{ kind, ...ofDraws },
  async find(table, shopperId, saleIds) {
    const places = await placesInDraws(table, shopperId, saleIds)
    const found = await readEach(table, places, ({ saleId, id }) => keyOf(saleId, id))
    return found.map(({ of: { saleId }, item }) => ({ item, saleId }))
  },
})

const time = whole(0, Number.MAX_SAFE_INTEGER)
const image = z.object({
  pk: z.pipe(z.pipe(z.string(), z.transform(saleOfOffers)), readBy(parseSaleId, 'must name a sale')),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  variant: z.optional(z.string()),
  at: time,
  until: time,
})

/** Sent even if the shop has its own checkout, which does not know of offers. */
const rule = { mayRepeat: true, toUnsubscribed: false, besideCheckout: true }

/** Number of sales to search for offers: as many as one batch reads. */
const newestSales = 100

const offers: MailOption = {
  what: 'an offer',
  prefix: offersPrefix,
  isMany: false,
  read(item) {
    const read = parse(image, item)
    if (!read.ok) return read
    const { pk: saleId, at, ...offer } = read.value
    const id = { saleId, shopperId: offer.shopperId, at }
    const mail = { kind: 'unit-offered', saleId, shopperId: offer.shopperId } as const
    const due = { id, mail, rule, write: offerPart(saleId, offer), isStillDue: async () => true }
    return { ok: true, value: (now) => (now < offer.until ? due : undefined) }
  },
  ofShopper: mailsOf,
}

/** Writes the email of an offer, which is valid until `until` (epoch ms). `variant` is set in a sale with variants. */
const offerPart =
  (saleId: SaleId, { variant, until }: { variant?: string | undefined; until: number }): WritePart =>
  (voice, { variants }, args) => {
    const time = voice.moment(until)
    return {
      leads: [voice.say('mail.lead.unit-offered', { ...args, time })],
      facts: [
        ...(variant === undefined ? [] : [['variants', unitsText(voice, 1, variant, variants)] as const]),
        ['offeredUntil', time],
      ],
      button: voice.say('mail.toSale'),
      path: `/${pagePath(saleId)}`.replace('index.html', '?utm_source=draw'),
    }
  }

/** Returns the offers of the shopper in the latest sales. */
async function mailsOf(table: Table, shopperId: ShopperId, now: number): Promise<MailsOfShopper> {
  const places = await placesInDraws(table, shopperId, await warmedSaleIds(table, 'before', now, newestSales))
  const made = await offersAt(table, places)
  return {
    asked: [],
    sent: made.map(({ saleId, at }) => ({ saleId, shopperId, at, about: saleId, kind: 'unit-offered' as const })),
  }
}

export const people = {
  items: [invitations, inDraws('drawEntry', drawEntryKey), inDraws('offer', offerKey)],
  mails: [offers],
} satisfies PeopleSeam
