import { expect, it } from 'vitest'
import { signerOf } from '../../../functions/lib/signature.ts'

/** The examples that AWS publishes as its Signature Version 4 test suite. */
const access = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const token =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

const host = 'example.amazonaws.com'
const at = new Date('2015-08-30T12:36:00Z')
const scope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'

it.each([
  ['post-vanilla', {}, '', {}, 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-x-www-form-urlencoded',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    {},
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'post-sts-header-before',
    {},
    '',
    { AWS_SESSION_TOKEN: token },
    'host;x-amz-date;x-amz-security-token',
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
])('a signature is that of %s in the test suite of AWS', async (_name, headers, body, session, signed, signature) => {
  const sign = signerOf('service', { ...access, ...session })
  expect(await sign(host, headers, body, at)).toEqual({
    ...headers,
    host,
    'x-amz-date': '20150830T123600Z',
    ...(signed.includes('token') ? { 'x-amz-security-token': token } : {}),
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  })
})
