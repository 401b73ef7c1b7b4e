/** The headers that sign a webhook, and the longest value of each. A signature may come once per secret in use. */
export const signatureHeaders = { 'webhook-id': 128, 'webhook-timestamp': 16, 'webhook-signature': 1024 } as const

/** The header that Stripe signs with: a time, and a signature per secret in use. */
export const stripeSignatureHeaders = { 'stripe-signature': 1024 } as const

export type SignatureHeader = keyof typeof signatureHeaders
