/**
 * The operations of a shopper on their own personal data, and their answers. Apart from the other
 * operations, because the functions that sell load those.
 */
import * as z from 'zod/mini'
import { languages } from '../language.ts'
import { addressParts } from '../people/address-parts.ts'
import { delivery } from '../people/delivery.ts'
import type { Operation } from './operation.ts'

/** The form of a country: the parts of its addresses in their order, and those that it requires. */
const addressForm = z.object({
  country: z.string(),
  parts: z.readonly(z.array(z.enum(addressParts))),
  required: z.readonly(z.array(z.enum(addressParts))),
})

/**
 * `delivery` is null when none is stored, and `lines` are its address as the country writes it. `forms`
 * are those of the countries that the sale sends to, in its order; none while the delivery cannot
 * change. `email` is that of the shopper's contact, null when none is stored.
 */
const deliveryView = z.object({
  delivery: z.nullable(delivery),
  lines: z.readonly(z.array(z.string())),
  forms: z.readonly(z.array(addressForm)),
  email: z.nullable(z.string()),
})

const contactView = z.object({
  contact: z.nullable(z.object({ email: z.string(), language: z.enum(languages) })),
})

const ofOrder = '/api/orders/:orderId/delivery'

export const deliveryApi = {
  getDelivery: { method: 'GET', path: ofOrder, answer: deliveryView },
  /** Stores the delivery, and the shopper's contact with it. */
  putDelivery: { method: 'PUT', path: ofOrder, answer: deliveryView },
  eraseDelivery: { method: 'DELETE', path: ofOrder, answer: deliveryView },
  getContact: { method: 'GET', path: '/api/contact', answer: contactView },
  eraseContact: { method: 'DELETE', path: '/api/contact', answer: contactView },
} as const satisfies Record<string, Operation>

export type DeliveryView = z.infer<typeof deliveryView>
export type AddressForm = z.infer<typeof addressForm>
