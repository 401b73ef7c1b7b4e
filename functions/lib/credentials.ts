/**
 * Stands in for the chain of credential sources that each client of the SDK looks through by default: build.ts puts it
 * in the chain's place. A Lambda function always finds its credentials in its environment, and they stay the same as
 * long as that environment lives. So nothing has to look into files, ask other services or renew anything, and the
 * hundred kilobytes that could do so are not shipped.
 */
import type { SQSClientConfig } from '@aws-sdk/client-sqs'
import { fromEnv } from '@aws-sdk/credential-provider-env'
import { ConfigurationError } from './env.ts'

type DefaultProvider = NonNullable<SQSClientConfig['credentialDefaultProvider']>

/** Read while the function starts, so that one without credentials never takes a request. */
const credentials = await fromEnv()().catch(() => {
  throw new ConfigurationError(['AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing'])
})

/** The environment's credentials. Importing this throws ConfigurationError when they are not there. */
export const defaultProvider: DefaultProvider = () => async () => credentials
