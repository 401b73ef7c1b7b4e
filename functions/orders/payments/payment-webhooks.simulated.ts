/**
 * Reads webhooks of the simulated provider, in the form of Standard Webhooks: HMAC-SHA256 over id, time and body, compared
 * in constant time, within five minutes of now. During a rotation the old and the new secret are both valid. The signature
 * is verified before the body is read.
 */
import { hash } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { readPaymentEvent } from '../../../core/orders/payment-event.ts'
import { type SignatureHeader, signatureHeaders } from '../../../core/orders/signature-headers.ts'
import type { PaymentWebhooks, WebhookMessage } from './payment-webhooks.ts'

/** A message and the headers that sign it. */
type SignedMessage = { headers: Record<SignatureHeader, string>; body: string }

/** Returns what is wrong with a signature; undefined when a secret of ours signed the message within the last minutes. */
export type Signatures = { faultOf: (message: SignedMessage) => string | undefined }

/** 24 to 64 bytes in base64, as the standard requires. */
const secretPattern =
  /^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** True for one or more secrets such as `whsec_…`, with spaces between them. */
export function isSecretList(text: string): boolean {
  return text.split(' ').every((secret) => secretPattern.test(secret))
}

/** Returns the newest secret, which signs. @throws Error when `isSecretList` rejects `secrets` */
export function newestSecret(secrets: string): string {
  const [first] = secrets.split(' ')
  if (first === undefined || !isSecretList(secrets))
    throw new Error('WEBHOOK_SECRET must be secrets of Standard Webhooks (whsec_…)')
  return first
}

/** Verifies with `secrets`, a list that `isSecretList` accepts, the newest first. */
export function webhookSignatures(secrets: string): Signatures {
  const webhooks = secrets.split(' ').map((secret) => new Webhook(secret))
  return {
    faultOf({ headers, body }) {
      let fault: string | undefined
      for (const webhook of webhooks) {
        fault = verificationFault(() => webhook.verify(body, headers, { jsonParse: false }))
        if (fault === undefined) return undefined
      }
      return fault
    },
  }
}

/** Reads messages whose signature `signatures` accepts. */
export function simulatedWebhooks(signatures: Signatures): PaymentWebhooks {
  return {
    async read({ headers, body }) {
      const signed = signatureHeadersIn(headers)
      if (signed === undefined) return { kind: 'unsigned', fault: 'a header is missing or malformed' }
      const fault = signatures.faultOf({ headers: signed, body })
      if (fault !== undefined) return { kind: 'unsigned', fault }
      const event = readPaymentEvent(body)
      if (!event.ok) return { kind: 'malformed', field: event.field, detail: event.detail }
      if (event.value === undefined) return { kind: 'ignored' }
      const digest = hash('sha256', body, 'hex')
      return { kind: 'event', event: event.value, eventId: signed['webhook-id'], digest }
    },
  }
}

function verificationFault(verify: () => void): string | undefined {
  try {
    verify()
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message
    throw error
  }
}

/** The id is stored as a key, and the ids of every real provider match this. */
const idPattern = /^[A-Za-z0-9_:-]+$/
const timePattern = /^[0-9]+$/

function signatureHeadersIn(headers: WebhookMessage['headers']): SignedMessage['headers'] | undefined {
  const id = boundedHeader(headers, 'webhook-id')
  const timestamp = boundedHeader(headers, 'webhook-timestamp')
  const signature = boundedHeader(headers, 'webhook-signature')
  if (id === undefined || timestamp === undefined || signature === undefined) return undefined
  if (!idPattern.test(id) || !timePattern.test(timestamp)) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

function boundedHeader(headers: WebhookMessage['headers'], name: SignatureHeader): string | undefined {
  const value = headers[name]
  return value !== undefined && value.length <= signatureHeaders[name] ? value : undefined
}
