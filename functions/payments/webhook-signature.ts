/**
 * Signatures of Standard Webhooks: HMAC-SHA256 over id, time and body, compared in constant time,
 * within five minutes of now. During a rotation the old and the new secret are both valid.
 */
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { SignatureHeader } from '../../core/signature-headers.ts'

/** A message and the headers that vouch for it. */
export type SignedMessage = { headers: Record<SignatureHeader, string>; body: string }

/**
 * `undefined` when the message was signed with a secret of ours within the last minutes, else what
 * is wrong.
 */
export type Signatures = { faultOf: (message: SignedMessage) => string | undefined }

/** 24 to 64 bytes in base64, as the standard asks of a secret. */
const secretPattern =
  /^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** True for one or more secrets such as `whsec_…`, with spaces between them. */
export function isSecretList(text: string): boolean {
  return text.split(' ').every((secret) => secretPattern.test(secret))
}

/** `secrets` is a list that `isSecretList` accepts; put the newest first, it is tried first. */
export function webhookSignatures(secrets: string): Signatures {
  const webhooks = secrets.split(' ').map((secret) => new Webhook(secret))
  return {
    faultOf({ headers, body }) {
      let fault: string | undefined
      for (const webhook of webhooks) {
        fault = faultUnder(() => webhook.verify(body, headers, { jsonParse: false }))
        if (fault === undefined) return undefined
      }
      return fault
    },
  }
}

function faultUnder(verify: () => void): string | undefined {
  try {
    verify()
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message
    throw error
  }
}
