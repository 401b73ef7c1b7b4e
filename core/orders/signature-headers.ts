/** The headers of a signed webhook with the maximum length of each. There may be a signature for each secret in use. */
export const signatureHeaders = { 'webhook-id': 128, 'webhook-timestamp': 16, 'webhook-signature': 1024 } as const

/** Stripe's signature header: a time, and a signature for each secret in use. */
export const stripeSignatureHeaders = { 'stripe-signature': 1024 } as const

export type SignatureHeader = keyof typeof signatureHeaders
