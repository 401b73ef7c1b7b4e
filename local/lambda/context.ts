/** The second argument of every handler: the Lambda runtime's facts about the invocation. */
import { randomBytes } from 'node:crypto'
import type { Context } from 'aws-lambda'

const boot = randomBytes(8).toString('hex')
let invocations = 0

/** The context of one invocation of `functionName` with a timeout of `timeoutMs`. */
export function invocationContext(functionName: string, timeoutMs: number): Context {
  const endsAt = Date.now() + timeoutMs
  invocations += 1
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '256',
    awsRequestId: `${boot}-${invocations.toString(16).padStart(8, '0')}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: boot,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endsAt - Date.now(),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  }
}

// Node 24 on Lambda rejects handlers that use callbacks; so does this context.
function unsupported(): never {
  throw new Error('context.done, fail and succeed do not exist on Node 24: return a promise')
}
