/** The SQS client: few tries and short waits, because the outbox keeps what could not be sent. */
import { SQSClient } from '@aws-sdk/client-sqs'

/** Region, credentials and endpoint come from the environment, read by the SDK itself. */
export function connectSqs(): SQSClient {
  return new SQSClient({
    maxAttempts: 2,
    // TLS already tells a damaged body; hashing every message again costs more than sending it.
    md5: false,
    // Without throwOnRequestTimeout the SDK would only warn and wait on.
    requestHandler: { connectionTimeout: 500, requestTimeout: 900, throwOnRequestTimeout: true },
  })
}
