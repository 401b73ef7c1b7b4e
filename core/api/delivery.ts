/**
 * Operations on a shopper's own delivery and contact, and the links in emails. They are apart from the other operations
 * so that the functions that sell do not load their schemas.
 */
import * as z from 'zod/mini'
import { maxDeliveryBytes } from '../body-limits.ts'
import { languageTag } from '../lib/text.ts'
import { addressParts } from '../people/address-parts.ts'
import { delivery } from '../people/delivery.ts'
import { unsubscribeRoute } from '../people/mail.ts'
import type { FullOperation } from './operation.ts'
import { orderParams } from './operation-parts.ts'
import { changeProblems, publicProblems } from './problem-sets.ts'

/** The address form of a country: the parts in their order, the required ones, and examples. */
const addressForm = z.object({
  country: z.string(),
  parts: z.readonly(z.array(z.enum(addressParts))),
  required: z.readonly(z.array(z.enum(addressParts))),
  examples: z.optional(z.object({ phone: z.optional(z.string()), postalCode: z.optional(z.string()) })),
})

/**
 * `delivery` is null if none is stored; `lines` are its address in the format of its country. `forms` are those of the
 * countries that the sale ships to, in its order, and empty while the delivery cannot change. `email` is the shopper's,
 * null if none is stored.
 */
const deliveryView = z.object({
  delivery: z.nullable(delivery),
  lines: z.readonly(z.array(z.string())),
  forms: z.readonly(z.array(addressForm)),
  email: z.nullable(z.string()),
})

const contactView = z.object({ contact: z.nullable(z.object({ email: z.string(), language: languageTag() })) })

const ofOrder = { path: '/api/orders/:orderId/delivery', params: orderParams, answer: deliveryView } as const
const ofContact = { path: '/api/contact', answer: contactView } as const

export const deliveryApi = {
  getDelivery: { ...ofOrder, method: 'GET', problems: [...changeProblems, 'not-found'] },
  /** Stores the delivery and the shopper's contact. The rules of the country validate the body. */
  putDelivery: {
    ...ofOrder,
    method: 'PUT',
    body: { maxBytes: maxDeliveryBytes, schema: z.unknown() },
    problems: [...changeProblems, 'not-found', 'conflict'],
  },
  eraseDelivery: { ...ofOrder, method: 'DELETE', problems: [...changeProblems, 'not-found', 'conflict'] },
  getContact: { ...ofContact, method: 'GET', problems: changeProblems },
  eraseContact: { ...ofContact, method: 'DELETE', problems: changeProblems },
} as const satisfies Record<string, FullOperation>

export type DeliveryView = z.infer<typeof deliveryView>
export type ContactView = z.infer<typeof contactView>
export type AddressForm = z.infer<typeof addressForm>

/** The token in the URL identifies the shopper. The answers are pages. */
const linkPage = {
  path: unsubscribeRoute,
  media: 'text/html',
  answer: z.string(),
  problems: [...publicProblems, 'too-many-requests'],
} as const

export const unsubscribeApi = {
  askToUnsubscribe: { ...linkPage, method: 'GET' },
  unsubscribe: { ...linkPage, method: 'POST' },
} as const satisfies Record<string, FullOperation>
