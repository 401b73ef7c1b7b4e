/**
 * Replaces the SDK's default chain of credential sources (build.ts). A Lambda function always finds its credentials in
 * its environment, valid for the life of that environment, so the hundred kilobytes of other sources are left out.
 */
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { fromEnv } from '@aws-sdk/credential-provider-env'
import { ConfigurationError } from './env.ts'

type DefaultProvider = NonNullable<DynamoDBClientConfig['credentialDefaultProvider']>

/** Read at start-up, so that a function without credentials never takes a request. */
const credentials = await fromEnv()().catch(() => {
  throw new ConfigurationError(['AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing'])
})

/** Provides the environment's credentials. The import throws ConfigurationError when they are missing. */
export const defaultProvider: DefaultProvider = () => async () => credentials
